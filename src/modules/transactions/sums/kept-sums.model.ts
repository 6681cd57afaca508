/**
 * Lists the kinds under which a transaction counts on a day. Completed, refunded and charged-back
 * transactions are sales; pending ones are not. A refund or chargeback is in two rows, one under
 * the day of its sale and one under its own day; a report reads one of the two. Without a date, it
 * is under the day of its sale only.
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

/** Lists the groups of a vendor's kept sums. The day of a month is its first day. */
export const SUM_SERIES = ['total', 'product', 'product_month', 'affiliate_month'] as const;
export type SumSeries = (typeof SUM_SERIES)[number];

/**
 * Lists the kept sums: the number of transactions, and money in cents. For sales, the money is the
 * amount, the vendor's earnings, the commissions of affiliate, agent and partners, and the service
 * fee. For refunds and chargebacks, it is the returned amount, and the share that each party gave
 * back, which is zero or negative. For pending transactions, it is the amount only.
 */
export const VENDOR_SUMS = ['transactions', 'amount', 'earnings', 'commissions', 'fees'] as const;
export type VendorSum = (typeof VENDOR_SUMS)[number];

/**
 * Lists the kept sums for one affiliate and product: the number of transactions, and money in
 * cents, as in VENDOR_SUMS. The commission is that of the affiliate only.
 */
export const AFFILIATE_DAY_SUMS = ['transactions', 'amount', 'earnings', 'commission'] as const;
export type AffiliateDaySum = (typeof AFFILIATE_DAY_SUMS)[number];
