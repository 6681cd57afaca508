import { Injectable } from '@nestjs/common';
import { SEEN_AFFILIATE, SEEN_PAGE_NAME } from '../../../ledger/reads/seen-user.model.js';
import { byListOrder, isRowOf, SELECTED } from '../../../ledger/reads/transaction-row.model.js';
import type {
  LedgerPosition,
  Transaction,
  TransactionStatus,
} from '../../../ledger/reads/transaction.model.js';
import { IS_REFUND, type SumKind } from '../../../ledger/sums/kept-sums.model.js';
import { padded } from '../../../platform/database/bulk.js';
import { Database, type Reader, type SqlValue } from '../../../platform/database/database.js';
import { columnsOf } from '../../../platform/database/named-rows.js';
import { daysAfter, endOfDay, startOfDay } from '../../../platform/values/time.js';
import {
  areSmall,
  type IfSmall,
  joinedIfSmall,
  SIZED,
  type SizedRow,
  smallOf,
} from '../../../ledger/reads/row-sizes.model.js';
import type { DayRange, Viewer } from '../report.model.js';
import { kindsOf, type SalesFilter } from '../sums/report-sums.model.js';
import {
  AFFILIATE_LIST_COLUMNS,
  type AffiliateTransaction,
  type ReportCriteria,
  type ReportCursor,
  type RowFilter,
  VENDOR_LIST_COLUMNS,
  type VendorTransaction,
} from './report-list.model.js';

/** A range of an index that contains rows of a list, and the condition for those rows. */
interface IndexRange {
  /** `refunded_sale_date` is the sale date of refunded transactions only. */
  readonly column: 'sale_date' | 'refunded_sale_date';
  /** Days on which the sales were made. */
  readonly range: DayRange;
  readonly condition: string;
  readonly values: readonly SqlValue[];
  /** Kinds of kept sums that show which days have rows; null if nearly every row matches. */
  readonly kinds: readonly SumKind[] | null;
}

/** A day before every possible transaction. */
const FIRST_DAY = '1000-01-01';
const RETURNS = {
  refunds: {
    all: IS_REFUND,
    dated: "status IN ('refunded', 'completed')",
    undated: "status = 'refunded' AND refund_date IS NULL",
    undatedKinds: ['undated_refund'],
  },
  chargebacks: {
    all: "status = 'charged_back'",
    dated: "status = 'charged_back'",
    undated: "status = 'charged_back' AND refund_date IS NULL",
    undatedKinds: ['undated_chargeback'],
  },
} as const;

/** Kinds of kept sums whose days of sale can have transactions of a status. */
const KINDS_OF_STATUS: Readonly<Partial<Record<TransactionStatus, readonly SumKind[]>>> = {
  pending: ['pending'],
  refunded: kindsOf(['refunds'], 'sale'),
  charged_back: kindsOf(['chargebacks'], 'sale'),
};

/** Returns the disjoint index ranges with the transactions of a list. */
export function indexRangesOf(criteria: ReportCriteria): IndexRange[] {
  const { kind, attribution } = criteria;
  switch (kind) {
    case 'all': {
      const sold = soldOn(criteria, '1 = 1', kindsFor(criteria, ['sale', 'pending']));
      return attribution === 'sale' ? [sold] : [sold, refundedOn(criteria, 'of earlier sales')];
    }
    case 'sales':
      return [soldOn(criteria, "status <> 'pending'", kindsFor(criteria, ['sale']))];
    case 'pending':
      return [soldOn(criteria, "status = 'pending'", ['pending'])];
    case 'refunds':
    case 'chargebacks': {
      const { all, dated, undated, undatedKinds } = RETURNS[kind];
      if (attribution === 'sale') return [soldOn(criteria, all, kindsOf([kind], attribution))];
      return [refundedOn(criteria, 'of all sales', dated), soldOn(criteria, undated, undatedKinds)];
    }
  }
}

/** @param all the kinds of kept sums that cover all sales of the list */
function kindsFor({ filter, rows }: ReportCriteria, all: readonly SumKind[]): IndexRange['kinds'] {
  const ofStatus = rows.status === undefined ? undefined : KINDS_OF_STATUS[rows.status];
  return ofStatus ?? (Object.keys(filter).length > 0 ? all : null);
}

/** Merges consecutive days into ranges. */
export function rangesOf(days: readonly string[]): DayRange[] {
  const ranges: { start_date: string; end_date: string }[] = [];
  for (const day of [...days].sort()) {
    const last = ranges.at(-1);
    if (last !== undefined && daysAfter(last.end_date, 1) === day) last.end_date = day;
    else ranges.push({ start_date: day, end_date: day });
  }
  return ranges;
}

function soldOn(
  { start_date, end_date }: DayRange,
  condition: string,
  kinds: IndexRange['kinds'],
): IndexRange {
  const range = { start_date, end_date };
  return { column: 'sale_date', range, condition, values: [], kinds };
}

function refundedOn(
  { viewer, start_date, end_date }: ReportCriteria,
  sales: 'of earlier sales' | 'of all sales',
  status = '1 = 1',
): IndexRange {
  const lastSale = sales === 'of all sales' ? end_date : daysAfter(start_date, -1);
  return {
    // No index has an affiliate's refunds, since an affiliate has few sales compared with a vendor.
    column: viewer.role === 'vendor' ? 'refunded_sale_date' : 'sale_date',
    range: { start_date: FIRST_DAY, end_date: lastSale },
    condition: `refund_date BETWEEN ? AND ? AND ${status}`,
    values: [startOfDay(start_date), endOfDay(end_date)],
    kinds: null,
  };
}

/** An index range with the days that a page needs. */
export interface IndexRangeOfDays extends Omit<IndexRange, 'range' | 'kinds'> {
  readonly days: readonly DayRange[];
}

/** Selects the transactions of index ranges after or before a cursor. */
interface RangeKeys {
  readonly viewer: Viewer;
  /** Holds at least one range. */
  readonly ranges: readonly IndexRangeOfDays[];
  readonly cursor: ReportCursor | null;
}

export interface PageKeys extends RangeKeys {
  readonly filter: SalesFilter;
  readonly rows: RowFilter;
  /** Last position that is read, or null for all. */
  readonly until: LedgerPosition | null;
  readonly take: number;
}

/** SQL columns of an `AffiliateTransaction`, with the transaction as `t` and its vendor as `v`. */
export const AFFILIATE_SELECTED = `${columnsOf('t', AFFILIATE_LIST_COLUMNS)}, v.name AS vendor_name,
    t.affiliate_payout + COALESCE(t.affiliate_refund_impact, 0) AS commission`;

/** SQL columns of a `VendorTransaction`, with the transaction as `t` and its affiliate joined. */
const VENDOR_SELECTED = `${columnsOf('t', VENDOR_LIST_COLUMNS)}, ${SEEN_PAGE_NAME} AS affiliate_name`;

/** Allowed numbers of day ranges in a statement: few, so that each prepared statement is reused. */
const RANGES = [1, 8, 64, 1024] as const;
/** An empty range that fills up the ranges of a statement. */
const NO_RANGE = [endOfDay('9999-12-31'), startOfDay('1000-01-01')] as const;
const FILTERS = [
  ['product_id', 'product_id = ?'],
  ['affiliate_id', 'affiliate_id = ?'],
  ['vendor_id', 'vendor_id = ?'],
] as const satisfies readonly (readonly [keyof SalesFilter, string])[];
const OWNERS = { vendor: 'vendor_id', affiliate: 'affiliate_id' } as const;
const ROW_CONDITIONS = [
  ['status', 'status = ?'],
  ['least_amount', 'amount >= ?'],
  ['most_amount', 'amount <= ?'],
  ['tid', 'tid = ?'],
] as const satisfies readonly (readonly [keyof RowFilter, string])[];

/**
 * Reads the transactions behind the figures of a report with hand-written SQL, a page at a time,
 * newest sale first. A download can have a million transactions, so they are never all in memory.
 */
@Injectable()
export class ReportListsRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns the position of the transaction that follows `skip` others of the ranges, whether they
   * match or not, or null if there are no more. Reads only the index.
   */
  async positionAfter(
    reader: Reader,
    keys: RangeKeys,
    skip: number,
  ): Promise<LedgerPosition | null> {
    const ranges = keys.ranges.map((range) => ({ ...range, condition: '1 = 1', values: [] }));
    const all = { ...keys, ranges, filter: {}, rows: {}, until: null, take: 1 };
    const { sql, values } = this.keysOf(all, skip);
    const [row = null] = await reader.select<LedgerPosition>(sql, values);
    return row;
  }

  pageOfVendor(reader: Reader, page: PageKeys): Promise<VendorTransaction[]> {
    return this.pageOf(reader, page, VENDOR_SELECTED, SEEN_AFFILIATE);
  }

  pageOfAffiliate(reader: Reader, page: PageKeys): Promise<AffiliateTransaction[]> {
    return this.pageOf(reader, page, AFFILIATE_SELECTED, 'JOIN users v ON v.id = t.vendor_id');
  }

  /**
   * Reads the rows with all columns. If one of them is large, it reads only the rows' keys and
   * sizes.
   */
  async wholePageOfVendor(reader: Reader, page: PageKeys): Promise<(Transaction | SizedRow)[]> {
    const { sql, values: ofKeys } = this.keysOf(page);
    const values = [page.viewer.user_id, ...ofKeys];
    const rows = await reader.select<IfSmall<Transaction>>(
      `SELECT ${SELECTED} FROM (${sql}) page ${joinedIfSmall('page')} ${SEEN_AFFILIATE}`,
      [...values, smallOf(page.take)],
    );
    if (areSmall(rows)) return rows.sort(byListOrder);
    const sized = await reader.select<SizedRow>(
      `SELECT ${SIZED} FROM (${sql}) page CROSS JOIN transactions t ON ${isRowOf('page')}`,
      values,
    );
    return sized.sort(byListOrder);
  }

  private async pageOf<Row extends LedgerPosition>(
    reader: Reader,
    page: PageKeys,
    selected: string,
    joined: string,
  ): Promise<Row[]> {
    const { sql, values } = this.keysOf(page);
    const rows = await reader.select<Row>(
      `SELECT ${selected}
        FROM (${sql}) page
        CROSS JOIN transactions t ON ${isRowOf('page')}
        ${joined}`,
      values,
    );
    // A join guarantees no order.
    return rows.sort(byListOrder);
  }

  /**
   * Returns the statement for the keys of a page: it reads the first rows of each range, and keeps
   * the first rows of their union.
   */
  private keysOf(
    { viewer, filter, rows, ranges, cursor, until, take }: PageKeys,
    skip = 0,
  ): { sql: string; values: SqlValue[] } {
    const order = orderOf(cursor);
    const isDescending = order === 'DESC';
    const filters = conditionOf(FILTERS, filter);
    const wanted = conditionOf(ROW_CONDITIONS, rows);
    const values: SqlValue[] = [];
    const parts = ranges.map((range) => {
      const { column, condition } = range;
      const bounds = boundsOf(range, cursor, until);
      const { before, where } = this.database.dialect.inRanges(column, bounds);
      const beyond = inSecondOf(column, cursor?.position ?? null, isDescending ? '<' : '>', '');
      const upTo = inSecondOf(column, until, isDescending ? '>' : '<', '=');
      values.push(...before.values, viewer.user_id, ...where.values, ...range.values);
      values.push(...filters.values, ...wanted.values, ...beyond.values, ...upTo.values);
      // A single range skips rows itself. Each of several ranges returns all rows that may come
      // first in their union, and the union skips rows.
      values.push(...(ranges.length === 1 ? [take, skip] : [take + skip, 0]));
      return `SELECT * FROM (SELECT vendor_id, arrival, ${column} AS sale_date FROM ${before.sql}transactions
      WHERE ${ownerIn(viewer, filter, column)} = ? AND ${where.sql} AND ${condition}${filters.sql}${wanted.sql}${beyond.sql}${upTo.sql}
      ORDER BY ${column} ${order}, vendor_id ${order}, arrival ${order} LIMIT ? OFFSET ?) ${column === 'sale_date' ? 'sold' : 'refunded'}`;
    });
    if (parts.length === 1) return { sql: parts.join(), values };
    const sql = `${parts.join(' UNION ALL ')}
    ORDER BY sale_date ${order}, vendor_id ${order}, arrival ${order} LIMIT ? OFFSET ?`;
    return { sql, values: [...values, take, skip] };
  }
}

/**
 * Returns the owner column. The `+` keeps SQLite from using the index of all of a vendor's sales if
 * an affiliate has few of them; MariaDB and MySQL ignore it and choose an index by their
 * statistics.
 */
function ownerIn({ role }: Viewer, { affiliate_id }: SalesFilter, column: IndexRange['column']) {
  const owner = OWNERS[role];
  return affiliate_id !== undefined && column === 'sale_date' ? `+${owner}` : owner;
}

/**
 * Returns the bounds of the day ranges; the first begins at the cursor, and the last ends at the
 * last position.
 */
function boundsOf(
  { days }: IndexRangeOfDays,
  cursor: ReportCursor | null,
  until: LedgerPosition | null,
): readonly (readonly [string, string])[] {
  const [begin, end] = [cursor?.position.sale_date, until?.sale_date];
  const [newest, oldest] = orderOf(cursor) === 'DESC' ? [begin, end] : [end, begin];
  const bounds = days.map(({ start_date, end_date }): [string, string] => {
    const [from, to] = [startOfDay(start_date), endOfDay(end_date)];
    return [
      oldest !== undefined && oldest > from ? oldest : from,
      newest !== undefined && newest < to ? newest : to,
    ];
  });
  return padded(bounds, RANGES).map((each, index) => (index < bounds.length ? each : NO_RANGE));
}

/**
 * Returns the condition that keeps, of the transactions in the second of a position, those on one
 * side of it by vendor and arrival. All other transactions are kept.
 */
function inSecondOf(
  column: string,
  position: LedgerPosition | null,
  comparison: '<' | '>',
  orEqual: '=' | '',
) {
  if (position === null) return { sql: '', values: [] };
  const { sale_date, vendor_id, arrival } = position;
  return {
    sql: ` AND (${column} <> ? OR vendor_id ${comparison} ? OR (vendor_id = ? AND arrival ${comparison}${orEqual} ?))`,
    values: [sale_date, vendor_id, vendor_id, arrival],
  };
}

function orderOf(cursor: ReportCursor | null): 'ASC' | 'DESC' {
  return cursor?.direction === 'before' ? 'ASC' : 'DESC';
}

/** Returns the conditions on those columns for which a value is given. */
function conditionOf<Name extends string>(
  conditions: readonly (readonly [Name, string])[],
  wanted: Readonly<Partial<Record<Name, SqlValue>>>,
) {
  const used = conditions.filter(([name]) => wanted[name] !== undefined);
  return {
    sql: used.map(([, condition]) => ` AND ${condition}`).join(''),
    values: used.map(([name]) => wanted[name] ?? null),
  };
}
