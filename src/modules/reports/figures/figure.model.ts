import { TRACKED_FIELDS, type TrackedField } from '../../../ledger/sums/kept-sums.model.js';
import type { Attribution, Comparison, DayRange, Viewer } from '../report.model.js';
import type { FigureFilter } from './figure-filter.model.js';
import type { GroupKey } from './figure-row.model.js';
import type { Counts, FigureValues, MeasureName } from './measures.js';

export type { FigureFilter };

/** Tracking fields without kept sums. Figures by their values are read from the sales. */
export const READ_FIELDS = ['utm_medium', 'utm_content', 'utm_term'] as const;
/** Tracking fields by whose values figures can be grouped. */
export const VALUE_FIELDS = [...TRACKED_FIELDS, ...READ_FIELDS] as const;
export type ValueField = (typeof VALUE_FIELDS)[number];

export function isValueField(group: string | null): group is ValueField {
  return VALUE_FIELDS.some((field) => field === group);
}

/** Properties of a sale by which a request can group figures. */
export const FIGURE_GROUPS = ['product', 'affiliate', ...VALUE_FIELDS] as const;
export type FigureGroup = (typeof FIGURE_GROUPS)[number];

/** Properties of a sale that have a name and an id. Only an affiliate's sales have several vendors. */
export type ItemGroup = 'product' | 'affiliate' | 'vendor';

export function isTrackedField(group: string | null): group is TrackedField {
  return TRACKED_FIELDS.some((field) => field === group);
}

/** Steps of intervals; weeks begin on Monday. */
export const INTERVALS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

/** The sales that figures cover, and how they are grouped. */
export interface FigureScope {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly group: FigureGroup | ItemGroup | null;
  readonly filter: FigureFilter;
}

export interface FigureRequest extends FigureScope {
  readonly group: FigureGroup | null;
  readonly measures: readonly MeasureName[];
  readonly interval: Interval | null;
  readonly comparison: Comparison;
  /** Null for all days with a transaction. */
  readonly range: DayRange | null;
  /** Current day in UTC. */
  readonly today: string;
}

/** An interval; `isPartial` if the range cuts it. */
export interface FigureInterval extends DayRange {
  readonly isPartial: boolean;
}

/** The counts of one group by interval, from which its figures follow. */
export interface GroupFigures {
  /** Null if the figures are not grouped. */
  readonly key: GroupKey;
  /** Name of a product or an affiliate. */
  readonly name: string | null;
  readonly counts: readonly Readonly<Counts>[];
  /** Null if nothing is compared; shorter than `counts` if no days correspond to the last intervals. */
  readonly compared: readonly Readonly<Counts>[] | null;
}

/** Figures with an item for each group and interval. */
export interface FigureAnswer {
  readonly groups: readonly GroupFigures[];
  /** Intervals of each group; a single null if the range is not split. */
  readonly intervals: readonly (FigureInterval | null)[];
  readonly totals: FigureValues;
  readonly range: DayRange;
  readonly comparedRange: DayRange | null;
  readonly comparedTotals: FigureValues | null;
  /** Figures of tracked values that have no group of their own; null if there are none. */
  readonly leftOut: FigureValues | null;
  /** Cursor and revision of the ledger's state; null for sales in the ledgers of others. */
  readonly state: LedgerState | null;
}

export function numberOfItems({ groups, intervals }: FigureAnswer): number {
  return groups.length * intervals.length;
}

export interface LedgerState {
  readonly cursor: number;
  readonly revision: number;
}

/**
 * Returns a number that grows with every write that figures depend on. The revision grows with the
 * transactions and the users whom they show; the cursor grows with the products and the recurring
 * payments as well, but not with users.
 */
export function stateNumber({ cursor, revision }: LedgerState): number {
  return cursor + revision;
}
