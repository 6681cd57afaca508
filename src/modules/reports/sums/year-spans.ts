import { monthsAfter, yearOf } from '../../../common/time.js';
import type { DayRange } from '../report.model.js';
import { monthSpans, type SignedDays } from './sums-source.js';

export interface YearSpans {
  /** First days of the first and the last whole year, or null if none is read. */
  readonly years: DayRange | null;
  /**
   * Months that are added or subtracted; each range consists of the first days of its first and
   * last month.
   */
  readonly months: readonly SignedDays[];
  readonly days: readonly SignedDays[];
}

interface End {
  readonly wholeYear: boolean;
  readonly months: readonly SignedDays[];
}

/**
 * Splits a range into whole years, and the months and days at its ends. If the range holds most
 * months of a year, the year is read and the other months are subtracted, so at most half a year is
 * read by month at either end.
 */
export function yearSpans(range: DayRange): YearSpans {
  const { months, days } = monthSpans(range);
  if (months === null) return { years: null, months: [], days };
  return { ...yearsOf(months), days };
}

function yearsOf({ start_date, end_date }: DayRange): Omit<YearSpans, 'days'> {
  const [first, last] = [yearOf(start_date), yearOf(end_date)];
  const [begin, end] = [monthsFrom(start_date), monthsUpTo(end_date)];
  if (first === last && !(begin.wholeYear && end.wholeYear)) {
    return { years: null, months: [{ start_date, end_date, sign: 1 }] };
  }
  const from = begin.wholeYear ? first : monthsAfter(first, 12);
  const to = end.wholeYear ? last : monthsAfter(last, -12);
  const years = from <= to ? { start_date: from, end_date: to } : null;
  return { years, months: [...begin.months, ...end.months] };
}

function monthsFrom(start_date: string): End {
  const first = yearOf(start_date);
  if (start_date === first) return { wholeYear: true, months: [] };
  const wanted = { start_date, end_date: monthsAfter(first, 11) };
  return shorter(wanted, { start_date: first, end_date: monthsAfter(start_date, -1) });
}

function monthsUpTo(end_date: string): End {
  const first = yearOf(end_date);
  const last = monthsAfter(first, 11);
  if (end_date === last) return { wholeYear: true, months: [] };
  const wanted = { start_date: first, end_date };
  return shorter(wanted, { start_date: monthsAfter(end_date, 1), end_date: last });
}

function shorter(wanted: DayRange, others: DayRange): End {
  return numberOf(wanted) <= numberOf(others)
    ? { wholeYear: false, months: [{ ...wanted, sign: 1 }] }
    : { wholeYear: true, months: [{ ...others, sign: -1 }] };
}

/** Returns the number of months in a range within one year. */
function numberOf({ start_date, end_date }: DayRange): number {
  return Number(end_date.slice(5, 7)) - Number(start_date.slice(5, 7)) + 1;
}
