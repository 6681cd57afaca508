import type { SumKind } from '../../../ledger/sums/kept-sums.model.js';
import type { Attribution, DayRange, Viewer } from '../report.model.js';
import {
  kindsOf,
  PART_OF,
  SUM_PARTS,
  type PartSums,
  type Dimension,
  type SalesFilter,
} from './report-sums.model.js';
import { daysOf, monthsOf, monthSpans } from './spans.js';
import type { SqlValue } from '../../../platform/database/database.js';
import type { SumSeries } from '../../../ledger/sums/report-sums.js';

/** A row of sums. Money is text, because a JavaScript number may not hold a sum exactly. */
export interface SumsRow {
  readonly kind: SumKind;
  readonly transactions: number;
  readonly amount: string;
  readonly earnings: string;
  readonly commissions: string;
  readonly fees: string;
}

/** Returns a SELECT of sums; the caller adds further conditions and GROUP BY. */
export function summed(
  key: string,
  { table, where, values, earnings, commissions, fees }: SumsSource,
  { start_date, end_date }: DayRange,
  attribution: Attribution,
) {
  const kinds = kindsOf(SUM_PARTS, attribution);
  const text = (sum: string) => `CAST(SUM(${sum}) AS CHAR)`;
  const sql = `SELECT ${key}, kind, CAST(SUM(transactions) AS SIGNED) AS transactions,
      ${text('amount')} AS amount, ${text(earnings)} AS earnings,
      ${text(commissions)} AS commissions, ${text(fees)} AS fees
    FROM ${table} WHERE ${where} AND kind IN (${listed(kinds)}) AND day BETWEEN ? AND ?`;
  return { sql, values: [...values, start_date, end_date] };
}

export function listed(kinds: readonly SumKind[]): string {
  return kinds.map((kind) => `'${kind}'`).join(', ');
}

export function partSums(row: SumsRow, sign: 1 | -1): PartSums {
  return {
    part: PART_OF[row.kind],
    transactions: sign * row.transactions,
    amount: signed(row.amount, sign),
    earnings: signed(row.earnings, sign),
    commissions: signed(row.commissions, sign),
    fees: signed(row.fees, sign),
  };
}

/** Returns a kept sum with the sign with which it is added up. */
export function signed(text: string, sign: 1 | -1): bigint {
  return sign === 1 ? BigInt(text) : -BigInt(text);
}

/** Describes rows of kept sums: a table, a condition and the columns of the sums. */
export interface SumsSource {
  readonly table: string;
  /** Condition without kind and day, which are added later. */
  readonly where: string;
  readonly values: readonly SqlValue[];
  /** Column with the id of the product, affiliate or vendor. */
  readonly item: string;
  /** Columns of the sums; `0` for sums that an affiliate may not see. */
  readonly earnings: string;
  readonly commissions: string;
  readonly fees: string;
}

/** A part of a range that is added or subtracted. */
interface SignedRange {
  readonly range: DayRange;
  /** Every day on which the range can have rows; null if the days are not listed. */
  readonly days: readonly string[] | null;
  readonly sign: 1 | -1;
}

/** Returns the source of the viewer's sums by day, of all sales or of the filtered ones. */
export function daysSource({ role, user_id }: Viewer, filter: SalesFilter = {}): SumsSource {
  const { product_id, affiliate_id } = filter;
  if (role === 'affiliate') {
    return affiliateDays(role, 'product_id', { ...filter, affiliate_id: user_id });
  }
  if (affiliate_id !== undefined) {
    return affiliateDays(role, 'affiliate_id', { ...filter, vendor_id: user_id });
  }
  if (product_id === undefined) return seriesOf(user_id, 'total');
  const product = seriesOf(user_id, 'product');
  return {
    ...product,
    where: `${product.where} AND item_id = ?`,
    values: [...product.values, product_id],
  };
}

/**
 * Returns the sources of the viewer's sums by item: for a vendor by month, and by day at the ends
 * of the range.
 */
export function itemSources(
  { role, user_id }: Viewer,
  range: DayRange,
  by: Dimension,
): (SumsSource & SignedRange)[] {
  if (role === 'affiliate') {
    const item = by === 'vendor' ? 'vendor_id' : 'product_id';
    const source = affiliateDays(role, item, { affiliate_id: user_id });
    return [{ ...source, range, days: null, sign: 1 }];
  }
  const { months, days } = monthSpans(range);
  const dayByDay =
    by === 'product'
      ? seriesOf(user_id, 'product')
      : affiliateDays(role, 'affiliate_id', { vendor_id: user_id });
  const ofDays = days.map(({ sign, ...dayRange }) => ({
    ...dayByDay,
    range: dayRange,
    sign,
    days: daysOf(dayRange),
  }));
  if (months === null) return ofDays;
  const monthByMonth = seriesOf(user_id, by === 'product' ? 'product_month' : 'affiliate_month');
  return [{ ...monthByMonth, range: months, days: monthsOf(months), sign: 1 }, ...ofDays];
}

export function seriesOf(vendor_id: number, series: SumSeries): SumsSource {
  return {
    table: 'vendor_sums',
    where: `vendor_id = ? AND series = '${series}'`,
    values: [vendor_id],
    item: 'item_id',
    earnings: 'earnings',
    commissions: 'commissions',
    fees: 'fees',
  };
}

const BY_AFFILIATE = ' /*! FORCE INDEX (affiliate_day_sums_by_affiliate) */';
const FILTERS = ['vendor_id', 'affiliate_id', 'product_id'] as const;

export function affiliateDays(
  role: Viewer['role'],
  item: (typeof FILTERS)[number],
  filter: SalesFilter,
): SumsSource {
  const used = FILTERS.filter((column) => filter[column] !== undefined);
  // The `+` keeps SQLite from using the key of all affiliates of a vendor, and the comment MariaDB
  // and MySQL.
  const isOfOne = filter.affiliate_id !== undefined;
  return {
    table: `affiliate_day_sums${isOfOne ? BY_AFFILIATE : ''}`,
    where: used
      .map((column) => `${isOfOne && column === 'vendor_id' ? '+' : ''}${column} = ?`)
      .join(' AND '),
    values: used.map((column) => filter[column] ?? null),
    item,
    earnings: role === 'vendor' ? 'earnings' : '0',
    commissions: 'commission',
    fees: role === 'vendor' ? 'fees' : '0',
  };
}
