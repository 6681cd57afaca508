import { Injectable } from '@nestjs/common';
import { ApiError } from '../../api/errors/api-error.js';
import { Database, type Reader } from '../../platform/database/database.js';
import { TRANSACTION_ID } from '../records/transaction.record.js';
import { LedgerLocksRepository } from './ledger-locks.repository.js';

/**
 * Reads a vendor's ledger from a replica that has everything that the vendor may have seen, or from
 * the primary (docs/adr/0016-replicas-by-revision.md). It is only for data that the vendor's
 * revision covers: not for affiliate terms or keys, and not for an affiliate's sales, which are in
 * the ledgers of others.
 */
@Injectable()
export class LedgerReadsService {
  /** The next read of revisions, the vendors that it is for, and the read before it. */
  private next: Promise<ReadonlyMap<number, number>> | undefined;
  private readonly wanted = new Set<number>();
  private reading: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly repository: LedgerLocksRepository,
  ) {}

  /**
   * Reads the current revision of a vendor's ledger: a number that grows with every write to the
   * vendor's transactions or to a user whom they show, in the same database transaction. Callers
   * that arrive during a read share the next one, which begins after they arrived, so no caller
   * gets an outdated revision.
   */
  async revisionOf(vendor_id: number): Promise<number> {
    this.wanted.add(vendor_id);
    this.next ??= this.revisionsAfter(this.reading);
    return (await this.next).get(vendor_id) ?? 0;
  }

  /** Reads the revision of a vendor's ledger in the state that a reader sees. */
  async revisionIn(reader: Reader, vendor_id: number): Promise<number> {
    return (await this.repository.revisionsOf([vendor_id], reader)).get(vendor_id) ?? 0;
  }

  /**
   * Reads a vendor's ledger.
   * @param seen the revision that was read for this request, or null if none was; it is then read
   *   from the primary, because another instance may have written
   * @param work only reads, and may run more than once
   */
  async read<Result>(
    vendor_id: number,
    seen: number | null,
    work: (reader: Reader) => Promise<Result>,
  ): Promise<Result> {
    if (!this.database.hasReplicas) return work(this.database);
    const least = seen ?? (await this.revisionOf(vendor_id));
    return this.database.readRecent(this.hasSeen(vendor_id, least), work);
  }

  /** Reads a vendor's ledger. All statements of `work` see one state of it. */
  async readState<Result>(
    vendor_id: number,
    work: (reader: Reader) => Promise<Result>,
  ): Promise<Result> {
    const least = this.database.hasReplicas ? await this.revisionOf(vendor_id) : 0;
    return this.database.readSnapshot(this.hasSeen(vendor_id, least), work);
  }

  /**
   * Reads one transaction of the vendor.
   * @throws ApiError not_found if `find` returns null or the id is malformed
   */
  async readTransaction<Found>(
    vendor_id: number,
    transaction_id: string,
    find: (reader: Reader) => Promise<Found | null>,
  ): Promise<Found> {
    const isValid = TRANSACTION_ID.test(transaction_id);
    const found = isValid ? await this.read(vendor_id, null, find) : null;
    if (found === null) throw new ApiError('not_found', 'There is no such transaction.');
    return found;
  }

  /** Reads for a report. An affiliate's sales are always read from the primary. */
  readFor<Result>(
    { role, user_id }: { readonly role: 'vendor' | 'affiliate'; readonly user_id: number },
    work: (reader: Reader) => Promise<Result>,
  ): Promise<Result> {
    return role === 'vendor' ? this.read(user_id, null, work) : work(this.database);
  }

  private async revisionsAfter(reading: Promise<unknown>): Promise<ReadonlyMap<number, number>> {
    await reading;
    const vendor_ids = [...this.wanted];
    this.wanted.clear();
    this.next = undefined;
    const read = this.repository.revisionsOf(vendor_ids);
    this.reading = read.catch(() => undefined);
    return read;
  }

  private hasSeen(vendor_id: number, least: number): (replica: Reader) => Promise<boolean> {
    return async (replica) => (await this.revisionIn(replica, vendor_id)) >= least;
  }
}
