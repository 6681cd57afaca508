import { daysAfter, daysBetween, endOfMonth, monthOf } from '../../../common/time.js';
import type { DayRange } from './report-sums.model.js';

/** Days that are added to what the months hold, or taken from it. */
export interface SignedDays extends DayRange {
  readonly sign: 1 | -1;
}

export interface MonthSpans {
  /** The first days of the first and of the last whole month, or null where none is read. */
  readonly months: DayRange | null;
  readonly days: readonly SignedDays[];
}

/**
 * A range as whole months and the days at its ends. Of a month that the range holds the most of, the
 * month is read and the other days are taken away: never more than half a month is read day by day
 * at either end.
 */
export function monthSpans({ start_date, end_date }: DayRange): MonthSpans {
  const [first, last] = [monthOf(start_date), monthOf(end_date)];
  if (first === last) return withinMonth(start_date, end_date);
  const begin = daysFrom(start_date);
  const end = daysUpTo(end_date);
  const from = begin.wholeMonth ? first : daysAfter(endOfMonth(first), 1);
  const to = end.wholeMonth ? last : monthOf(daysAfter(last, -1));
  const months = from <= to ? { start_date: from, end_date: to } : null;
  return { months, days: [...begin.days, ...end.days] };
}

/** Every day of a range. */
export function daysOf({ start_date, end_date }: DayRange): string[] {
  const length = 1 + daysBetween(start_date, end_date);
  return Array.from({ length }, (_, index) => daysAfter(start_date, index));
}

/** The first day of every month of a range that begins and ends with such a day. */
export function monthsOf({ start_date, end_date }: DayRange): string[] {
  const months = [start_date];
  for (let last = start_date; last < end_date; months.push(last)) {
    last = daysAfter(endOfMonth(last), 1);
  }
  return months;
}

interface End {
  readonly wholeMonth: boolean;
  readonly days: readonly SignedDays[];
}

function daysFrom(start_date: string): End {
  const first = monthOf(start_date);
  if (start_date === first) return { wholeMonth: true, days: [] };
  const wanted = { start_date, end_date: endOfMonth(first) };
  return nearer(wanted, { start_date: first, end_date: daysAfter(start_date, -1) });
}

function daysUpTo(end_date: string): End {
  const last = endOfMonth(end_date);
  if (end_date === last) return { wholeMonth: true, days: [] };
  const wanted = { start_date: monthOf(end_date), end_date };
  return nearer(wanted, { start_date: daysAfter(end_date, 1), end_date: last });
}

function nearer(wanted: DayRange, others: DayRange): End {
  return lengthOf(wanted) <= lengthOf(others)
    ? { wholeMonth: false, days: [{ ...wanted, sign: 1 }] }
    : { wholeMonth: true, days: [{ ...others, sign: -1 }] };
}

function withinMonth(start_date: string, end_date: string): MonthSpans {
  const first = monthOf(start_date);
  const begin = daysFrom(start_date);
  const end = daysUpTo(end_date);
  if (begin.wholeMonth && end.wholeMonth) {
    return { months: { start_date: first, end_date: first }, days: [...begin.days, ...end.days] };
  }
  return { months: null, days: [{ start_date, end_date, sign: 1 }] };
}

function lengthOf({ start_date, end_date }: DayRange): number {
  return 1 + daysBetween(start_date, end_date);
}
