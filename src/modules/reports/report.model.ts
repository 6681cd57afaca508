/** A user whose sales are shown, as a vendor or as an affiliate. */
export interface Viewer {
  readonly role: 'vendor' | 'affiliate';
  readonly user_id: number;
}

/** Whole UTC days; both are included. */
export interface DayRange {
  readonly start_date: string;
  readonly end_date: string;
}

/** The day on which a refund counts: that of its sale, or its own. */
export const ATTRIBUTIONS = ['sale', 'refund'] as const;
export type Attribution = (typeof ATTRIBUTIONS)[number];

/** By default a refund counts on its own day, so that a month that is over does not change any more. */
export const DEFAULT_ATTRIBUTION: Attribution = 'refund';

/** What a range is compared with: nothing, the days before it, or the same days a year earlier. */
export const COMPARISONS = ['none', 'previous', 'year'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** The periods of a chart; weeks begin on Monday. */
export const PERIOD_STEPS = ['day', 'week', 'month', 'year'] as const;
export type PeriodStep = (typeof PERIOD_STEPS)[number];

/** With more, the chart uses the next longer step. */
export const MAX_PERIODS = 400;

export interface ReportRequest extends DayRange {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly by: PeriodStep;
  readonly comparison: Comparison;
  /** The day in UTC; the periods of the chart end with it. */
  readonly today: string;
}

/** A number of transactions, and money in cents. */
export interface CountAndAmount {
  readonly transactions: number;
  readonly amount: bigint;
}

/**
 * The figures of a range. Money in cents. Pending transactions are no sales and count in no other figure.
 * Earnings, commissions and fees are net of refunds and chargebacks. For an affiliate, commissions are its
 * own, and earnings and fees are zero.
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
  /** Refunds per sale in units of RATE_PLACES (common/money.ts); zero without sales. */
  readonly refund_rate: bigint;
  /** Gross per sale, in cents, rounded to the nearest; zero without sales. */
  readonly average_order: bigint;
}

export interface Period extends DayRange {
  readonly figures: Figures;
}

/** One of the products, affiliates or vendors with the highest gross. */
export interface TopItem {
  readonly id: number;
  readonly name: string;
  readonly sales: number;
  readonly gross: bigint;
  readonly refunds: number;
  /** The vendor's earnings, or the affiliate's commissions, net of refunds and chargebacks. */
  readonly net: bigint;
}

/** The figures of the range that a report is compared with. */
export interface Compared extends Period {
  /** Beside the periods of the report, each as long as that one; the last ones may be missing. */
  readonly periods: readonly Period[];
}

export interface Report {
  readonly figures: Figures;
  /** Null if nothing is compared, or if there are no days before the range. */
  readonly compared: Compared | null;
  /** The requested step, or a longer one with at most MAX_PERIODS periods. */
  readonly by: PeriodStep;
  /** All periods of the range until today; the first and the last are cut to it. */
  readonly periods: readonly Period[];
  readonly top_products: readonly TopItem[];
  /** A vendor's affiliates; for an affiliate, the vendors. */
  readonly top_partners: readonly TopItem[];
}
