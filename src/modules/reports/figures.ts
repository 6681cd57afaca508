import { quotient, rateOf } from '../../common/money.js';
import type { DayRange, DaySums, PartSums, SumPart } from './sums/report-sums.model.js';
import type { CountAndAmount, Figures, Period } from './report.model.js';

const NOTHING: CountAndAmount = { transactions: 0, amount: 0n };

/** The figures of any number of sums, which may be of several days. */
export function figuresOf(sums: readonly PartSums[]): Figures {
  const parts: Record<SumPart, CountAndAmount> = {
    sales: NOTHING,
    pending: NOTHING,
    refunds: NOTHING,
    chargebacks: NOTHING,
  };
  let [earnings, commissions, fees] = [0n, 0n, 0n];
  for (const sum of sums) {
    const { transactions, amount } = parts[sum.part];
    parts[sum.part] = {
      transactions: transactions + sum.transactions,
      amount: amount + sum.amount,
    };
    earnings += sum.earnings;
    commissions += sum.commissions;
    fees += sum.fees;
  }
  const { sales, pending, refunds, chargebacks } = parts;
  const number = BigInt(sales.transactions);
  return {
    sales: sales.transactions,
    gross: sales.amount,
    ...{ pending, refunds, chargebacks },
    ...{ earnings, commissions, fees },
    refund_rate: rateOf(BigInt(refunds.transactions), number),
    average_order: quotient(sales.amount, number),
  };
}

/** The figures of each period. @param ranges in their order, without a gap */
export function figuresByPeriod(ranges: readonly DayRange[], days: readonly DaySums[]): Period[] {
  const inOrder = [...days].sort((left, right) =>
    left.day === right.day ? 0 : left.day < right.day ? -1 : 1,
  );
  let at = 0;
  return ranges.map((range) => {
    const begin = at;
    while ((inOrder[at]?.day ?? '') !== '' && (inOrder[at]?.day ?? '') <= range.end_date) at += 1;
    return { ...range, figures: figuresOf(inOrder.slice(begin, at)) };
  });
}
