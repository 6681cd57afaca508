import {
  daysAfter,
  daysBetween,
  monthOf,
  monthsBetween,
  yearOf,
} from '../../../platform/values/time.js';
import { periodsIn } from '../figures.js';
import type { DayRange } from '../report.model.js';
import type { Interval } from './figure.model.js';

/** Days that are added up together before they are assigned to intervals. */
export type Bucket = 'none' | 'day' | 'week' | 'month';

/** The intervals of a range, and the buckets that are read for them. */
export interface Intervals {
  readonly ranges: readonly DayRange[];
  readonly bucket: Bucket;
  /** Returns the index of the interval with a bucket. */
  readonly indexOf: (bucket: string) => number;
}

const BUCKET_OF: Readonly<Record<Interval, Bucket>> = {
  day: 'day',
  week: 'week',
  month: 'month',
  quarter: 'month',
  year: 'month',
};
const MONTHS_OF_A_QUARTER = 3;
const DAYS_OF_A_WEEK = 7;

/** Returns the first day of the week, a Monday. */
export function weekOf(day: string): string {
  return daysAfter(day, -((new Date(day).getUTCDay() + DAYS_OF_A_WEEK - 1) % DAYS_OF_A_WEEK));
}

/** Returns the first day of the interval that a day is in. */
export function intervalOf(day: string, step: Interval): string {
  switch (step) {
    case 'day':
      return day;
    case 'week':
      return weekOf(day);
    case 'month':
      return monthOf(day);
    case 'quarter': {
      const month = Number(day.slice(5, 7)) - 1;
      const first = month - (month % MONTHS_OF_A_QUARTER) + 1;
      return `${day.slice(0, 5)}${String(first).padStart(2, '0')}-01`;
    }
    case 'year':
      return yearOf(day);
  }
}

/** Returns the number of intervals of a range without listing them. */
export function numberOfIntervals({ start_date, end_date }: DayRange, step: Interval): number {
  const [first, last] = [intervalOf(start_date, step), intervalOf(end_date, step)];
  if (step === 'day') return daysBetween(first, last) + 1;
  if (step === 'week') return daysBetween(first, last) / DAYS_OF_A_WEEK + 1;
  const months = { month: 1, quarter: MONTHS_OF_A_QUARTER, year: 12 }[step];
  return monthsBetween(first, last) / months + 1;
}

/** Splits a range by the calendar; without a step, it is a single interval. */
export function calendarIntervals(range: DayRange, step: Interval | null): Intervals {
  return step === null
    ? bucketed([range], 'none')
    : bucketed(periodsIn(range, step, Infinity) ?? [], BUCKET_OF[step]);
}

/**
 * Returns intervals that may begin within the calendar's. If one of them begins within a bucket of
 * the step, they are read day by day.
 * @param ranges in order and without gaps
 */
export function intervalsOf(ranges: readonly DayRange[], step: Interval): Intervals {
  const bucket = BUCKET_OF[step];
  const firstOf = bucket === 'week' ? weekOf : monthOf;
  const isByBucket = ranges.every(
    ({ start_date }, index) => index === 0 || firstOf(start_date) === start_date,
  );
  return bucketed(ranges, isByBucket ? bucket : 'day');
}

/** @param ranges in order and without gaps */
function bucketed(ranges: readonly DayRange[], bucket: Bucket): Intervals {
  return {
    ranges,
    bucket,
    indexOf(day) {
      let [low, high] = [0, ranges.length - 1];
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if ((ranges[middle]?.start_date ?? '') <= day) low = middle;
        else high = middle - 1;
      }
      return low;
    },
  };
}
