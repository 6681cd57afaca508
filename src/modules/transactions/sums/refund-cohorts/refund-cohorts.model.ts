/**
 * Defines the sales that a cohort covers: all of a vendor, those of one product, or those of one
 * affiliate.
 */
export const COHORT_SERIES = ['total', 'product', 'affiliate'] as const;
export type CohortSeries = (typeof COHORT_SERIES)[number];

export const COHORT_KINDS = ['refund', 'chargeback'] as const;
export type CohortKind = (typeof COHORT_KINDS)[number];

/**
 * Lists the kept sums: the number of transactions that were sold in one month and refunded or
 * charged back in another, and the returned amount in cents. Transactions without a refund date are
 * not included; `vendor_sums` counts them.
 */
export const COHORT_SUMS = ['transactions', 'amount'] as const;
export type CohortSum = (typeof COHORT_SUMS)[number];

/** Lists the columns of the primary key, in its order. */
export const COHORT_KEY = [
  ...(['vendor_id', 'series', 'item_id'] as const),
  ...(['sale_month', 'refund_month', 'kind'] as const),
] as const;
