import { Injectable } from '@nestjs/common';
import type { Reader } from '../../database/database.js';
import { RetentionRepository } from './retention.repository.js';

/** Knows from which day on vendors keep personal data. */
@Injectable()
export class RetainedFromService {
  constructor(private readonly repository: RetentionRepository) {}

  /**
   * The days of those of these vendors who have one. Read it under the locks of their ledgers: a run raises
   * the day under the lock, and then empties what is stored.
   */
  async among(reader: Reader, vendor_ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    const rows = await this.repository.retainedFrom(reader, [...vendor_ids]);
    return new Map(rows.map(({ vendor_id, retained_from }) => [vendor_id, retained_from]));
  }
}
