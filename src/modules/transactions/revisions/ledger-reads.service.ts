import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../common/errors/api-error.js';
import { Database, type Reader } from '../../../database/database.js';
import { TRANSACTION_ID } from '../transaction.model.js';
import { LedgerRevisionsRepository } from './ledger-revisions.repository.js';
import { LedgerRevisionsService } from './ledger-revisions.service.js';

/**
 * Where a vendor's ledger is read: at a replica that has come to what the vendor may have seen, or at
 * the database itself. Only what the vendor's revision tells of may be read so: no relationships, no
 * keys, and nothing of an affiliate, whose sales are in the ledgers of others.
 */
@Injectable()
export class LedgerReadsService {
  constructor(
    private readonly database: Database,
    private readonly revisions: LedgerRevisionsService,
    private readonly repository: LedgerRevisionsRepository,
  ) {}

  /**
   * @param seen the revision that was read for this request, or null where none was: then it is read
   *   now, at the database itself, since whoever wrote may have done so through another instance
   * @param work only reads; it may be begun anew
   */
  async read<Result>(
    vendor_id: number,
    seen: number | null,
    work: (reader: Reader) => Promise<Result>,
  ): Promise<Result> {
    if (!this.database.hasReplicas) return work(this.database);
    const least = seen ?? (await this.revisions.revisionOf(vendor_id));
    return this.database.readRecent(
      async (replica) => (await this.repository.revisionAt(replica, vendor_id)) >= least,
      work,
    );
  }

  /**
   * The same for one transaction of the vendor.
   * @throws ApiError not_found where `find` finds none, or the key can't be one
   */
  async readTransaction<Found>(
    vendor_id: number,
    transaction_id: string,
    find: (reader: Reader) => Promise<Found | null>,
  ): Promise<Found> {
    const isKey = TRANSACTION_ID.test(transaction_id);
    const found = isKey ? await this.read(vendor_id, null, find) : null;
    if (found === null) throw new ApiError('not_found', 'There is no such transaction.');
    return found;
  }

  /** The same for a report: of a vendor's own ledger, or of an affiliate's sales in those of others. */
  readFor<Result>(
    { role, user_id }: { readonly role: 'vendor' | 'affiliate'; readonly user_id: number },
    work: (reader: Reader) => Promise<Result>,
  ): Promise<Result> {
    return role === 'vendor' ? this.read(user_id, null, work) : work(this.database);
  }
}
