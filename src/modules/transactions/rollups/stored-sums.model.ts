/**
 * What a transaction counts as on a day. Completed, refunded and charged-back transactions are sales;
 * pending ones are not. A refund or chargeback is in two rows, one under the day of its sale and one
 * under its own day; a report reads one of the two. Without a date it is under the day of its sale only.
 */
export const SUM_KINDS = [
  'sale',
  'pending',
  'refund_by_sale',
  'refund_by_refund',
  'undated_refund',
  'chargeback_by_sale',
  'chargeback_by_refund',
  'undated_chargeback',
] as const;
export type SumKind = (typeof SUM_KINDS)[number];

/** What a vendor's sums are grouped by; the day of a month is its first day. */
export const SUM_SERIES = ['total', 'product', 'product_month', 'affiliate_month'] as const;
export type SumSeries = (typeof SUM_SERIES)[number];

/**
 * The number of transactions, and money in cents. Of sales: the amount, the vendor's earnings, the
 * commissions of affiliate, agent and partners, and the service fee. Of refunds and chargebacks: the
 * amount returned, and the share that each took back, which is zero or negative. Of pending ones: the
 * amount.
 */
export const VENDOR_SUMS = ['transactions', 'amount', 'earnings', 'commissions', 'fees'] as const;
export type VendorSum = (typeof VENDOR_SUMS)[number];

/** The same for one affiliate and product; the commission is the affiliate's only. */
export const AFFILIATE_DAY_SUMS = ['transactions', 'amount', 'earnings', 'commission'] as const;
export type AffiliateDaySum = (typeof AFFILIATE_DAY_SUMS)[number];
