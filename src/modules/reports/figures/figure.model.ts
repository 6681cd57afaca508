import {
  TRACKED_FIELDS,
  type SumKind,
  type TrackedField,
} from '../../../ledger/sums/kept-sums.model.js';
import type { MoneySum } from '../../../ledger/sums/report-sums.js';
import type { Attribution, Comparison, DayRange, Viewer } from '../report.model.js';
import type { MeasureName } from './measures.js';

/** Properties of a sale by which figures can be grouped. */
export const FIGURE_GROUPS = ['product', 'affiliate', ...TRACKED_FIELDS] as const;
export type FigureGroup = (typeof FIGURE_GROUPS)[number];

export function isTrackedField(group: string | null): group is TrackedField {
  return TRACKED_FIELDS.some((field) => field === group);
}

/** Steps of intervals; weeks begin on Monday. */
export const INTERVALS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Selects sales. A tracked field is the only filter if it is there. */
export interface FigureFilter {
  readonly product_id?: number;
  readonly affiliate_id?: number;
  readonly tracked?: { readonly field: TrackedField; readonly value: string };
}

/** The sales that figures cover, and how they are grouped. */
export interface FigureScope {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly group: FigureGroup | null;
  readonly filter: FigureFilter;
}

export interface FigureRequest extends FigureScope {
  readonly measures: readonly MeasureName[];
  readonly interval: Interval | null;
  readonly comparison: Comparison;
  /** Null for all days with a transaction. */
  readonly range: DayRange | null;
  /** Current day in UTC. */
  readonly today: string;
}

/** The id of a product or an affiliate, the value of a tracked field, or null for sales without. */
export type GroupKey = number | string | null;

/** Sums of the transactions of one kind, in one group and one bucket of days. Money in cents. */
export interface FigureRow {
  readonly group: GroupKey;
  /** First day of the bucket; empty if there is a single bucket. */
  readonly bucket: string;
  readonly kind: SumKind;
  readonly transactions: number;
  readonly money: Readonly<Partial<Record<MoneySum, bigint>>>;
}

/** Clicks of one group in one bucket of days. */
export interface ClickRow extends Pick<FigureRow, 'group' | 'bucket'> {
  readonly clicks: number;
  readonly unique_clicks: number;
}

/** An interval; `isPartial` if the range cuts it. */
export interface FigureInterval extends DayRange {
  readonly isPartial: boolean;
}

export type FigureValues = Readonly<Partial<Record<MeasureName, bigint>>>;

/** The figures of one group in one interval. */
export interface FigureItem {
  /** Null if the figures are not grouped. */
  readonly group: { readonly key: GroupKey; readonly name: string | null } | null;
  /** Null if the range is not split. */
  readonly interval: FigureInterval | null;
  readonly values: FigureValues;
  /** Null if nothing is compared, or if no days correspond to the interval. */
  readonly compared: FigureValues | null;
}

export interface FigureAnswer {
  readonly items: readonly FigureItem[];
  readonly totals: FigureValues;
  readonly range: DayRange;
  readonly comparedRange: DayRange | null;
  readonly comparedTotals: FigureValues | null;
  /** Figures of tracked values that have no group of their own; null if there are none. */
  readonly leftOut: FigureValues | null;
  /** Cursor and revision of the ledger's state; null for sales in the ledgers of others. */
  readonly state: LedgerState | null;
}

export interface LedgerState {
  readonly cursor: number;
  readonly revision: number;
}
