import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import type { ListCriteria } from '../../../ledger/reads/transaction.model.js';
import { Database, type Reader } from '../../../platform/database/database.js';
import type { Dialect } from '../../../platform/database/dialect.js';
import { BoundedCache } from '../../../platform/limits/memory/bounded-cache.js';
import type { DayCount, SeekHints } from './page-plan.js';

/** Selects whole days of one vendor's ledger. */
export type Range = Omit<ListCriteria, 'page' | 'isMasked'>;

/**
 * Contains the number of listed transactions of each day, at one revision of the vendor's ledger.
 */
export interface ListCounts {
  readonly revision: number;
  readonly sold: readonly DayCount[];
  readonly refunded: readonly DayCount[];
}

const PART = { sold: 0, refunded: 1, revision: 2 } as const;
const LONGEST = '(SELECT longest_refund_days FROM ledger_revisions WHERE vendor_id = ?)';

/**
 * Returns the statement for the counts. No refund came later than `longest_refund_days`, so a long
 * range reads no more refund counts than a short one. The refunds are added as floating-point
 * numbers, which is faster than MariaDB's decimals and exact for integers below 2^53.
 */
function countsOn(dialect: Dialect): string {
  return `SELECT ${PART.sold} AS part, sale_day AS day, sales AS count FROM sale_counts
      WHERE vendor_id = ? AND sale_day BETWEEN ? AND ?
    UNION ALL
    SELECT ${PART.refunded}, sale_day, SUM(refunds + 0e0) FROM refund_counts
      WHERE vendor_id = ? AND refund_day BETWEEN ? AND ? AND refund_day <= ${dialect.daysAfter('?', LONGEST)}
        AND sale_day < ? GROUP BY sale_day
    UNION ALL
    SELECT ${PART.revision}, NULL, revision FROM ledger_revisions WHERE vendor_id = ?`;
}

/**
 * Reads the counts behind `total_count`. `src/ledger/sums/ledger-counts.ts` declares how they are
 * kept.
 */
@Injectable()
export class ListCountsRepository {
  private readonly sql: string;

  constructor({ dialect }: Database) {
    this.sql = countsOn(dialect);
  }

  /** Returns the list's counts by day, newest first. */
  async countsOf(criteria: Range, reader: Reader): Promise<ListCounts> {
    const { vendor_id, start_date, end_date } = criteria;
    const days = [vendor_id, start_date, end_date];
    const values = [...days, ...days, start_date, vendor_id, start_date, vendor_id];
    const rows = await reader.select<DayCount & { readonly part: number }>(this.sql, values);
    const daysOf = (part: number) =>
      rows
        .filter((row) => row.part === part)
        .map(({ day, count }) => ({ day, count }))
        .sort((left, right) => (left.day < right.day ? 1 : -1));
    const revision = rows.find(({ part }) => part === PART.revision)?.count ?? 0;
    return { revision, sold: daysOf(PART.sold), refunded: daysOf(PART.refunded) };
  }
}

export interface CachedCounts extends ListCounts {
  readonly hints: SeekHints;
}

/** Share of the page cache's memory. It is small, because counts are much smaller than pages. */
const SHARE = 1 / 8;
const BYTES_OF_A_DAY = 100;
const BYTES_OF_A_POSITION = 100;

/**
 * Caches the counts of requested ranges, so that further pages of a range need not read them again.
 */
@Injectable()
export class ListCountsCache {
  private readonly cache: BoundedCache<CachedCounts>;

  constructor({ pageCacheBytes }: Settings) {
    this.cache = new BoundedCache(
      Math.floor(pageCacheBytes * SHARE),
      ({ sold, refunded, hints }) =>
        (sold.length + refunded.length) * BYTES_OF_A_DAY + hints.count * BYTES_OF_A_POSITION,
    );
  }

  /** Returns the counts of a range. They may be outdated, so the caller compares their revision. */
  get(range: Range): CachedCounts | undefined {
    return this.cache.get(keyOf(range));
  }

  /** Stores a copy, because the cache measures the size of a new value only. */
  set(range: Range, counts: CachedCounts): void {
    this.cache.set(keyOf(range), { ...counts });
  }
}

function keyOf({ vendor_id, start_date, end_date }: Range): string {
  return `${vendor_id} ${start_date} ${end_date}`;
}
