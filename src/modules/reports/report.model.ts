/** Whose sales a report is of: those of a vendor, or those that a user made as an affiliate. */
export interface Viewer {
  readonly role: 'vendor' | 'affiliate';
  readonly user_id: number;
}

/** Whole days in UTC, the first and the last included. */
export interface DayRange {
  readonly start_date: string;
  readonly end_date: string;
}

/** On which day a refund counts: that of its sale or its own. */
export const ATTRIBUTIONS = ['sale', 'refund'] as const;
export type Attribution = (typeof ATTRIBUTIONS)[number];

/** The lengths of the periods of a chart; weeks begin on Monday. */
export const PERIOD_STEPS = ['day', 'week', 'month', 'year'] as const;
export type PeriodStep = (typeof PERIOD_STEPS)[number];

/** More are not drawn: the next longer step is taken. */
export const MOST_PERIODS = 400;

/** What a report is asked for. */
export interface ReportRequest extends DayRange {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly by: PeriodStep;
}

/** A number of transactions, and money in cents. */
export interface CountAndAmount {
  readonly transactions: number;
  readonly amount: bigint;
}

/**
 * The figures of a range. Money in cents. What is pending is no sale and counts in nothing else.
 * Earnings, commissions and fees are what is left after refunds and chargebacks. For an affiliate the
 * commissions are its own, and earnings and fees, which are the vendor's, are zero.
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

/** One of the products, affiliates or vendors of the most gross. */
export interface TopItem {
  readonly id: number;
  readonly name: string;
  readonly sales: number;
  readonly gross: bigint;
  readonly refunds: number;
  /** The vendor's earnings, for an affiliate its commissions, after refunds and chargebacks. */
  readonly net: bigint;
}

export interface Report {
  readonly figures: Figures;
  /** What was asked for, or the next longer one that makes MOST_PERIODS at most. */
  readonly by: PeriodStep;
  /** Every period of the range, the first and the last cut to it. */
  readonly periods: readonly Period[];
  readonly top_products: readonly TopItem[];
  /** A vendor's affiliates; for an affiliate, the vendors. */
  readonly top_partners: readonly TopItem[];
}
