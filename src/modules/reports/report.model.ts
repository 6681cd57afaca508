import type { Attribution } from '../../ledger/sums/sum-parts.js';
import type { DayRange, Viewer } from '../transactions/index.js';
import type { FigureFilter } from './figures/figure-filter.model.js';

export { ATTRIBUTIONS } from '../../ledger/sums/sum-parts.js';
export type { Attribution, DayRange, Viewer };

/** By default a refund counts on its own day, so that the figures of past months do not change. */
export const DEFAULT_ATTRIBUTION: Attribution = 'refund';

/**
 * Ranges that a range can be compared with: none, the days before it, or the same days a year
 * earlier.
 */
export const COMPARISONS = ['none', 'previous', 'year'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Steps of a chart's periods; weeks begin on Monday. */
export const PERIOD_STEPS = ['day', 'week', 'month', 'year'] as const;
export type PeriodStep = (typeof PERIOD_STEPS)[number];

/** Maximum number of periods in a chart; with more, the chart uses the next longer step. */
export const MAX_PERIODS = 400;

/** Orders of the top lists: highest gross, or largest change of what the viewer keeps. */
export const TOP_ORDERS = ['gross', 'change'] as const;
export type TopOrder = (typeof TOP_ORDERS)[number];

export interface ReportRequest extends DayRange {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly filter: FigureFilter;
  readonly by: PeriodStep;
  readonly comparison: Comparison;
  readonly top: TopOrder;
  /** Current day in UTC; the periods of the chart end with it. */
  readonly today: string;
}

/** A number of transactions, and money in cents. */
export interface CountAndAmount {
  readonly transactions: number;
  readonly amount: bigint;
}

/**
 * The figures of a range. Money is in cents. Pending transactions do not count as sales or in any
 * other figure. Earnings, commissions and fees are net of refunds and chargebacks. For an
 * affiliate, commissions are their own, and earnings and fees are zero.
 */
export interface Figures {
  readonly sales: number;
  readonly gross: bigint;
  readonly pending: CountAndAmount;
  readonly refunds: CountAndAmount;
  readonly chargebacks: CountAndAmount;
  readonly earnings: bigint;
  readonly commissions: bigint;
  readonly fees: bigint;
  /** The commissions by party. An affiliate sees only their own. */
  readonly parties: Readonly<Record<'affiliate' | 'agent' | 'jv', bigint>>;
  /**
   * Refunds per sale in units of RATE_PLACES (src/platform/values/money.ts); zero without sales.
   */
  readonly refund_rate: bigint;
  /** Gross per sale, in cents, rounded to the nearest cent; zero without sales. */
  readonly average_order: bigint;
}

export interface Period extends DayRange {
  readonly figures: Figures;
}

/** One of the products, affiliates or vendors in a top list. */
export interface TopItem {
  readonly id: number;
  readonly name: string;
  readonly sales: number;
  readonly gross: bigint;
  readonly refunds: number;
  /** The vendor's earnings, or the affiliate's commissions, net of refunds and chargebacks. */
  readonly net: bigint;
  /**
   * `net` in the compared range, and how much more it is in the days before today; null if nothing
   * is compared.
   */
  readonly compared: { readonly before: bigint; readonly change: bigint } | null;
}

/** The figures of the range that a report is compared with. */
export interface Compared extends Period {
  /**
   * Periods that correspond to those of the report, each of the same length; the last ones may be
   * missing.
   */
  readonly periods: readonly Period[];
}

export interface Report {
  /**
   * Number of sales that fees, commissions, pending transactions and top lists would have to read,
   * if there are too many; they are zero and empty then. Otherwise null.
   */
  readonly unread: number | null;
  /**
   * Unpaid commissions today, whatever the range: what a vendor owes, or what is owed to an
   * affiliate. Null if the filter has something else than an affiliate.
   */
  readonly unpaid: bigint | null;
  readonly figures: Figures;
  /** Figures of the days before today, which are compared, because today is not over. */
  readonly figuresUntilToday: Figures;
  /** Null if no comparison is requested, or if there are no days before the range. */
  readonly compared: Compared | null;
  /** The requested step, or a longer one with at most MAX_PERIODS periods. */
  readonly by: PeriodStep;
  /** All periods of the range until today; the first and the last are cut to it. */
  readonly periods: readonly Period[];
  readonly top_products: readonly TopItem[];
  /** A vendor's affiliates; for an affiliate, the vendors. */
  readonly top_partners: readonly TopItem[];
}
