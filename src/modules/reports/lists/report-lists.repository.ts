import { Injectable } from '@nestjs/common';
import { endOfDay, startOfDay } from '../../../common/time.js';
import { padded } from '../../../database/bulk.js';
import type { Reader, SqlValue } from '../../../database/database.js';
import { columnsOf } from '../../../database/named-rows.js';
import { byListOrder, isRowOf, SELECTED } from '../../transactions/transaction-row.model.js';
import type { DayRange, Viewer } from '../report.model.js';
import type { SalesFilter } from '../sums/report-sums.model.js';
import type { IndexRange } from './index-ranges.js';
import {
  AFFILIATE_LIST_COLUMNS,
  type AffiliateTransaction,
  type ReportCursor,
  type VendorTransaction,
} from './report-list.model.js';

/** An index range with the days that a page needs. */
export interface IndexRangeOfDays extends Omit<IndexRange, 'range' | 'kinds'> {
  readonly days: readonly DayRange[];
}

export interface PageKeys {
  readonly viewer: Viewer;
  readonly filter: SalesFilter;
  /** At least one. */
  readonly ranges: readonly IndexRangeOfDays[];
  readonly cursor: ReportCursor | null;
  readonly take: number;
}

/** The columns of an `AffiliateTransaction`, with the transaction as `t` and its vendor as `v`. */
export const AFFILIATE_SELECTED = `${columnsOf('t', AFFILIATE_LIST_COLUMNS)}, v.name AS vendor_name,
    t.affiliate_payout + COALESCE(t.affiliate_refund_impact, 0) AS commission`;

/** Numbers of day ranges in a statement: few, so that each prepared statement is reused. */
const RANGES = [1, 8, 64, 1024] as const;
const FILTERS = ['product_id', 'affiliate_id', 'vendor_id'] as const;

/**
 * The transactions behind the figures of a report, a page at a time, newest sale first. By hand: a download
 * of 1,000,000 transactions takes 21 s, with 145 MiB resident at most (docs/benchmarks.md, "Older figures").
 */
@Injectable()
export class ReportListsRepository {
  async pageOfVendor(reader: Reader, page: PageKeys): Promise<VendorTransaction[]> {
    const { sql, values } = keysOf('vendor_id', page);
    const rows = await reader.select<VendorTransaction>(
      `SELECT ${SELECTED}, COALESCE(u.display_name, u.name) AS affiliate_name
        FROM (${sql}) page
        JOIN transactions t ON ${isRowOf('page')}
        LEFT JOIN users u ON u.id = t.affiliate_id`,
      [page.viewer.user_id, ...values],
    );
    // A join guarantees no order.
    return rows.sort(byListOrder);
  }

  async pageOfAffiliate(reader: Reader, page: PageKeys): Promise<AffiliateTransaction[]> {
    const { sql, values } = keysOf('affiliate_id', page);
    const rows = await reader.select<AffiliateTransaction>(
      `SELECT ${AFFILIATE_SELECTED}
        FROM (${sql}) page
        JOIN transactions t ON ${isRowOf('page')}
        JOIN users v ON v.id = t.vendor_id`,
      values,
    );
    return rows.sort(byListOrder);
  }
}

/** The keys of a page: the first rows of each range, and of those the first ones. */
function keysOf(
  owner: 'vendor_id' | 'affiliate_id',
  { viewer, filter, ranges, cursor, take }: PageKeys,
): { sql: string; values: SqlValue[] } {
  const order = cursor?.direction === 'before' ? 'ASC' : 'DESC';
  const values: SqlValue[] = [];
  const parts = ranges.map((range) => {
    const { column, condition } = range;
    const days = rangeCondition(range, cursor);
    const filters = filterCondition(filter);
    const beyond = beyondCondition(column, cursor);
    values.push(viewer.user_id, ...days.values, ...range.values);
    values.push(...filters.values, ...beyond.values, take);
    return `SELECT * FROM (SELECT vendor_id, arrival, ${column} AS sale_date FROM transactions
      WHERE ${owner} = ? AND ${days.sql} AND ${condition}${filters.sql}${beyond.sql}
      ORDER BY ${column} ${order}, vendor_id ${order}, arrival ${order} LIMIT ?) ${column === 'sale_date' ? 'sold' : 'refunded'}`;
  });
  if (parts.length === 1) return { sql: parts.join(), values };
  const sql = `${parts.join(' UNION ALL ')}
    ORDER BY sale_date ${order}, vendor_id ${order}, arrival ${order} LIMIT ?`;
  return { sql, values: [...values, take] };
}

/** The ranges of days; the cursor's day begins or ends at the cursor. */
function rangeCondition({ column, days }: IndexRangeOfDays, cursor: ReportCursor | null) {
  const bounds = days.map(({ start_date, end_date }): [string, string] => {
    const [from, to] = [startOfDay(start_date), endOfDay(end_date)];
    if (cursor === null) return [from, to];
    const { sale_date } = cursor.position;
    return cursor.direction === 'after'
      ? [from, to < sale_date ? to : sale_date]
      : [from > sale_date ? from : sale_date, to];
  });
  const filled = padded(bounds, RANGES);
  const ranges = filled.map(() => `${column} BETWEEN ? AND ?`);
  return { sql: `(${ranges.join(' OR ')})`, values: filled.flat() };
}

/** Transactions of the cursor's second are compared by vendor and arrival. */
function beyondCondition(column: string, cursor: ReportCursor | null) {
  if (cursor === null) return { sql: '', values: [] };
  const { sale_date, vendor_id, arrival } = cursor.position;
  const comparison = cursor.direction === 'after' ? '<' : '>';
  return {
    sql: ` AND (${column} <> ? OR vendor_id ${comparison} ? OR (vendor_id = ? AND arrival ${comparison} ?))`,
    values: [sale_date, vendor_id, vendor_id, arrival],
  };
}

function filterCondition(filter: SalesFilter) {
  const used = FILTERS.filter((column) => filter[column] !== undefined);
  return {
    sql: used.map((column) => ` AND ${column} = ?`).join(''),
    values: used.map((column) => filter[column] ?? null),
  };
}
