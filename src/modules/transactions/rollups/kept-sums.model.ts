/**
 * What a transaction counts as, and on which day. A sale is completed, refunded or charged back; one
 * that is pending is none. A refund counts on the day of its sale and on its own, one kind each, so
 * that a report can follow either; one without a date has only the day of its sale.
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

/** What a vendor's sums are kept of; a month stands under its first day. */
export const SUM_SERIES = ['total', 'product', 'product_month', 'affiliate_month'] as const;
export type SumSeries = (typeof SUM_SERIES)[number];

/**
 * The number of transactions, and money in cents. For a sale: the amount, and what of it the vendor
 * earned, affiliate, agent and partners got, and the service charged. For a refund or a chargeback:
 * what was returned, and what each gave back, which is zero or negative. A pending one has its amount.
 */
export const VENDOR_SUMS = ['transactions', 'amount', 'earnings', 'commissions', 'fees'] as const;
export type VendorSum = (typeof VENDOR_SUMS)[number];

/** The same of what one affiliate sold of one product; the commission is the affiliate's alone. */
export const AFFILIATE_DAY_SUMS = ['transactions', 'amount', 'earnings', 'commission'] as const;
export type AffiliateDaySum = (typeof AFFILIATE_DAY_SUMS)[number];
