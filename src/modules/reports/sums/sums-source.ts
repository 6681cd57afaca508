import type { SqlValue } from '../../../database/database.js';
import { daysOf, monthsOf, monthSpans } from './month-spans.js';
import type { SumSeries } from '../../transactions/rollups/kept-sums.model.js';
import type { DayRange, Dimension, SalesFilter, Viewer } from './report-sums.model.js';

/** Rows of kept sums that are added up, or taken away: a table, its condition and its columns. */
export interface SumsSource {
  readonly table: string;
  /** Up to the conditions on kind and day, which follow. */
  readonly where: string;
  readonly values: readonly SqlValue[];
  readonly range: DayRange;
  /** Each day under which rows of the range may stand; null where those are not told. */
  readonly days: readonly string[] | null;
  readonly sign: 1 | -1;
  /** The column that holds the item. */
  readonly item: string;
  /** What each sum is read from; nothing of the vendor's is read for an affiliate. */
  readonly earnings: string;
  readonly commissions: string;
  readonly fees: string;
}

type Part = Pick<SumsSource, 'range' | 'days' | 'sign'>;

/** The days of all that the viewer sold, or of a part of it. */
export function daysSource(viewer: Viewer, range: DayRange, filter: SalesFilter): SumsSource {
  const { product_id, affiliate_id, vendor_id } = filter;
  const part: Part = { range, days: null, sign: 1 };
  if (viewer.role === 'affiliate') {
    const { user_id } = viewer;
    return affiliateDays(viewer, 'product_id', part, {
      vendor_id,
      affiliate_id: user_id,
      product_id,
    });
  }
  if (affiliate_id !== undefined) {
    return affiliateDays(viewer, 'affiliate_id', part, {
      vendor_id: viewer.user_id,
      affiliate_id,
      product_id,
    });
  }
  if (product_id === undefined) return seriesOf(viewer.user_id, 'total', part);
  const product = seriesOf(viewer.user_id, 'product', part);
  return {
    ...product,
    where: `${product.where} AND item_id = ?`,
    values: [...product.values, product_id],
  };
}

/** The sums by product, affiliate or vendor: of a vendor's months, and of the days at the ends. */
export function itemSources(viewer: Viewer, range: DayRange, by: Dimension): SumsSource[] {
  const { role, user_id } = viewer;
  if (role === 'affiliate') {
    const item = by === 'vendor' ? 'vendor_id' : 'product_id';
    return [affiliateDays(viewer, item, { range, days: null, sign: 1 }, { affiliate_id: user_id })];
  }
  const { months, days } = monthSpans(range);
  const series = by === 'product' ? 'product_month' : 'affiliate_month';
  const ofDays = days.map(({ sign, ...dayRange }) => {
    const part: Part = { range: dayRange, days: daysOf(dayRange), sign };
    return by === 'product'
      ? seriesOf(user_id, 'product', part)
      : affiliateDays(viewer, 'affiliate_id', part, { vendor_id: user_id });
  });
  if (months === null) return ofDays;
  const part: Part = { range: months, days: monthsOf(months), sign: 1 };
  return [seriesOf(user_id, series, part), ...ofDays];
}

function seriesOf(vendor_id: number, series: SumSeries, part: Part): SumsSource {
  return {
    ...part,
    table: 'vendor_sums',
    where: `vendor_id = ? AND series = '${series}'`,
    values: [vendor_id],
    item: 'item_id',
    earnings: 'earnings',
    commissions: 'commissions',
    fees: 'fees',
  };
}

function affiliateDays(
  viewer: Viewer,
  item: 'affiliate_id' | 'product_id' | 'vendor_id',
  part: Part,
  filter: { readonly [Column in keyof SalesFilter]: number | undefined },
): SumsSource {
  const columns = (['vendor_id', 'affiliate_id', 'product_id'] as const).flatMap((column) => {
    const value = filter[column];
    return value === undefined ? [] : [{ column, value }];
  });
  return {
    ...part,
    table: 'affiliate_day_sums',
    where: columns.map(({ column }) => `${column} = ?`).join(' AND '),
    values: columns.map(({ value }) => value),
    item,
    earnings: viewer.role === 'vendor' ? 'earnings' : '0',
    commissions: 'commission',
    fees: '0',
  };
}
