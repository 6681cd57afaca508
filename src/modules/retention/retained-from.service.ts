import { Injectable } from '@nestjs/common';
import type { Reader } from '../../database/database.js';
import { RetentionRepository } from './retention.repository.js';

/** Reads the first day for which vendors keep personal data. */
@Injectable()
export class RetainedFromService {
  constructor(private readonly repository: RetentionRepository) {}

  /**
   * Returns the days of those of these vendors that have one. The caller must hold the locks of
   * their ledgers, because a run raises the day under the lock and then removes stored data.
   */
  async among(reader: Reader, vendor_ids: Iterable<number>): Promise<ReadonlyMap<number, string>> {
    const rows = await this.repository.retainedFrom(reader, [...vendor_ids]);
    return new Map(rows.map(({ vendor_id, retained_from }) => [vendor_id, retained_from]));
  }
}
