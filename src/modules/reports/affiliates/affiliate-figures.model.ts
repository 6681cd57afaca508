import type { Attribution, CountAndAmount, DayRange, TopItem } from '../report.model.js';
import type { DailyClicks } from '../../affiliates/index.js';
import type { SumPart } from '../sums/report-sums.model.js';

/** Ages of a sale in days, today being 0. A sale dated after today counts in the youngest age. */
export const UNPAID_AGES = ['0-30', '31-60', '61-90', 'over-90'] as const;
export type UnpaidAge = (typeof UNPAID_AGES)[number];

/**
 * Commissions of sales that have the commission status UNPAID, after refunds and chargebacks, in
 * cents.
 */
export type UnpaidByAge = Readonly<Record<UnpaidAge, bigint>>;

/**
 * The figures of an affiliate's sales for one vendor in a range. Money is in cents. Pending
 * transactions do not count as sales.
 */
export interface AffiliateFigures {
  readonly sales: number;
  readonly gross: bigint;
  readonly refunds: number;
  readonly chargebacks: number;
  /** Commissions in cents, net of refunds and chargebacks. */
  readonly commission: bigint;
  /** Null if no day of the range has a record of clicks. */
  readonly clicks: number | null;
  readonly unique_clicks: number | null;
  /** Refunds per sale in units of RATE_PLACES (common/money.ts); null without sales. */
  readonly refund_rate: bigint | null;
  readonly chargeback_rate: bigint | null;
  /** Sales per unique click in units of RATE_PLACES; null without unique clicks. */
  readonly conversion: bigint | null;
  /** Unpaid commissions as of today, whatever the range. */
  readonly unpaid: UnpaidByAge;
}

/** `name` is the affiliate's display name, or the user's name if there is none. */
export type Affiliate = Pick<TopItem, 'id' | 'name'>;

export interface AffiliateRow extends Affiliate {
  readonly figures: AffiliateFigures;
}

/** Columns by which a table can be sorted. */
export const SORTS = [
  'name',
  'sales',
  'gross',
  'commission',
  'refund_rate',
  'chargeback_rate',
  'clicks',
  'unique_clicks',
  'conversion',
  ...UNPAID_AGES,
] as const;
export type Sort = (typeof SORTS)[number];

export const ORDERS = ['asc', 'desc'] as const;
export type Order = (typeof ORDERS)[number];

export interface FiguresRequest extends DayRange {
  readonly vendor_id: number;
  /** Day on which refunds and chargebacks count. */
  readonly attribution: Attribution;
}

export interface TableRequest extends FiguresRequest {
  readonly sort: Sort;
  readonly order: Order;
}

/** One page of a vendor's affiliates. */
export interface AffiliateTable {
  readonly rows: readonly AffiliateRow[];
  /** Total over all pages. */
  readonly total: AffiliateFigures;
  readonly count: number;
  /** Page number, starting at 1. */
  readonly page: number;
  readonly pages: number;
}

/** The sums of one part of an affiliate's transactions. Money in cents. */
export interface PartOfAffiliate extends CountAndAmount {
  readonly affiliate_id: number;
  readonly part: SumPart;
  readonly commission: bigint;
}

export interface UnpaidOfAffiliate {
  readonly affiliate_id: number;
  /** `total` covers all ages. */
  readonly age: Exclude<UnpaidAge, 'over-90'> | 'total';
  /** In cents. */
  readonly commission: bigint;
}

export type ClickSums = Pick<DailyClicks, 'affiliate_id' | 'clicks' | 'unique_clicks'>;
