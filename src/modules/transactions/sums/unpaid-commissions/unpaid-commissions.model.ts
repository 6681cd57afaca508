/**
 * Lists the groups of the kept sums: by day of sale, or one total for each affiliate. With the
 * total, the commissions older than some days are found without reading all earlier days.
 */
export const UNPAID_SERIES = ['day', 'total'] as const;
export type UnpaidSeries = (typeof UNPAID_SERIES)[number];

/** Stands for the day in the rows of a total. */
export const NO_DAY = '1970-01-01';

/**
 * Lists the kept sums: the number of sales with an unpaid commission, and that commission in cents,
 * after deduction of what refunds and chargebacks took back. Pending transactions do not count as
 * sales. Sales with nothing left to pay are not counted.
 */
export const UNPAID_SUMS = ['sales', 'commission'] as const;
export type UnpaidSum = (typeof UNPAID_SUMS)[number];
