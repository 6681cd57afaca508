/**
 * What the sums are grouped by: the day of the sale, or nothing, for the total of an affiliate. With the
 * total, what is older than some days is found without reading all days before.
 */
export const UNPAID_SERIES = ['day', 'total'] as const;
export type UnpaidSeries = (typeof UNPAID_SERIES)[number];

/** The day of a total. */
export const NO_DAY = '1970-01-01';

/**
 * The number of sales with a commission that is unpaid, and that commission in cents, after what refunds
 * and chargebacks took back. Pending transactions are no sales. Sales of which nothing is left to be paid
 * are not counted.
 */
export const UNPAID_SUMS = ['sales', 'commission'] as const;
export type UnpaidSum = (typeof UNPAID_SUMS)[number];
