import { ApiError } from '../../common/errors/api-error.js';
import { quotient, rateOf } from '../../common/money.js';
import { daysAfter, daysBetween, endOfMonth } from '../../common/time.js';
import {
  MAX_PERIODS,
  PERIOD_STEPS,
  type CountAndAmount,
  type DayRange,
  type Figures,
  type Period,
  type PeriodStep,
} from './report.model.js';
import type { DaySums, PartSums, SumPart } from './sums/report-sums.model.js';

const DAYS_OF_A_WEEK = 7;

/** A mutable CountAndAmount that sums are added to. */
type Counted = { -readonly [Key in keyof CountAndAmount]: CountAndAmount[Key] };

/**
 * Returns the figures of these sums together. It copies no objects, because it is called for each
 * of thousands of values.
 */
export function figuresOf(sums: readonly PartSums[]): Figures {
  const parts: Record<SumPart, Counted> = {
    sales: { transactions: 0, amount: 0n },
    pending: { transactions: 0, amount: 0n },
    refunds: { transactions: 0, amount: 0n },
    chargebacks: { transactions: 0, amount: 0n },
  };
  let [earnings, commissions, fees] = [0n, 0n, 0n];
  for (const sum of sums) {
    const part = parts[sum.part];
    part.transactions += sum.transactions;
    part.amount += sum.amount;
    earnings += sum.earnings;
    commissions += sum.commissions;
    fees += sum.fees;
  }
  const { sales, pending, refunds, chargebacks } = parts;
  const number = BigInt(sales.transactions);
  return {
    sales: sales.transactions,
    gross: sales.amount,
    pending,
    refunds,
    chargebacks,
    earnings,
    commissions,
    fees,
    refund_rate: rateOf(BigInt(refunds.transactions), number),
    average_order: quotient(sales.amount, number),
  };
}

/**
 * Returns the figures of each period.
 * @param ranges in order, without gaps
 */
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

/**
 * Splits a range into periods of the requested step, or of a longer one if there would be too many.
 * The first and the last period are cut to the range; a range that ends before it begins has none.
 * @throws ApiError invalid_parameters if there are more than MAX_PERIODS years
 */
export function periodsOf(range: DayRange, by: PeriodStep): { by: PeriodStep; ranges: DayRange[] } {
  if (range.end_date < range.start_date) return { by, ranges: [] };
  for (const step of PERIOD_STEPS.slice(PERIOD_STEPS.indexOf(by))) {
    const ranges = cut(range, step);
    if (ranges !== null) return { by: step, ranges };
  }
  const problem = `A range may have at most ${MAX_PERIODS} years.`;
  throw new ApiError('invalid_parameters', problem);
}

/**
 * Splits a range until today into periods, as a chart shows them. The limit applies to the whole
 * range, future days included.
 * @throws ApiError invalid_parameters if the range has more than MAX_PERIODS years
 */
export function periodsUntil(today: string, range: DayRange, by: PeriodStep) {
  periodsOf(range, 'year');
  const { start_date, end_date } = range;
  return periodsOf({ start_date, end_date: end_date < today ? end_date : today }, by);
}

/** @returns null if there are too many */
export function cut({ start_date, end_date }: DayRange, step: PeriodStep): DayRange[] | null {
  const ranges: DayRange[] = [];
  for (let from = start_date; ; from = daysAfter(from, 1)) {
    const to = endOfPeriod(from, end_date, step);
    ranges.push({ start_date: from, end_date: to });
    if (to === end_date) return ranges;
    if (ranges.length === MAX_PERIODS) return null;
    from = to;
  }
}

function endOfPeriod(day: string, end_date: string, step: PeriodStep): string {
  const left = daysBetween(day, end_date);
  return daysAfter(day, Math.min(left, daysBetween(day, lastDay(day, step, left))));
}

function lastDay(day: string, step: PeriodStep, left: number): string {
  switch (step) {
    case 'day':
      return day;
    case 'week': {
      // Weeks end on Sunday, which is day 0.
      const untilSunday = (DAYS_OF_A_WEEK - new Date(day).getUTCDay()) % DAYS_OF_A_WEEK;
      return daysAfter(day, Math.min(left, untilSunday));
    }
    case 'month':
      return endOfMonth(day);
    case 'year':
      return `${day.slice(0, 4)}-12-31`;
  }
}
