import { Injectable } from '@nestjs/common';
import { Database, type Reader } from '../../../database/database.js';
import { LedgerCountsRepository } from '../rollups/ledger-counts.repository.js';
import { LedgerReadsService } from '../revisions/ledger-reads.service.js';
import { LedgerVerificationRepository } from '../rollups/verification/ledger-verification.repository.js';
import { itemsBefore } from '../../../common/paging/paging.js';
import { SeekHints } from './seek-hints.js';
import { ListCountsCache, type KeptCounts } from './list-counts.cache.js';
import { planPage } from './page-plan.js';
import type { Difference, ListCriteria, TransactionPage } from '../transaction.model.js';
import { TransactionsRepository, type TransactionsAtRevision } from './transactions.repository.js';

/** How often a page is tried beside writers before it is read under the ledger's lock. */
const TRIES = 5;

/** The transactions of a vendor. */
@Injectable()
export class TransactionsService {
  constructor(
    private readonly database: Database,
    private readonly repository: TransactionsRepository,
    private readonly reads: LedgerReadsService,
    private readonly counts: LedgerCountsRepository,
    private readonly verification: LedgerVerificationRepository,
    private readonly listCounts: ListCountsCache,
  ) {}

  /**
   * One page of what was sold, or refunded, in a range of whole days (interface 4.1 rule 1), newest
   * sale first, ties by the order of arrival, newest first. Count and rows are of one revision of the
   * ledger: where a writer comes in between, both are read again, and in the end under the lock.
   * @param seen the revision that was read for this request, or null where none was
   */
  async list(criteria: ListCriteria, seen: number | null): Promise<TransactionPage> {
    const page = await this.reads.read(criteria.vendor_id, seen, (reader) =>
      this.pageBesideWriters(criteria, seen, reader),
    );
    if (page !== null) return page;
    return this.database.write(async (session) => {
      await this.counts.lockLedgers(session, [criteria.vendor_id]);
      const locked = await this.pageAt(await this.countsOf(criteria, session), criteria, session);
      if (locked === null) throw new Error('the kept counts disagree with the ledger; run verify');
      return locked;
    });
  }

  /**
   * One transaction of the vendor.
   * @throws ApiError not_found where it does not exist or is another vendor's (interface 4.1 rule 3)
   */
  get(vendor_id: number, transaction_id: string): Promise<TransactionsAtRevision> {
    return this.reads.readTransaction(vendor_id, transaction_id, (reader) =>
      this.repository.transactionOf(vendor_id, transaction_id, reader),
    );
  }

  /** What is kept beside the ledger and is not what the ledger says; empty when all is well. */
  differences(): Promise<Difference[]> {
    return this.verification.differences();
  }

  /** @returns null where writers came in between each time */
  private async pageBesideWriters(
    criteria: ListCriteria,
    seen: number | null,
    reader: Reader,
  ): Promise<TransactionPage | null> {
    const kept = this.listCounts.get(criteria);
    if (kept !== undefined && (seen === null || seen === kept.revision)) {
      const page = await this.pageAt(kept, criteria, reader);
      // Only a row tells of which revision it is, unless that was read before.
      if (page !== null && (page.transactions.length > 0 || seen !== null)) return page;
    }
    for (let tried = 0; tried < TRIES; tried += 1) {
      const page = await this.pageAt(await this.countsOf(criteria, reader), criteria, reader);
      if (page !== null) return page;
    }
    return null;
  }

  private async countsOf(criteria: ListCriteria, reader: Reader): Promise<KeptCounts> {
    const counts = await this.repository.listCounts(criteria, reader);
    return { ...counts, hints: new SeekHints() };
  }

  /** @returns null where the ledger is not at the revision of the counts any more */
  private async pageAt(
    counts: KeptCounts,
    criteria: ListCriteria,
    reader: Reader,
  ): Promise<TransactionPage | null> {
    const { revision, hints } = counts;
    const { total_count, sold, refunded } = planPage(counts.sold, counts.refunded, criteria.page);
    const soldCount = sold?.take ?? 0;
    const count = soldCount + (refunded?.take ?? 0);
    if (count === 0) return { revision, transactions: [], total_count };
    const first = itemsBefore(criteria.page);
    const plan = { sold: sold === null ? null : hints.nearer(sold, first), refunded };
    const page = await this.repository.transactionsOn(criteria, plan, reader);
    if (page.revision !== revision || page.transactions.length !== count) return null;
    hints.note(first, page.transactions.slice(0, soldCount));
    this.listCounts.keep(criteria, counts);
    return { ...page, total_count };
  }
}
