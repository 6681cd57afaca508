import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { dateTimeOf } from '../../../common/time.js';
import { Database, type Reader } from '../../../database/database.js';
import { ALL_VENDORS } from '../tombstones/erased-person.model.js';
import { OpenImportsRepository } from './open-imports.repository.js';

/** How long an import stays open after its process has died. */
const LEASE_MS = 600_000;
const EXTEND_MS = 120_000;

/** Knows which imports have not ended, on all instances: whom they will bring, nobody knows yet. */
@Injectable()
export class OpenImportsService {
  constructor(
    private readonly database: Database,
    private readonly repository: OpenImportsRepository,
  ) {}

  /** Runs an import. @param vendor_id null if its records may be those of any vendor */
  async during<Result>(vendor_id: number | null, work: () => Promise<Result>): Promise<Result> {
    const open = { id: randomUUID(), vendor_id: vendor_id ?? ALL_VENDORS };
    await this.extend(open);
    let extended: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      // The next one, or the import itself, reports a database that fails.
      extended = this.extend(open).catch(() => undefined);
    }, EXTEND_MS).unref();
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await extended;
      // The import stays open until its lease ends if this fails.
      await this.database
        .writeIdempotent((session) => this.repository.remove(session, open.id))
        .catch(() => undefined);
    }
  }

  /** Whether an import may bring records of the vendor; `ALL_VENDORS` for any import. */
  isOpen(reader: Reader, vendor_id: number): Promise<boolean> {
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
