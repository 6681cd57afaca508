import { ApiError } from '../../api/errors/api-error.js';
import { quotient, rateOf } from '../../platform/values/money.js';
import {
  daysAfter,
  daysBetween,
  endOfMonth,
  monthOf,
  monthsAfter,
  monthsBetween,
} from '../../platform/values/time.js';
import {
  MAX_PERIODS,
  PERIOD_STEPS,
  type DayRange,
  type Figures,
  type PeriodStep,
  type ReportRequest,
} from './report.model.js';
import type { Counts } from './figures/measures.js';

const DAYS_OF_A_WEEK = 7;
const MONTHS_OF_A_QUARTER = 3;

/** Steps of periods: those of charts, and quarters. */
type CalendarStep = PeriodStep | 'quarter';

/** Returns the figures of these counts. Sums that were not read are zero. */
export function figuresFrom(counts: Counts): Figures {
  const { sales, gross, refunds, earnings, fees, affiliate, agent, jv } = counts;
  return {
    sales: Number(sales),
    gross,
    pending: { transactions: Number(counts.pending), amount: counts.pending_amount },
    refunds: { transactions: Number(refunds), amount: counts.refunded },
    chargebacks: { transactions: Number(counts.chargebacks), amount: counts.charged_back },
    earnings,
    commissions: affiliate + agent + jv,
    fees,
    parties: { affiliate, agent, jv },
    refund_rate: rateOf(refunds, sales),
    average_order: quotient(gross, sales),
  };
}

/**
 * Splits a range at the days on which its parts begin. Days outside of the range are ignored.
 */
export function splitAt({ start_date, end_date }: DayRange, days: readonly string[]): DayRange[] {
  const within = days.filter((day) => day > start_date && day <= end_date).sort();
  const starts = [...new Set([start_date, ...within])];
  return starts.map((day, index) => {
    const next = starts[index + 1];
    return { start_date: day, end_date: next === undefined ? end_date : daysAfter(next, -1) };
  });
}

/** Returns the step of a chart, unless another one is requested. */
export function stepFor({ start_date, end_date }: DayRange): PeriodStep {
  const days = daysBetween(start_date, end_date) + 1;
  if (days <= 62) return 'day';
  return days <= 366 ? 'week' : 'month';
}

/**
 * Splits a range into periods of the requested step, or of a longer one if there would be too many.
 * The first and the last period are cut to the range; a range that ends before it begins has none.
 * @throws ApiError invalid_parameters if there are more than MAX_PERIODS years
 */
export function periodsOf(range: DayRange, by: PeriodStep): { by: PeriodStep; ranges: DayRange[] } {
  if (range.end_date < range.start_date) return { by, ranges: [] };
  for (const step of PERIOD_STEPS.slice(PERIOD_STEPS.indexOf(by))) {
    const ranges = periodsIn(range, step);
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

/**
 * Splits a range by the calendar. The first and the last period are cut to the range.
 * @returns null if there are more than `max` periods
 */
export function periodsIn(
  { start_date, end_date }: DayRange,
  step: CalendarStep,
  max = MAX_PERIODS,
): DayRange[] | null {
  const ranges: DayRange[] = [];
  for (let from = start_date; ; from = daysAfter(from, 1)) {
    const to = endOfPeriod(from, end_date, step);
    ranges.push({ start_date: from, end_date: to });
    if (to === end_date) return ranges;
    if (ranges.length === max) return null;
    from = to;
  }
}

function endOfPeriod(day: string, end_date: string, step: CalendarStep): string {
  const left = daysBetween(day, end_date);
  return daysAfter(day, Math.min(left, daysBetween(day, lastDay(day, step, left))));
}

function lastDay(day: string, step: CalendarStep, left: number): string {
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
    case 'quarter': {
      const others =
        MONTHS_OF_A_QUARTER - 1 - ((Number(day.slice(5, 7)) - 1) % MONTHS_OF_A_QUARTER);
      return endOfMonth(monthsAfter(day, others));
    }
    case 'year':
      return `${day.slice(0, 4)}-12-31`;
  }
}

/** Earliest day that a ledger can have. */
export const FIRST_DAY = '1000-01-01';
const MONTHS_OF_A_YEAR = 12;

type ComparedRequest = DayRange & Pick<ReportRequest, 'comparison' | 'today'>;

/**
 * Returns the range that a range is compared with. Whole months are compared with whole months,
 * other ranges with the same number of days. If the range is not over, only its days before today
 * are compared, because today is not over.
 * @returns null if there is none
 */
export function comparedRange(request: ComparedRequest): DayRange | null {
  const { comparison, start_date, today } = request;
  if (comparison === 'none' || start_date < FIRST_DAY || start_date >= today) return null;
  const range = comparison === 'year' ? yearBefore(request) : daysBefore(request);
  return range === null || range.start_date < FIRST_DAY ? null : range;
}

/**
 * Returns the periods of the compared range that correspond to those of the range: by month, quarter
 * and year, the same whole months before, or the same periods of the calendar a year before; or else
 * periods that begin the same number of days after the start. Periods that reach beyond the compared
 * range are cut or left out.
 * @param ranges the periods of the range
 */
export function comparedPeriods(
  request: ComparedRequest,
  compared: DayRange,
  ranges: readonly DayRange[],
  by: CalendarStep,
): DayRange[] {
  return correspondingOf(request, compared, ranges, by)
    .slice(0, ranges.length)
    .map((range) => ({ ...range, end_date: earlier(range.end_date, compared.end_date) }))
    .filter((range) => range.start_date <= range.end_date);
}

function correspondingOf(
  request: ComparedRequest,
  compared: DayRange,
  ranges: readonly DayRange[],
  by: CalendarStep,
): DayRange[] {
  if (by === 'day' || by === 'week') return byDays(request, compared, ranges);
  if (hasWholeMonths(request)) return byMonths(request, compared, ranges, by);
  const isYear = request.comparison === 'year';
  return (isYear ? periodsIn(compared, by, Infinity) : null) ?? byDays(request, compared, ranges);
}

function byDays(
  { start_date }: DayRange,
  compared: DayRange,
  ranges: readonly DayRange[],
): DayRange[] {
  const beside = (day: string) => daysAfter(compared.start_date, daysBetween(start_date, day));
  return ranges.map((range) => ({
    start_date: beside(range.start_date),
    end_date: beside(range.end_date),
  }));
}

function byMonths(
  { start_date, end_date }: DayRange,
  compared: DayRange,
  ranges: readonly DayRange[],
  by: CalendarStep,
): DayRange[] {
  const months = -monthsBetween(compared.start_date, start_date);
  return ranges.map((range) => ({
    start_date: monthsAfter(range.start_date, months),
    end_date: endOfMonth(monthsAfter(endOfPeriod(range.start_date, end_date, by), months)),
  }));
}

function yearBefore(request: ComparedRequest): DayRange {
  const last = lastComparedDay(request);
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
  const last = lastComparedDay(request);
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

/** Returns the last day of the range that is over. */
export function lastComparedDay({
  end_date,
  today,
}: Pick<ComparedRequest, 'end_date' | 'today'>): string {
  return earlier(end_date, daysAfter(today, -1));
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
