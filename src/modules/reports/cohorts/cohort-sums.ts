import { monthsBetween } from '../../../common/time.js';
import type { CountAndAmount } from '../report.model.js';
import { MONTHS_AFTER, type Cohort } from './cohort.model.js';
import type { MonthSums, ReturnedSums } from './cohorts.repository.js';

const NOTHING: CountAndAmount = { transactions: 0, amount: 0n };

export interface CohortSums {
  readonly sold: readonly MonthSums[];
  readonly returned: readonly ReturnedSums[];
}

/**
 * Returns the cohorts of those months that have sales, in the order of `months`. Refunds and
 * chargebacks without a date count in the month of the sale.
 * @param thisMonth the last month whose refunds and chargebacks count
 */
export function cohortsOf(
  months: readonly string[],
  { sold, returned }: CohortSums,
  thisMonth: string,
): Cohort[] {
  return months.flatMap((month) => {
    const ofMonth = sold.filter((sums) => sums.month === month);
    const sales = total(ofMonth.filter(({ kind }) => kind === 'sale'));
    if (sales.transactions === 0) return [];
    const back = returned.filter(({ sale_month }) => sale_month === month);
    const undated = total(ofMonth.filter(({ kind }) => kind !== 'sale'));
    const until = (months: number) =>
      total([
        undated,
        ...back.filter(({ refund_month }) => monthsBetween(month, refund_month) <= months),
      ]);
    const age = monthsBetween(month, thisMonth);
    const shown = Math.min(age, MONTHS_AFTER) + 1;
    return {
      month,
      sales: sales.transactions,
      gross: sales.amount,
      after: Array.from({ length: shown }, (_, months) => until(months)),
      to_date: until(age),
    };
  });
}

/** Returns the number of refunds and chargebacks without a date. */
export function undatedIn(sold: readonly MonthSums[]): number {
  return total(sold.filter(({ kind }) => kind !== 'sale')).transactions;
}

function total(sums: readonly CountAndAmount[]): CountAndAmount {
  return sums.reduce(
    (all, { transactions, amount }) => ({
      transactions: all.transactions + transactions,
      amount: all.amount + amount,
    }),
    NOTHING,
  );
}
