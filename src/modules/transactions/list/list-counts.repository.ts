import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import type { ListCriteria } from '../../../ledger/reads/transaction.model.js';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import type { Dialect } from '../../../platform/database/dialect.js';
import { BoundedCache } from '../../../platform/limits/memory/bounded-cache.js';
import type { DayCount, SeekHints } from './page-plan.js';

/** Selects whole days of one vendor's ledger. */
export type Range = Omit<ListCriteria, 'page' | 'isMasked'>;

/** Counts the transactions of a list, at one revision of the vendor's ledger. */
export interface ListCounts {
  readonly revision: number;
  /** The sales of each day of the range, newest first. */
  readonly sold: readonly DayCount[];
  /** The number of refunds in the range of sales before it. */
  readonly refunds: number;
}

/** Counts the refunds of a list by their sale days, at one revision of the vendor's ledger. */
export interface RefundedDays {
  readonly revision: number;
  /** Newest first. */
  readonly days: readonly DayCount[];
}

/**
 * Returns the statements for the counts. Each begins with the row of the revision, whose day is
 * null. No refund came later than `longest_refund_days`, so a long range reads no more refund
 * counts than a short one. The refunds are added as floating-point numbers, which is faster than
 * MariaDB's decimals and exact for integers below 2^53.
 */
function statementsOn(dialect: Dialect) {
  const last = dialect.daysAfter('?', 'l.longest_refund_days');
  const refunds = `vendor_id = ? AND refund_day BETWEEN ? AND ? AND refund_day <= ${last}
    AND sale_day < ?`;
  const sum = 'SUM(refunds + 0e0)';
  return {
    counts: `SELECT NULL AS day, revision AS count,
        (SELECT ${sum} FROM refund_counts WHERE ${refunds}) AS refunds
      FROM ledger_revisions l WHERE vendor_id = ?
      UNION ALL
      SELECT sale_day, sales, NULL FROM sale_counts
      WHERE vendor_id = ? AND sale_day BETWEEN ? AND ?`,
    refundedDays: `SELECT NULL AS day, revision AS count
      FROM ledger_revisions WHERE vendor_id = ?
      UNION ALL
      SELECT sale_day, ${sum} FROM ledger_revisions l
        JOIN refund_counts r ON r.vendor_id = l.vendor_id
      WHERE l.vendor_id = ? AND r.${refunds} GROUP BY sale_day`,
  };
}

/** Contains the count of a day, or the revision if the day is null. */
interface CountRow {
  readonly day: string | null;
  readonly count: number;
}

/**
 * Reads the counts behind `total_count`. `src/ledger/sums/ledger-counts.ts` declares how they are
 * kept.
 */
@Injectable()
export class ListCountsRepository {
  private readonly sql: ReturnType<typeof statementsOn>;

  constructor({ dialect }: Database) {
    this.sql = statementsOn(dialect);
  }

  /** Returns the counts that the total and a page of sales need. */
  async countsOf(range: Range, reader: Reader): Promise<ListCounts> {
    const { vendor_id, start_date, end_date } = range;
    const values = [...valuesOfRefunds(range), vendor_id, vendor_id, start_date, end_date];
    const rows = await reader.select<CountRow & { readonly refunds: number | null }>(
      this.sql.counts,
      values,
    );
    const refunds = rows.find(({ day }) => day === null)?.refunds ?? 0;
    return { revision: revisionOf(rows), sold: daysOf(rows), refunds };
  }

  /** Returns the days of the refunds, which only a page needs that contains some of them. */
  async refundedDaysOf(range: Range, reader: Reader): Promise<RefundedDays> {
    const values = [range.vendor_id, range.vendor_id, ...valuesOfRefunds(range)];
    const rows = await reader.select<CountRow>(this.sql.refundedDays, values);
    return { revision: revisionOf(rows), days: daysOf(rows) };
  }
}

function valuesOfRefunds({ vendor_id, start_date, end_date }: Range): SqlValue[] {
  return [vendor_id, start_date, end_date, start_date, start_date];
}

/** Returns the revision of the counts. A vendor without a revision has no transactions. */
function revisionOf(rows: readonly CountRow[]): number {
  return rows.find(({ day }) => day === null)?.count ?? 0;
}

/** Returns the counts by day, newest first. */
function daysOf(rows: readonly CountRow[]): DayCount[] {
  const days: DayCount[] = [];
  for (const { day, count } of rows) if (day !== null) days.push({ day, count });
  return days.sort((left, right) => (left.day < right.day ? 1 : -1));
}

export interface CachedCounts extends ListCounts {
  /** The days of the refunds, newest first; null until a page needs them. */
  readonly refunded: readonly DayCount[] | null;
  readonly hints: SeekHints;
}

/** Share of the page cache's memory. It is small, because counts are much smaller than pages. */
const SHARE = 1 / 8;
/** Minimum memory in bytes. It holds the counts of thousands of ranges of a month. */
const LEAST_BYTES = 8 * 1024 * 1024;
const BYTES_OF_A_DAY = 100;
const BYTES_OF_A_POSITION = 100;

/**
 * Caches the counts of requested ranges, so that further pages of a range need not read them again.
 * It also does so without a page cache, because the counts of a range are needed again for pages
 * that nobody has requested before.
 */
@Injectable()
export class ListCountsCache {
  private readonly cache: BoundedCache<CachedCounts>;

  constructor({ pageCacheBytes }: Settings) {
    this.cache = new BoundedCache(
      Math.max(LEAST_BYTES, Math.floor(pageCacheBytes * SHARE)),
      ({ sold, refunded, hints }) =>
        (sold.length + (refunded?.length ?? 0)) * BYTES_OF_A_DAY +
        hints.count * BYTES_OF_A_POSITION,
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
