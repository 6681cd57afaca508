import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../platform/values/time.js';
import { Database, type EntityReader } from '../../../platform/database/database.js';
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
    let extended: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      // If the database keeps failing, the next extension or the import itself reports it.
      extended = this.extend(open).catch(() => undefined);
    }, EXTEND_MS).unref();
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await extended;
      // If this fails, the import stays open until its lease ends.
      await this.database
        .writeIdempotent((session) => this.repository.remove(session, open.id))
        .catch(() => undefined);
    }
  }

  /**
   * Returns true if an open import may bring records of the vendor. For ALL_VENDORS, any import
   * counts.
   */
  isOpen(reader: EntityReader, vendor_id: number): Promise<boolean> {
    return this.repository.isOpen(reader, vendor_id, dateTimeOf(new Date()));
  }

  private extend(open: { readonly id: string; readonly vendor_id: number }): Promise<void> {
    const now = Date.now();
    const ends = dateTimeOf(new Date(now + LEASE_MS));
    return this.database.writeIdempotent((session) =>
      this.repository.save(session, { ...open, ends }, dateTimeOf(new Date(now))),
    );
  }
}
