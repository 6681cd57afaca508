/** Chooses the kept sums from which figures are read. */
import type { TrackedField } from '../../../ledger/sums/kept-sums.model.js';
import type { MoneySum } from '../../../ledger/sums/report-sums.js';
import { kindsOf, SUM_PARTS } from '../../../ledger/sums/sum-parts.js';
import { hasValue, trackedOccasionsOf } from '../../../ledger/sums/tracking-sums.js';
import { isTrackedField, isValueField, type FigureScope } from '../figures/figure.model.js';
import type { FigureRow } from '../figures/figure-row.model.js';
import { calendarIntervals, type Intervals } from '../figures/intervals.js';
import type { DayRange } from '../report.model.js';
import { TRACKED_PARTS } from '../tracking/tracking-report.model.js';
import type { WaitingSale } from '../tracking/tracking-report.repository.js';
import type { FigureColumns } from './figures.repository.js';
import { keptSources, type KeptSource } from './kept-sources.js';

/** The sums of money that are read, and whether pending transactions count. */
export interface FigureNeeds {
  readonly money: readonly MoneySum[];
  readonly hasPending: boolean;
}

/** A range with its intervals. */
export interface FigureSpan {
  readonly range: DayRange;
  readonly intervals: Intervals;
}

const SUMS_BY_TRACKED_FIELD: readonly MoneySum[] = ['amount', 'earnings'];
/** Everything that the kept sums by tracked field have. */
export const KEPT_BY_TRACKING: FigureNeeds = { money: SUMS_BY_TRACKED_FIELD, hasPending: false };

/** Returns true if the kept sums by tracked field have everything that is needed. */
export function isKeptByTracking({ money, hasPending }: FigureNeeds): boolean {
  return !hasPending && money.every((sum) => SUMS_BY_TRACKED_FIELD.includes(sum));
}

/** Returns true if figures of this scope may have to read the sales themselves. */
export function mayReadSales(scope: FigureScope, needs: FigureNeeds): boolean {
  const { group, filter } = scope;
  if (filter.tracked !== undefined) return true;
  if (isValueField(group)) return trackedFieldOf(scope) === null || !isKeptByTracking(needs);
  const day = { start_date: '1000-01-01', end_date: '1000-03-03' };
  const span = { range: day, intervals: calendarIntervals(day, null) };
  const scopes = group === 'affiliate' ? [scope, { ...scope, group: null }] : [scope];
  return scopes.some((each) => servingSources(each, span, needs) === null);
}

/** Returns the field by whose kept sums a scope could be read; null if there is none. */
export function trackedFieldOf({ group, filter }: FigureScope): TrackedField | null {
  const { tracked, product_id, affiliate_id } = filter;
  if (tracked !== undefined) {
    return group === null || group === tracked.field ? tracked.field : null;
  }
  if (product_id !== undefined || affiliate_id !== undefined) return null;
  return isTrackedField(group) ? group : null;
}

/** Returns the kept sums that have these figures; null if some are not kept. */
export function servingSources(
  scope: FigureScope,
  { range, intervals }: FigureSpan,
  { money }: FigureNeeds,
): KeptSource[] | null {
  const sources = keptSources(scope, range, intervals.bucket);
  const isServed = sources?.every(({ columns }) =>
    money.every((sum) => columns[sum] !== undefined),
  );
  return isServed === true ? sources : null;
}

/**
 * Returns the kept sums that have these figures.
 * @throws Error if there are none
 */
export function keptOf(scope: FigureScope, span: FigureSpan, needs: FigureNeeds): KeptSource[] {
  const sources = servingSources(scope, span, needs);
  if (sources === null) throw new Error('There are no kept sums of these figures.');
  return sources;
}

/** Returns what is read from the sums. */
export function columnsOf(
  attribution: FigureScope['attribution'],
  { bucket }: Intervals,
  { money, hasPending }: FigureNeeds,
): FigureColumns {
  const parts = SUM_PARTS.filter((part) => hasPending || part !== 'pending');
  return { kinds: kindsOf(parts, attribution), money, bucket };
}

/** Returns the sums of sales that are not in the kept sums yet; the group is the value. */
export function waitingRows(
  sales: readonly WaitingSale[],
  { attribution }: FigureScope,
  { range }: FigureSpan,
): FigureRow[] {
  const kinds = new Set(kindsOf(TRACKED_PARTS, attribution));
  return sales.flatMap((sale) => {
    const { value } = sale;
    if (!hasValue(value)) return [];
    return trackedOccasionsOf(sale)
      .filter(
        ({ kind, day }) => kinds.has(kind) && day >= range.start_date && day <= range.end_date,
      )
      .map(({ kind, day, amount, earnings }) => ({
        item: value,
        bucket: day,
        kind,
        transactions: 1,
        amount,
        earnings,
      }));
  });
}
