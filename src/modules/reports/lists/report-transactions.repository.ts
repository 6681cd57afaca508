import { Injectable } from '@nestjs/common';
import { endOfDay, startOfDay } from '../../../common/time.js';
import type { Reader, SqlValue } from '../../../database/database.js';
import type { DayRange, SalesFilter, Viewer } from '../sums/report-sums.model.js';
import type { AffiliateTransaction, Placed, ReportCursor } from './report-transactions.model.js';
import type { IndexRange } from './index-ranges.js';
import {
  isRowOf,
  SELECTED,
  transactionOf,
  type TransactionRow,
} from '../../transactions/transaction-row.model.js';
import type { Transaction, TransactionStatus } from '../../transactions/transaction.model.js';

/** A stretch with the days of it that a page needs. */
export interface IndexRangeOfDays extends IndexRange {
  readonly days: readonly DayRange[];
}

export interface PageKeys {
  readonly viewer: Viewer;
  readonly filter: SalesFilter;
  /** At least one. */
  readonly stretches: readonly IndexRangeOfDays[];
  readonly cursor: ReportCursor | null;
  readonly take: number;
}

type AffiliateRow = readonly [
  ...[string, number, string, string, string, number, TransactionStatus],
  ...[number, string],
];

/** How many ranges of days a statement takes: few texts, each prepared once and used again. */
const RANGES = [1, 8, 64, 1024] as const;
const FILTERS = ['product_id', 'affiliate_id', 'vendor_id'] as const;

/** The transactions behind the figures of a report, a page at a time, newest sale first. */
@Injectable()
export class ReportTransactionsRepository {
  async pageOfVendor(reader: Reader, page: PageKeys): Promise<Placed<Transaction>[]> {
    const { sql, values } = keysOf('vendor_id', page);
    const rows = await reader.rows<TransactionRow>(
      `SELECT ${SELECTED} FROM (${sql}) page
        JOIN transactions t ON ${isRowOf('page')}
        LEFT JOIN users u ON u.id = t.affiliate_id`,
      [page.viewer.user_id, ...values],
    );
    return inOrder(
      rows.map((row) => ({ sale_date: row[2], arrival: row[13], transaction: transactionOf(row) })),
    );
  }

  async pageOfAffiliate(reader: Reader, page: PageKeys): Promise<Placed<AffiliateTransaction>[]> {
    const { sql, values } = keysOf('affiliate_id', page);
    const rows = await reader.rows<AffiliateRow>(
      `SELECT t.sale_date, t.arrival, t.transaction_id, t.product_name, v.name, t.amount, t.status,
          t.affiliate_payout + COALESCE(t.affiliate_refund_impact, 0), t.affiliate_commission_status
        FROM (${sql}) page
        JOIN transactions t ON ${isRowOf('page')}
        JOIN users v ON v.id = t.vendor_id`,
      values,
    );
    return inOrder(rows.map(affiliateTransactionOf));
  }
}

/** The keys of a page: each stretch's first rows, and of those the page's. */
function keysOf(
  owner: 'vendor_id' | 'affiliate_id',
  { viewer, filter, stretches, cursor, take }: PageKeys,
): { sql: string; values: SqlValue[] } {
  const order = cursor?.direction === 'before' ? 'ASC' : 'DESC';
  const values: SqlValue[] = [];
  const parts = stretches.map((stretch) => {
    const { column, condition } = stretch;
    const days = rangeCondition(stretch, cursor);
    const filters = filterCondition(filter);
    const beyond = beyondCondition(column, cursor);
    values.push(viewer.user_id, ...days.values, ...stretch.values);
    values.push(...filters.values, ...beyond.values, take);
    return `SELECT * FROM (SELECT vendor_id, arrival, ${column} AS sale_date FROM transactions
      WHERE ${owner} = ? AND ${days.sql} AND ${condition}${filters.sql}${beyond.sql}
      ORDER BY ${column} ${order}, arrival ${order} LIMIT ?) ${column === 'sale_date' ? 'sold' : 'refunded'}`;
  });
  if (parts.length === 1) return { sql: parts.join(), values };
  const sql = `${parts.join(' UNION ALL ')} ORDER BY sale_date ${order}, arrival ${order} LIMIT ?`;
  return { sql, values: [...values, take] };
}

/** The ranges of days, the one of the cursor's day from its moment on. */
function rangeCondition({ column, days }: IndexRangeOfDays, cursor: ReportCursor | null) {
  const moments = days.map(({ start_date, end_date }): [string, string] => {
    const [from, to] = [startOfDay(start_date), endOfDay(end_date)];
    if (cursor === null) return [from, to];
    const { sale_date } = cursor.position;
    return cursor.direction === 'after'
      ? [from, to < sale_date ? to : sale_date]
      : [from > sale_date ? from : sale_date, to];
  });
  const [first = ['', '']] = moments;
  const size = RANGES.find((candidate) => candidate >= moments.length) ?? moments.length;
  // Filled up with a range that is there already, which finds nothing more.
  while (moments.length < size) moments.push(first);
  const ranges = moments.map(() => `${column} BETWEEN ? AND ?`);
  return { sql: `(${ranges.join(' OR ')})`, values: moments.flat() };
}

/** What was sold on the cursor's very second is told apart by its arrival. */
function beyondCondition(column: string, cursor: ReportCursor | null) {
  if (cursor === null) return { sql: '', values: [] };
  const { sale_date, arrival } = cursor.position;
  const comparison = cursor.direction === 'after' ? '<' : '>';
  return {
    sql: ` AND (${column} <> ? OR arrival ${comparison} ?)`,
    values: [sale_date, arrival],
  };
}

function filterCondition(filter: SalesFilter) {
  const used = FILTERS.filter((column) => filter[column] !== undefined);
  return {
    sql: used.map((column) => ` AND ${column} = ?`).join(''),
    values: used.map((column) => filter[column] ?? null),
  };
}

/** A join promises no order. */
function inOrder<Row>(placed: Placed<Row>[]): Placed<Row>[] {
  return placed.sort((left, right) =>
    left.sale_date === right.sale_date
      ? right.arrival - left.arrival
      : left.sale_date < right.sale_date
        ? 1
        : -1,
  );
}

function affiliateTransactionOf(row: AffiliateRow): Placed<AffiliateTransaction> {
  return {
    sale_date: row[0],
    arrival: row[1],
    transaction: {
      transaction_id: row[2],
      sale_date: row[0],
      product_name: row[3],
      vendor_name: row[4],
      amount: row[5],
      status: row[6],
      commission: row[7],
      affiliate_commission_status: row[8],
    },
  };
}
