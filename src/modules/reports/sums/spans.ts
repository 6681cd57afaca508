import {
  daysAfter,
  daysBetween,
  endOfMonth,
  monthOf,
  monthsAfter,
  monthsBetween,
  yearOf,
} from '../../../platform/values/time.js';
import type { DayRange } from '../report.model.js';

/** A range of days or months that is added or subtracted. Months are first days of months. */
export interface SignedDays extends DayRange {
  readonly sign: 1 | -1;
}

interface Spans {
  /** First days of the first and the last whole period, or null if none is read. */
  readonly whole: DayRange | null;
  readonly parts: readonly SignedDays[];
}

/** Defines periods that consist of parts: months of days, or years of months. */
interface Period {
  /** Returns the first and the last part of the period of a day. */
  readonly firstOf: (day: string) => string;
  readonly lastOf: (day: string) => string;
  readonly after: (part: string, parts: number) => string;
  readonly between: (earlier: string, later: string) => number;
}

const MONTH: Period = {
  firstOf: monthOf,
  lastOf: endOfMonth,
  after: daysAfter,
  between: daysBetween,
};
const YEAR: Period = {
  firstOf: yearOf,
  lastOf: (day) => monthsAfter(yearOf(day), 11),
  after: monthsAfter,
  between: monthsBetween,
};

/** Splits a range of days into whole months and the days at its ends. */
export function monthSpans(range: DayRange) {
  const { whole, parts } = spansOf(range, MONTH);
  return { months: whole, days: parts };
}

/** Splits a range of days into whole years, and the months and days at its ends. */
export function yearSpans(range: DayRange) {
  const { months, days } = monthSpans(range);
  if (months === null) return { years: null, months: [], days };
  const { whole, parts } = spansOf(months, YEAR);
  return { years: whole, months: parts, days };
}

/** Returns every day of a range. */
export function daysOf({ start_date, end_date }: DayRange): string[] {
  const length = 1 + daysBetween(start_date, end_date);
  return Array.from({ length }, (_, index) => daysAfter(start_date, index));
}

/** Returns the first day of every month of a range. */
export function monthsOf({ start_date, end_date }: DayRange): string[] {
  const length = 1 + monthsBetween(start_date, end_date);
  return Array.from({ length }, (_, index) => monthsAfter(start_date, index));
}

/** Returns the first day of every year of a range. */
export function yearsOf({ start_date, end_date }: DayRange): string[] {
  const first = yearOf(start_date);
  const length = 1 + Math.floor(monthsBetween(first, end_date) / 12);
  return Array.from({ length }, (_, index) => monthsAfter(first, 12 * index));
}

/**
 * Splits a range into whole periods and the parts at its ends. If the range holds most parts of a
 * period, the period is read and the other parts are subtracted, so at most half a period is read
 * part by part at either end.
 */
function spansOf({ start_date, end_date }: DayRange, period: Period): Spans {
  const { firstOf, lastOf, after } = period;
  const [first, last] = [firstOf(start_date), firstOf(end_date)];
  const begin = partsOf(period, first, { start_date, end_date: lastOf(first) });
  const end = partsOf(period, last, { start_date: last, end_date });
  if (first === last && !(begin.isWhole && end.isWhole)) {
    return { whole: null, parts: [{ start_date, end_date, sign: 1 }] };
  }
  const from = begin.isWhole ? first : after(lastOf(first), 1);
  const to = end.isWhole ? last : firstOf(after(last, -1));
  const whole = from <= to ? { start_date: from, end_date: to } : null;
  return { whole, parts: [...begin.parts, ...end.parts] };
}

/**
 * Returns the wanted parts of the first or the last period of a range, or all without the others.
 */
function partsOf(
  { lastOf, after, between }: Period,
  first: string,
  wanted: DayRange,
): { readonly isWhole: boolean; readonly parts: readonly SignedDays[] } {
  const last = lastOf(first);
  const isEnd = wanted.start_date === first;
  if (isEnd && wanted.end_date === last) return { isWhole: true, parts: [] };
  const others = isEnd
    ? { start_date: after(wanted.end_date, 1), end_date: last }
    : { start_date: first, end_date: after(wanted.start_date, -1) };
  const numberOf = (range: DayRange) => between(range.start_date, range.end_date);
  return numberOf(wanted) <= numberOf(others)
    ? { isWhole: false, parts: [{ ...wanted, sign: 1 }] }
    : { isWhole: true, parts: [{ ...others, sign: -1 }] };
}
