import { Injectable } from '@nestjs/common';
import { LedgerLocksRepository } from './ledger-locks.repository.js';

/**
 * Reads the revision of a vendor's ledger: a number that grows with every write to the vendor's
 * transactions or to a user whom they show, in the same database transaction.
 */
@Injectable()
export class LedgerRevisionsService {
  private next: Promise<ReadonlyMap<number, number>> | undefined;
  private readonly wanted = new Set<number>();
  private reading: Promise<unknown> = Promise.resolve();

  constructor(private readonly repository: LedgerLocksRepository) {}

  /**
   * Reads the current revision. Callers that arrive during a read share the next one, which begins
   * after they arrived, so no caller gets an outdated revision.
   */
  async revisionOf(vendor_id: number): Promise<number> {
    this.wanted.add(vendor_id);
    this.next ??= this.readAfter(this.reading);
    return (await this.next).get(vendor_id) ?? 0;
  }

  private async readAfter(reading: Promise<unknown>): Promise<ReadonlyMap<number, number>> {
    await reading;
    const vendor_ids = [...this.wanted];
    this.wanted.clear();
    this.next = undefined;
    const read = this.repository.revisionsOf(vendor_ids);
    this.reading = read.catch(() => undefined);
    return read;
  }
}
