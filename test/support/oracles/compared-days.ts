/**
 * Finds the days that figures are compared with, as docs/figures.md describes them. It shares no
 * code with the service.
 */
import { intervalsOf, nextDay, type FigureDays } from './figures-oracle.js';

export interface Compared {
  /** The range that is shown, without today. */
  readonly range: FigureDays;
  /** The range that it is compared with. */
  readonly before: FigureDays;
  /** The compared days of each interval of the range; null where there are none left. */
  readonly intervals: readonly (FigureDays | null)[];
}

const DAY_MS = 86_400_000;
const number = (day: string) => Date.parse(day) / DAY_MS;
const dayAt = (at: number) => new Date(at * DAY_MS).toISOString().slice(0, 10);
const least = (one: string, other: string) => (one < other ? one : other);

/** Returns the same day in another month, or the last day of a shorter month. */
function moved(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const made = Date.UTC(year, month - 1 + months, Math.min(date, last));
  return new Date(made).toISOString().slice(0, 10);
}

const isFirst = (day: string) => day.endsWith('-01');
const endOfMonth = (day: string) => dayAt(number(moved(`${day.slice(0, 8)}01`, 1)) - 1);

/** @param today a day after the first one of the range */
export function comparedDays(
  { start_date, end_date }: FigureDays,
  compare: 'previous_period' | 'previous_year',
  interval: string,
  today: string,
): Compared {
  const last = least(end_date, dayAt(number(today) - 1));
  const range = { start_date, end_date: last };
  const areMonths = isFirst(start_date) && isFirst(nextDay(end_date));
  const isOver = last === end_date;
  const before =
    compare === 'previous_year'
      ? yearBefore(range, areMonths && isOver)
      : periodBefore(range, areMonths ? end_date : null);
  const shown = interval === 'none' ? [range] : intervalsOf(range, interval);
  const intervals =
    interval === 'none'
      ? [before]
      : correspondingOf({ start_date, end_date }, before, shown, interval, areMonths, compare);
  return {
    range,
    before,
    intervals: shown.map((_, index) => {
      const each = intervals[index];
      if (each === undefined || each.start_date > before.end_date) return null;
      return { ...each, end_date: least(each.end_date, before.end_date) };
    }),
  };
}

/** Returns the days beside each interval, which may reach beyond the compared range. */
function correspondingOf(
  asked: FigureDays,
  before: FigureDays,
  shown: readonly FigureDays[],
  interval: string,
  areMonths: boolean,
  compare: 'previous_period' | 'previous_year',
): readonly FigureDays[] {
  const isLong = interval !== 'day' && interval !== 'week';
  if (isLong && areMonths) {
    const months = compare === 'previous_year' ? 12 : intervalsOf(asked, 'month').length;
    return intervalsOf(asked, interval).map((each) => ({
      start_date: moved(each.start_date, -months),
      end_date: endOfMonth(moved(`${each.end_date.slice(0, 8)}01`, -months)),
    }));
  }
  if (isLong && compare === 'previous_year') return intervalsOf(before, interval);
  const days = number(before.start_date) - number(asked.start_date);
  return shown.map((each) => ({
    start_date: dayAt(number(each.start_date) + days),
    end_date: dayAt(number(each.end_date) + days),
  }));
}

function yearBefore({ start_date, end_date }: FigureDays, areMonths: boolean): FigureDays {
  const last = moved(end_date, -12);
  return { start_date: moved(start_date, -12), end_date: areMonths ? endOfMonth(last) : last };
}

/** @param months the last day of whole months; null if the range has others */
function periodBefore({ start_date, end_date }: FigureDays, months: string | null): FigureDays {
  const dayBefore = dayAt(number(start_date) - 1);
  const length = number(end_date) - number(start_date);
  if (months === null)
    return { start_date: dayAt(number(dayBefore) - length), end_date: dayBefore };
  const count = intervalsOf({ start_date, end_date: months }, 'month').length;
  const first = moved(start_date, -count);
  const isOver = months === end_date;
  return {
    start_date: first,
    end_date: isOver ? dayBefore : least(dayAt(number(first) + length), dayBefore),
  };
}
