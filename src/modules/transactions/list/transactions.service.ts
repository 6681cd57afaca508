import { Injectable } from '@nestjs/common';
import { PieceTurns } from '../../../platform/limits/memory/piece-turns.js';
import { Database, type Reader } from '../../../platform/database/database.js';
import { LedgerLocksRepository } from '../../../ledger/revisions/ledger-locks.repository.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import type { PageRequest } from '../../../api/validation/paging.js';
import { hasRefunds, planPage, type DayCount, type PagePlan, type PageSlice } from './page-plan.js';
import { ListCache, type CachedCounts, type RevealedLists } from './list-cache.js';
import { ListCountsRepository } from './list-counts.repository.js';
import type { ListCriteria } from '../../../ledger/reads/transaction.model.js';
import {
  type ListedTransaction,
  soldAt,
} from '../../../ledger/reads/rendered-transaction.model.js';
import { rowsInPieces, type FoundRows } from '../../../ledger/reads/row-sizes.model.js';
import { isNear } from './near-rows.repository.js';
import { TransactionsRepository } from './transactions.repository.js';

interface TransactionPage {
  /** Revision of the vendor's ledger to which the count and the rows belong. */
  readonly revision: number;
  readonly content: PageContent;
  /** Number of all transactions of the range, not only of the page. */
  readonly total_count: number;
}

/**
 * Contains the transactions of a page, or parts of them if they are too large to be in memory
 * together.
 */
type PageContent =
  | { readonly isLarge: false; readonly rows: readonly ListedTransaction[] }
  | {
      readonly isLarge: true;
      readonly count: number;
      /**
       * Yields the parts in their order. A part shows changes that were made after the page was
       * found.
       */
      readonly pieces: () => AsyncGenerator<readonly ListedTransaction[]>;
    };

/** Contains the rows of a page, and the counts and the plan that led to them. */
interface PageRead {
  readonly counts: CachedCounts;
  readonly planned: PagePlan;
  /** The plan with the nearest known start of its sales. */
  readonly plan: Pick<PagePlan, 'sold' | 'refunded'>;
  /** Number of rows that the plan selects. */
  readonly count: number;
  readonly found: FoundRows<ListedTransaction>;
}

const NO_ROWS: FoundRows<ListedTransaction> = { isLarge: false, rows: [] };

/** Maximum number of attempts to read a page without a lock while others write. */
const ATTEMPTS = 5;

/**
 * Maximum number of sales of a day whose positions are read. The pages of a longer day reveal its
 * positions one by one.
 */
const MAX_SALES_READ = 20_000;

/** Reads the transactions of a vendor. */
@Injectable()
export class TransactionsService {
  constructor(
    private readonly database: Database,
    private readonly repository: TransactionsRepository,
    private readonly reads: LedgerReadsService,
    private readonly locks: LedgerLocksRepository,
    private readonly counts: ListCountsRepository,
    private readonly cache: ListCache,
    private readonly turns: PieceTurns,
  ) {}

  /**
   * Returns one page of the transactions that were sold or refunded in a range of whole days,
   * newest sale first; ties are sorted by arrival, newest first (docs/api.md#the-list-of-30). The
   * count and the rows belong to one revision of the ledger. If a write came in between, both are
   * read again, in the end under the lock of the ledger.
   * @param seen the revision that was read for this request, or null if none was
   */
  async list(criteria: ListCriteria, seen: number | null): Promise<TransactionPage> {
    const page = await this.reads.read(criteria.vendor_id, seen, (reader) =>
      this.pageWithoutLock(criteria, seen, reader),
    );
    if (page !== null) return page;
    return this.database.write(async (session) => {
      await this.locks.lockLedgers(session, [criteria.vendor_id]);
      const counts = await this.countsOf(criteria, session);
      const read = await this.readPage(counts, criteria, session);
      if (!isComplete(read))
        throw new Error('the stored counts disagree with the ledger; run verify');
      return this.pageOf(read, criteria);
    });
  }

  /**
   * Returns one transaction.
   * @throws ApiError not_found if it does not exist or belongs to another vendor
   */
  get(vendor_id: number, transaction_id: string, isMasked: boolean): Promise<ListedTransaction> {
    return this.reads.readTransaction(vendor_id, transaction_id, (reader) =>
      this.repository.transactionOf({ vendor_id, transaction_id, isMasked }, reader),
    );
  }

  /**
   * Reads a page without a lock.
   * @returns null if a write came in between on each attempt
   */
  private async pageWithoutLock(
    criteria: ListCriteria,
    seen: number | null,
    reader: Reader,
  ): Promise<TransactionPage | null> {
    const cached = this.cache.countsOf(criteria);
    let counts =
      cached !== undefined && (seen === null || seen === cached.revision)
        ? cached
        : await this.countsOf(criteria, reader);
    let isConfirmed = counts !== cached || seen !== null;
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const read = await this.readPage(counts, criteria, reader);
      // An empty page has no rows that confirm the revision, so cached counts suffice only if the
      // revision was read for this request.
      if (isComplete(read) && (read.count > 0 || isConfirmed)) return this.pageOf(read, criteria);
      counts = await this.countsOf(criteria, reader);
      isConfirmed = true;
      const confirmed = confirmedBy(counts, read, criteria.page);
      if (confirmed !== null) return this.pageOf(confirmed, criteria);
    }
    return null;
  }

  private async countsOf(criteria: ListCriteria, reader: Reader): Promise<CachedCounts> {
    const counts = await this.counts.countsOf(criteria, reader);
    return { ...counts, refunded: null };
  }

  /** Adds the days of the refunds to the counts, if the page needs them. */
  private async countsForPage(
    counts: CachedCounts,
    criteria: ListCriteria,
    reader: Reader,
  ): Promise<CachedCounts | null> {
    // A page without refunds needs only their number, which costs the database much less.
    if (counts.refunded !== null || !hasRefunds(counts, criteria.page)) return counts;
    const { revision, days } = await this.counts.refundedDaysOf(criteria, reader);
    return revision === counts.revision ? { ...counts, refunded: days } : null;
  }

  /**
   * Reads the rows of the page that these counts lead to.
   * @returns null if the counts have different revisions
   */
  private async readPage(
    known: CachedCounts,
    criteria: ListCriteria,
    reader: Reader,
  ): Promise<PageRead | null> {
    const counts = await this.countsForPage(known, criteria, reader);
    if (counts === null) return null;
    const planned = planPage(counts, criteria.page);
    const { sold, refunded } = planned;
    const count = (sold?.take ?? 0) + (refunded?.take ?? 0);
    if (count === 0) return { counts, planned, plan: planned, count, found: NO_ROWS };
    const revealed = this.cache.revealedAt(criteria.vendor_id, counts.revision);
    const isSeekable = sold !== null && revealed !== null;
    const nearest = isSeekable ? await this.nearest(sold, counts, revealed, reader) : sold;
    const plan = { sold: nearest, refunded };
    const names = revealed?.names ?? null;
    const found = await this.repository.transactionsOn(criteria, plan, reader, names);
    return { counts, planned, plan, count, found };
  }

  /**
   * Returns the slice with the nearest known start. If it is far, and the day is read for the second
   * time at this revision, the positions of the whole day are read.
   */
  private async nearest(
    slice: PageSlice,
    { revision, sold }: CachedCounts,
    { vendor_id, hints }: RevealedLists,
    reader: Reader,
  ): Promise<PageSlice> {
    const nearest = hints.nearer(slice);
    if (isNear(nearest) || !hints.isWorthReading(slice.to)) return nearest;
    const count = sold.find(({ day }) => day === slice.to)?.count ?? 0;
    if (count > MAX_SALES_READ) return nearest;
    const times = await this.counts.timesOf(vendor_id, slice.to, reader);
    if (times[0]?.revision !== revision) return nearest;
    hints.noteDay(slice.to, times);
    return hints.nearer(slice);
  }

  /** Returns a page that was read completely, and caches its counts. */
  private pageOf(
    { counts, planned, count, found }: PageRead,
    criteria: ListCriteria,
  ): TransactionPage {
    const { revision } = counts;
    const { total_count, sold } = planned;
    if (count > 0) {
      this.cache.set(criteria, counts, ({ hints }) => {
        if (sold === null || found.isLarge) return;
        hints.noteRows(sold, soldAt(found.rows.slice(0, sold.take)));
      });
    }
    return { revision, content: this.contentOf(criteria, revision, found), total_count };
  }

  private contentOf(
    criteria: ListCriteria,
    revision: number,
    found: FoundRows<ListedTransaction>,
  ): PageContent {
    if (!found.isLarge) return found;
    const read = async (arrivals: readonly number[]) => {
      await this.turns.next(criteria.vendor_id);
      return this.reads.read(criteria.vendor_id, revision, (reader) =>
        this.repository.transactionsByArrivals(criteria, arrivals, reader),
      );
    };
    const pieces = () => rowsInPieces(found.rows, read);
    return { isLarge: true, count: found.rows.length, pieces };
  }
}

/** Returns true if the rows and the counts have the same revision. */
function isComplete(read: PageRead | null): read is PageRead {
  if (read === null) return false;
  const { counts, count, found } = read;
  return (
    count === 0 || (found.rows[0]?.revision === counts.revision && found.rows.length === count)
  );
}

/**
 * Returns a page that was read with outdated counts, together with the counts of its own revision,
 * if these lead to the same rows. So a write outside the range does not cost a second read of the
 * rows. Positions from earlier pages may be outdated although the counts are the same.
 */
function confirmedBy(
  counts: CachedCounts,
  read: PageRead | null,
  page: PageRequest,
): PageRead | null {
  if (read === null || read.plan.sold?.upTo !== undefined) return null;
  if (read.plan.refunded !== null || hasRefunds(counts, page)) return null;
  const confirmed = { ...read, counts, planned: planPage(counts, page) };
  return haveSameSales(counts, read.counts) && isComplete(confirmed) ? confirmed : null;
}

function haveSameSales({ sold }: CachedCounts, { sold: others }: CachedCounts): boolean {
  const isSame = (at: number, { day, count }: DayCount) =>
    others[at]?.day === day && others[at].count === count;
  return sold.length === others.length && sold.every((each, at) => isSame(at, each));
}
