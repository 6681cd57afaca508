import type { SqlValue } from '../../../database/database.js';
import type { SumSeries } from '../../transactions/sums/report-sums.js';
import type { DayRange, Viewer } from '../report.model.js';
import type { Dimension, SalesFilter } from './report-sums.model.js';
import { daysOf, monthSpans, monthsOf } from './spans.js';

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

function seriesOf(vendor_id: number, series: SumSeries): SumsSource {
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

const FILTERS = ['vendor_id', 'affiliate_id', 'product_id'] as const;

function affiliateDays(
  role: Viewer['role'],
  item: (typeof FILTERS)[number],
  filter: SalesFilter,
): SumsSource {
  const used = FILTERS.filter((column) => filter[column] !== undefined);
  // The `+` keeps SQLite from using the key of all affiliates of a vendor; MariaDB and MySQL ignore
  // it.
  const isOfOne = filter.affiliate_id !== undefined;
  return {
    table: 'affiliate_day_sums',
    where: used
      .map((column) => `${isOfOne && column === 'vendor_id' ? '+' : ''}${column} = ?`)
      .join(' AND '),
    values: used.map((column) => filter[column] ?? null),
    item,
    earnings: role === 'vendor' ? 'earnings' : '0',
    commissions: 'commission',
    fees: '0',
  };
}
