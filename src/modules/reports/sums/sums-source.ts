import { daysAfter, daysBetween, endOfMonth, monthOf } from '../../../common/time.js';
import type { SqlValue } from '../../../database/database.js';
import type { SumSeries } from '../../transactions/sums/report-sums.js';
import type { DayRange, Viewer } from '../report.model.js';
import type { Dimension, SalesFilter } from './report-sums.model.js';

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

/** A range of days or months that is added or subtracted. */
export interface SignedDays extends DayRange {
  readonly sign: 1 | -1;
}

export interface MonthSpans {
  /** First days of the first and the last whole month, or null if none is read. */
  readonly months: DayRange | null;
  readonly days: readonly SignedDays[];
}

/**
 * Splits a range into whole months and the days at its ends. If the range holds most days of a
 * month, the whole month is read and the other days are subtracted, so at most half a month is read
 * by day at either end.
 */
export function monthSpans({ start_date, end_date }: DayRange): MonthSpans {
  const [first, last] = [monthOf(start_date), monthOf(end_date)];
  if (first === last) return withinMonth(start_date, end_date);
  const begin = daysFrom(start_date);
  const end = daysUpTo(end_date);
  const from = begin.wholeMonth ? first : daysAfter(endOfMonth(first), 1);
  const to = end.wholeMonth ? last : monthOf(daysAfter(last, -1));
  const months = from <= to ? { start_date: from, end_date: to } : null;
  return { months, days: [...begin.days, ...end.days] };
}

/** Returns every day of a range. */
export function daysOf(range: DayRange): string[] {
  return Array.from({ length: lengthOf(range) }, (_, index) => daysAfter(range.start_date, index));
}

/**
 * Returns the first day of every month from `start_date` to `end_date`, which are first days of
 * months.
 */
export function monthsOf({ start_date, end_date }: DayRange): string[] {
  const months = [start_date];
  for (let last = start_date; last < end_date; months.push(last)) {
    last = daysAfter(endOfMonth(last), 1);
  }
  return months;
}

interface End {
  readonly wholeMonth: boolean;
  readonly days: readonly SignedDays[];
}

function daysFrom(start_date: string): End {
  const first = monthOf(start_date);
  if (start_date === first) return { wholeMonth: true, days: [] };
  const wanted = { start_date, end_date: endOfMonth(first) };
  return shorter(wanted, { start_date: first, end_date: daysAfter(start_date, -1) });
}

function daysUpTo(end_date: string): End {
  const last = endOfMonth(end_date);
  if (end_date === last) return { wholeMonth: true, days: [] };
  const wanted = { start_date: monthOf(end_date), end_date };
  return shorter(wanted, { start_date: daysAfter(end_date, 1), end_date: last });
}

function shorter(wanted: DayRange, others: DayRange): End {
  return lengthOf(wanted) <= lengthOf(others)
    ? { wholeMonth: false, days: [{ ...wanted, sign: 1 }] }
    : { wholeMonth: true, days: [{ ...others, sign: -1 }] };
}

function withinMonth(start_date: string, end_date: string): MonthSpans {
  const month = monthOf(start_date);
  const begin = daysFrom(start_date);
  const end = daysUpTo(end_date);
  if (begin.wholeMonth && end.wholeMonth) {
    return { months: { start_date: month, end_date: month }, days: [...begin.days, ...end.days] };
  }
  return { months: null, days: [{ start_date, end_date, sign: 1 }] };
}

function lengthOf({ start_date, end_date }: DayRange): number {
  return 1 + daysBetween(start_date, end_date);
}
