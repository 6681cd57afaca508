import type { Attribution, DayRange } from '../report.model.js';

/** Days since the sale, today being 0. A sale of a later day is of the first age. */
export const UNPAID_AGES = ['0-30', '31-60', '61-90', 'over-90'] as const;
export type UnpaidAge = (typeof UNPAID_AGES)[number];

/** Commissions of sales that have the commission status UNPAID, after refunds and chargebacks, in cents. */
export type UnpaidByAge = Readonly<Record<UnpaidAge, bigint>>;

/** What an affiliate did for a vendor in a range. Money in cents. Pending transactions are no sales. */
export interface AffiliateFigures {
  readonly sales: number;
  readonly gross: bigint;
  readonly refunds: number;
  readonly chargebacks: number;
  /** Net of refunds and chargebacks. */
  readonly commission: bigint;
  /** Null if no day of the range has a record of clicks. */
  readonly clicks: number | null;
  readonly unique_clicks: number | null;
  /** Per sale, in units of RATE_PLACES (common/money.ts); null without sales. */
  readonly refund_rate: bigint | null;
  readonly chargeback_rate: bigint | null;
  /** Sales per unique click, in the same units; null without unique clicks. */
  readonly conversion: bigint | null;
  /** As of today, whatever the range. */
  readonly unpaid: UnpaidByAge;
}

/** `name` is the display name, or else the user's name. */
export interface Affiliate {
  readonly id: number;
  readonly name: string;
}

export interface AffiliateRow extends Affiliate {
  readonly figures: AffiliateFigures;
}

/** What a table can be sorted by. */
export const SORTS = [
  ...(['name', 'sales', 'gross', 'commission', 'refund_rate', 'chargeback_rate'] as const),
  ...(['clicks', 'unique_clicks', 'conversion'] as const),
  ...UNPAID_AGES,
] as const;
export type Sort = (typeof SORTS)[number];

export const ORDERS = ['asc', 'desc'] as const;
export type Order = (typeof ORDERS)[number];

export interface FiguresRequest extends DayRange {
  readonly vendor_id: number;
  /** The day on which refunds and chargebacks count. */
  readonly attribution: Attribution;
}

export interface TableRequest extends FiguresRequest {
  readonly sort: Sort;
  readonly order: Order;
}

/** One page of a vendor's affiliates. */
export interface AffiliateTable {
  readonly rows: readonly AffiliateRow[];
  /** Of all pages. */
  readonly total: AffiliateFigures;
  readonly count: number;
  /** From 1. */
  readonly page: number;
  readonly pages: number;
}
