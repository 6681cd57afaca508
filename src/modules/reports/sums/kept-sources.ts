import type { MoneySum, SumSeries } from '../../../ledger/sums/report-sums.js';
import { monthSeriesOf, yearSeriesOf, TRACKING_SUMS } from '../../../ledger/sums/tracking-sums.js';
import type { TrackedField } from '../../../ledger/sums/kept-sums.model.js';
import { isOneOf } from '../../../platform/database/bulk.js';
import type { SqlValue } from '../../../platform/database/database.js';
import type { DayRange, Viewer } from '../report.model.js';
import type { FigureFilter, FigureScope } from '../figures/figure.model.js';
import type { Bucket } from '../figures/intervals.js';
import { daysOf, monthsOf, monthSpans, yearsOf, yearSpans, type SignedDays } from './spans.js';

/** Columns of a table of kept sums by the sum that they hold. */
type Columns = Readonly<Partial<Record<MoneySum, string>>>;

/** Rows of kept sums that are added, or subtracted if the sign is -1. */
export interface KeptSource {
  readonly table: string;
  /** Condition without kind and day, which are added later. */
  readonly where: string;
  readonly values: readonly SqlValue[];
  /** Column of the group; null if the rows are not grouped. */
  readonly group: string | null;
  readonly columns: Columns;
  /** Reads a few items by an index of their own; absent if their days are listed instead. */
  readonly ofFew?: Pick<KeptSource, 'table' | 'where'>;
  /**
   * True if one SELECT reads all kinds, because the index does not begin with the kind, or because
   * there are few rows.
   */
  readonly hasAllKinds?: true;
  /** The days of the rows are all days, or the first days of months or years. */
  readonly unit: Unit;
  readonly span: SignedDays;
  /** Every day on which the span can have rows; null if they are not listed. */
  readonly days: readonly string[] | null;
}

/** The periods of which kept sums have a row. */
type Unit = 'day' | 'month' | 'year';
type Base = Omit<KeptSource, 'span' | 'days' | 'unit'>;

/** Return the days of a range on which there can be rows. */
const DAYS_OF: Readonly<Record<Unit, (range: DayRange) => string[]>> = {
  day: daysOf,
  month: monthsOf,
  year: yearsOf,
};

/** With more days, the rows of a single item are read by range. */
const MAX_LISTED = 400;

const OF_ALL = {
  amount: 'amount',
  earnings: 'earnings',
  fees: 'fees',
  agent: 'agent',
  jv: 'jv',
  taxes: 'taxes',
} as const;
/** The commissions are those of all parties together. */
const OF_SERIES: Columns = { ...OF_ALL, affiliate: 'commissions - agent - jv' };
const OF_AFFILIATE_MONTHS: Columns = { ...OF_ALL, affiliate: 'commissions' };
const OF_AFFILIATE_DAYS: Columns = { ...OF_ALL, affiliate: 'commission' };
const OF_TRACKING: Columns = { amount: 'amount', earnings: 'earnings' };
const AMOUNT_AND_COMMISSION: Columns = { amount: 'amount', affiliate: 'commission' };

/**
 * Returns the kept sums that a scope is read from, except those by tracked field.
 * @returns null if there are none for this combination of group and filter
 */
export function keptSources(
  scope: FigureScope,
  range: DayRange,
  bucket: Bucket,
): KeptSource[] | null {
  const { viewer, group, filter } = scope;
  if (filter.tracked !== undefined) return null;
  if (viewer.role === 'affiliate') return ofReferrer(scope, range);
  const { product_id, affiliate_id } = filter;
  const vendor_id = viewer.user_id;
  const byDay = { bucket, range };
  if (group === 'product' || group === null) {
    if (affiliate_id === undefined) {
      if (group === null && product_id === undefined) {
        return spans(byDay, null, { ...seriesBase(vendor_id, 'total', null), hasAllKinds: true });
      }
      return ofProducts(vendor_id, group, product_id, byDay);
    }
    if (group === null && product_id === undefined) {
      return ofAffiliates(vendor_id, null, affiliate_id, byDay);
    }
    const column = group === null ? null : 'product_id';
    return spans(byDay, null, affiliateDays({ vendor_id, ...filter }, column));
  }
  if (group !== 'affiliate') return null;
  if (product_id === undefined) return ofAffiliates(vendor_id, 'item_id', affiliate_id, byDay);
  return spans(byDay, null, affiliateDays({ vendor_id, ...filter }, 'affiliate_id'));
}

/** Returns the kept sums by tracked field: those of each value, or of one. */
export function trackedSources(
  vendor_id: number,
  field: TrackedField,
  { range, bucket }: Spanned,
  value_id: number | null,
): KeptSource[] {
  const baseOf = (series: string): Base => ({
    table: TRACKING_SUMS.table,
    where: `vendor_id = ? AND series = ?${value_id === null ? '' : ' AND value_id = ?'}`,
    values: [vendor_id, series, ...(value_id === null ? [] : [value_id])],
    group: 'value_id',
    columns: OF_TRACKING,
  });
  const [byDay, byMonth] = [baseOf(field), baseOf(monthSeriesOf(field))];
  const listed = (sources: KeptSource[]) => (value_id === null ? sources : sources.map(withDays));
  if (bucket !== 'none') return listed(spans({ range, bucket }, byMonth, byDay));
  const { years, months, days } = yearSpans(range);
  const of = (base: Base, unit: Unit, span: SignedDays) => ({ ...base, unit, span, days: null });
  return listed([
    ...(years === null ? [] : [of(baseOf(yearSeriesOf(field)), 'year', { ...years, sign: 1 })]),
    ...months.map((span) => of(byMonth, 'month', span)),
    ...days.map((span) => of(byDay, 'day', span)),
  ]);
}

interface Spanned {
  readonly range: DayRange;
  readonly bucket: Bucket;
}

/**
 * Returns the rows of a range: whole months by month if there are such rows and the buckets are not
 * shorter, otherwise by day.
 */
function spans({ range, bucket }: Spanned, byMonth: Base | null, byDay: Base): KeptSource[] {
  const whole = { ...range, sign: 1 } as const;
  if (byMonth === null || bucket === 'day' || bucket === 'week') {
    return [{ ...byDay, unit: 'day', span: whole, days: null }];
  }
  const { months, days } = monthSpans(range);
  const ofDays = days.map((span) => ({ ...byDay, unit: 'day', span, days: null }) as const);
  if (months === null) return ofDays;
  return [{ ...byMonth, unit: 'month', span: { ...months, sign: 1 }, days: null }, ...ofDays];
}

/** Lists the days of a span, so that the index finds the rows of a few items. */
function withDays(source: KeptSource): KeptSource {
  const days = DAYS_OF[source.unit](source.span);
  return days.length > MAX_LISTED ? source : { ...source, days };
}

function ofProducts(
  vendor_id: number,
  group: 'product' | null,
  product_id: number | undefined,
  spanned: Spanned,
): KeptSource[] {
  const column = group === null ? null : 'item_id';
  const [byMonth, byDay] = [
    seriesBase(vendor_id, 'product_month', column, product_id),
    seriesBase(vendor_id, 'product', column, product_id),
  ];
  const sources = spans(spanned, byMonth, byDay);
  return product_id === undefined ? sources : sources.map(withDays);
}

function ofAffiliates(
  vendor_id: number,
  group: 'item_id' | null,
  affiliate_id: number | undefined,
  spanned: Spanned,
): KeptSource[] {
  const byMonth = {
    ...seriesBase(vendor_id, 'affiliate_month', group, affiliate_id),
    columns: OF_AFFILIATE_MONTHS,
  };
  const one = affiliate_id === undefined ? {} : { affiliate_id };
  const byDay = affiliateDays({ vendor_id, ...one }, group === null ? null : 'affiliate_id');
  const sources = spans(spanned, byMonth, byDay);
  if (affiliate_id === undefined) return sources;
  // The index by affiliate finds the days.
  return sources.map((source) => (source.unit === 'month' ? withDays(source) : source));
}

/** Returns the sums of what an affiliate referred. */
function ofReferrer({ viewer, group, filter }: FigureScope, range: DayRange): KeptSource[] {
  const column = group === null ? null : group === 'vendor' ? 'vendor_id' : 'product_id';
  const base = affiliateDays({ ...filter, affiliate_id: viewer.user_id }, column);
  const span = { ...range, sign: 1 } as const;
  return [{ ...base, columns: AMOUNT_AND_COMMISSION, unit: 'day', span, days: null }];
}

/** Returns the rows of every day with transactions of a viewer. */
export function allDays({ role, user_id }: Viewer): Pick<Base, 'table' | 'where' | 'values'> {
  return role === 'vendor'
    ? seriesBase(user_id, 'total', null)
    : affiliateDays({ affiliate_id: user_id }, null);
}

/** Returns a source whose rows are subtracted, or added if they were subtracted before. */
export function negated(source: KeptSource): KeptSource {
  return { ...source, span: { ...source.span, sign: source.span.sign === 1 ? -1 : 1 } };
}

/** Returns only the rows of these items, by which the source is grouped. */
export function ofItems(source: KeptSource, ids: readonly number[]): KeptSource {
  const { sql, values } = isOneOf(source.group ?? '', ids);
  const { table, where } = source.ofFew ?? source;
  const items = {
    ...source,
    table,
    where: `${where} AND ${sql}`,
    values: [...source.values, ...values],
    hasAllKinds: true,
  } as const;
  return source.hasAllKinds === true || source.ofFew !== undefined ? items : withDays(items);
}

function seriesBase(
  vendor_id: number,
  series: SumSeries,
  group: 'item_id' | null,
  item_id?: number,
): Base {
  const isOfOne = item_id !== undefined;
  return {
    table: 'vendor_sums',
    where: `vendor_id = ? AND series = '${series}'${isOfOne ? ' AND item_id = ?' : ''}`,
    values: isOfOne ? [vendor_id, item_id] : [vendor_id],
    group,
    columns: OF_SERIES,
  };
}

const BY_AFFILIATE = ' /*! FORCE INDEX (affiliate_day_sums_by_affiliate) */';
const BY_PRODUCT = ' /*! FORCE INDEX (affiliate_day_sums_by_product) */';
const FILTERS = ['vendor_id', 'affiliate_id', 'product_id'] as const;

function affiliateDays(
  filter: Pick<FigureFilter, (typeof FILTERS)[number]>,
  group: (typeof FILTERS)[number] | null,
): Base {
  const used = FILTERS.filter((column) => filter[column] !== undefined);
  const conditions = (vendor: string) =>
    used.map((column) => `${column === 'vendor_id' ? vendor : column} = ?`).join(' AND ');
  // The `+` keeps SQLite from using the key of all affiliates of a vendor, and the comment MariaDB
  // and MySQL.
  const byAffiliate = {
    table: `affiliate_day_sums${BY_AFFILIATE}`,
    where: conditions('+vendor_id'),
  };
  const values = used.map((column) => filter[column] ?? null);
  const base = { values, group, columns: OF_AFFILIATE_DAYS };
  if (filter.affiliate_id !== undefined) return { ...base, ...byAffiliate, hasAllKinds: true };
  const index = filter.product_id === undefined ? '' : BY_PRODUCT;
  const ofAll = { ...base, table: `affiliate_day_sums${index}`, where: conditions('vendor_id') };
  return group === 'affiliate_id' ? { ...ofAll, ofFew: byAffiliate } : ofAll;
}
