import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeIn } from '../../../platform/values/time.js';
import { Database } from '../../../platform/database/database.js';
import { whileExtending } from '../../../platform/jobs/lease.js';
import type { OpenImport } from '../privacy.entity.js';
import { ALL_VENDORS } from '../tombstones/erased-person.model.js';
import { OpenImportsRepository } from './open-imports.repository.js';

/** An import stays open for this long after its process has ended. */
const LEASE_MS = 600_000;
const EXTEND_MS = 120_000;

/**
 * Tracks the imports of all instances that have not ended, because it is unknown whose data they
 * will bring.
 */
@Injectable()
export class OpenImportsService {
  constructor(
    private readonly database: Database,
    private readonly repository: OpenImportsRepository,
  ) {}

  /**
   * Runs an import and keeps it open meanwhile.
   * @param vendor_id null if its records may belong to any vendor
   */
  async during<Result>(vendor_id: number | null, work: () => Promise<Result>): Promise<Result> {
    const open = { id: randomUUID(), vendor_id: vendor_id ?? ALL_VENDORS };
    await this.extend(open);
    try {
      // If the database keeps failing, the next extension or the import itself reports it.
      return await whileExtending(EXTEND_MS, () => this.extend(open), work);
    } finally {
      // If this fails, the import stays open until its lease ends.
      await this.database
        .writeIdempotent((session) => this.repository.remove(session, open.id))
        .catch(() => undefined);
    }
  }

  private extend(open: Omit<OpenImport, 'ends'>): Promise<void> {
    const extended = { ...open, ends: dateTimeIn(LEASE_MS) };
    return this.database.writeIdempotent((session) => this.repository.save(session, extended));
  }
}
