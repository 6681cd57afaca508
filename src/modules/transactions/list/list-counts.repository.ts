import { Injectable } from '@nestjs/common';
import type { ListCriteria } from '../../../ledger/reads/transaction.model.js';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import type { Dialect } from '../../../platform/database/dialect.js';
import { REVISION } from '../../../ledger/reads/transaction-row.model.js';
import { endOfDay, startOfDay } from '../../../platform/values/time.js';
import type { DayCount } from './page-plan.js';
import type { TimeCount } from './seek-hints.js';

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

/**
 * Counts the sales of a day by the first four characters of their time, so that ten minutes are one
 * row.
 */
const TIMES = `SELECT SUBSTR(sale_date, 12, 4) AS time, COUNT(*) AS count, ${REVISION}
  FROM transactions /*! FORCE INDEX (transactions_by_sale) */
  WHERE vendor_id = ? AND sale_date BETWEEN ? AND ? GROUP BY time`;

/** Contains the count of a day, or the revision if the day is null. */
interface CountRow {
  readonly day: string | null;
  readonly count: number;
}

interface TimeCountRow extends TimeCount {
  readonly revision: number;
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

  /** Returns the sales of a day by their time, in any order, at one revision each. */
  timesOf(vendor_id: number, day: string, reader: Reader): Promise<TimeCountRow[]> {
    return reader.select(TIMES, [vendor_id, vendor_id, startOfDay(day), endOfDay(day)]);
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
