import {
  daysAfter,
  daysBetween,
  endOfMonth,
  monthOf,
  monthsAfter,
  monthsBetween,
} from '../../common/time.js';
import { cut } from './figures.js';
import type { DayRange, PeriodStep, ReportRequest } from './report.model.js';

/** Earliest day that a ledger can have. */
const FIRST_DAY = '1000-01-01';
const MONTHS_OF_A_YEAR = 12;

type ComparedRequest = DayRange & Pick<ReportRequest, 'comparison' | 'today'>;

/**
 * Returns the range that a range is compared with. Whole months are compared with whole months,
 * other ranges with the same number of days. If the range is not over, only its days until today
 * are compared.
 * @returns null if there is none
 */
export function comparedRange(request: ComparedRequest): DayRange | null {
  const { comparison, start_date } = request;
  if (comparison === 'none' || start_date < FIRST_DAY) return null;
  const range = comparison === 'year' ? yearBefore(request) : daysBefore(request);
  return range === null || range.start_date < FIRST_DAY ? null : range;
}

/**
 * Returns the periods of the compared range that correspond to those of the range: the same
 * calendar months, or else periods that begin the same number of days after the start. Periods that
 * reach beyond the compared range are cut or left out.
 * @param ranges the periods of the range
 */
export function comparedPeriods(
  request: ComparedRequest,
  compared: DayRange,
  ranges: readonly DayRange[],
  by: PeriodStep,
): DayRange[] {
  const isYear = request.comparison === 'year';
  const followsCalendar =
    by === 'month' ? isYear || hasWholeMonths(request) : by === 'year' && isYear;
  const byCalendar = followsCalendar ? cut(compared, by) : null;
  return (byCalendar ?? byDays(request, compared, ranges)).slice(0, ranges.length);
}

function byDays(
  { start_date }: DayRange,
  compared: DayRange,
  ranges: readonly DayRange[],
): DayRange[] {
  const beside = (day: string) => daysAfter(compared.start_date, daysBetween(start_date, day));
  return ranges
    .map((range) => ({
      start_date: beside(range.start_date),
      end_date: earlier(beside(range.end_date), compared.end_date),
    }))
    .filter((range) => range.start_date <= range.end_date);
}

function yearBefore(request: ComparedRequest): DayRange {
  const last = lastDay(request);
  const isWhole = hasWholeMonths(request) && last === request.end_date;
  return {
    start_date: sameDay(request.start_date, -MONTHS_OF_A_YEAR),
    end_date: isWhole
      ? endOfMonth(monthsAfter(last, -MONTHS_OF_A_YEAR))
      : sameDay(last, -MONTHS_OF_A_YEAR),
  };
}

function daysBefore(request: ComparedRequest): DayRange | null {
  const { start_date, end_date } = request;
  const last = lastDay(request);
  const dayBefore = daysAfter(start_date, -1);
  const days = daysBetween(start_date, last);
  if (!hasWholeMonths(request)) {
    return { start_date: daysAfter(dayBefore, -days), end_date: dayBefore };
  }
  const from = monthsAfter(start_date, monthsBetween(end_date, start_date) - 1);
  // The compared range would begin before the earliest day of any ledger.
  if (from < FIRST_DAY) return null;
  const isOver = last === end_date;
  return {
    start_date: from,
    end_date: isOver ? dayBefore : earlier(daysAfter(from, days), dayBefore),
  };
}

/** Returns the last day of the range, or today if the range is not over. */
function lastDay({ start_date, end_date, today }: ComparedRequest): string {
  return start_date <= today ? earlier(end_date, today) : end_date;
}

function hasWholeMonths({ start_date, end_date }: DayRange): boolean {
  return start_date === monthOf(start_date) && end_date === endOfMonth(end_date);
}

/** Returns the same day of another month, or the last day of that month if it is shorter. */
function sameDay(day: string, months: number): string {
  const month = monthsAfter(day, months);
  return earlier(`${month.slice(0, 8)}${day.slice(8)}`, endOfMonth(month));
}

function earlier(one: string, other: string): string {
  return one < other ? one : other;
}
