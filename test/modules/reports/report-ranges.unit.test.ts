import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PERIOD_STEPS } from '../../../src/modules/reports/report.model.js';
import { periodsOf } from '../../../src/modules/reports/figures.js';
import {
  daysOf,
  monthSpans,
  monthsOf,
  yearSpans,
} from '../../../src/modules/reports/sums/spans.js';
import { monthsAfter } from '../../../src/platform/values/time.js';
import { holds } from '../../support/random/properties.js';

const DAY_MS = 86_400_000;
const dayAt = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10);
/** Ranges of days from 2023 to 2026, which include a leap year. */
const ranges = fc.tuple(fc.nat({ max: 1_400 }), fc.nat({ max: 1_400 })).map(([one, other]) => ({
  start_date: dayAt(19_358 + Math.min(one, other)),
  end_date: dayAt(19_358 + Math.max(one, other)),
}));

function daysOfMonth(first: string): string[] {
  const next = new Date(`${first}T00:00:00Z`);
  next.setUTCMonth(next.getUTCMonth() + 1);
  return daysOf({ start_date: first, end_date: dayAt(next.getTime() / DAY_MS - 1) });
}

describe('A range as months and days', () => {
  it('is every day of the range once, with half a month of days at most at each end', async () => {
    await holds(
      fc.property(ranges, (range) => {
        const { months, days } = monthSpans(range);
        const counts = new Map<string, number>();
        const count = (day: string, by: number) => counts.set(day, (counts.get(day) ?? 0) + by);
        for (const month of months === null ? [] : monthsOf(months)) {
          for (const day of daysOfMonth(month)) count(day, 1);
        }
        for (const { sign, ...part } of days) for (const day of daysOf(part)) count(day, sign);
        const read = [...counts].filter(([, times]) => times !== 0);
        expect(read.map(([day]) => day).sort()).toEqual(daysOf(range));
        expect(new Set(read.map(([, times]) => times))).toEqual(new Set([1]));
        expect(days.flatMap((part) => daysOf(part)).length).toBeLessThanOrEqual(32);
      }),
      { numRuns: 500 },
    );
  });

  it('is so as years, months and days, with half a year of months at most at each end', async () => {
    await holds(
      fc.property(ranges, (range) => {
        const { years, months, days } = yearSpans(range);
        const counts = new Map<string, number>();
        const count = (day: string, by: number) => counts.set(day, (counts.get(day) ?? 0) + by);
        const whole =
          years === null ? [] : monthsOf({ ...years, end_date: monthsAfter(years.end_date, 11) });
        const parts = [
          ...whole.map((month) => ({ month, sign: 1 })),
          ...months.flatMap(({ sign, ...part }) =>
            monthsOf(part).map((month) => ({ month, sign })),
          ),
        ];
        for (const { month, sign } of parts) for (const day of daysOfMonth(month)) count(day, sign);
        for (const { sign, ...part } of days) for (const day of daysOf(part)) count(day, sign);
        const read = [...counts].filter(([, times]) => times !== 0);
        expect(read.map(([day]) => day).sort()).toEqual(daysOf(range));
        expect(new Set(read.map(([, times]) => times))).toEqual(new Set([1]));
        expect(months.flatMap((part) => monthsOf(part)).length).toBeLessThanOrEqual(12);
      }),
      { numRuns: 500 },
    );
  });
});

describe('The periods of a range', () => {
  it('follow on each other from its first day to its last', async () => {
    await holds(
      fc.property(ranges, fc.constantFrom(...PERIOD_STEPS), (range, by) => {
        const periods = periodsOf(range, by);
        expect(periods.ranges.flatMap((period) => daysOf(period))).toEqual(daysOf(range));
        expect(periods.ranges.length).toBeLessThanOrEqual(400);
      }),
      { numRuns: 200 },
    );
  });

  it('are weeks that begin on Monday, the first and the last cut', () => {
    expect(periodsOf({ start_date: '2025-06-04', end_date: '2025-06-16' }, 'week').ranges).toEqual([
      { start_date: '2025-06-04', end_date: '2025-06-08' },
      { start_date: '2025-06-09', end_date: '2025-06-15' },
      { start_date: '2025-06-16', end_date: '2025-06-16' },
    ]);
  });

  it.each([
    ['2024-01-01', '2025-02-03', 'day', 'day', 400],
    ['2024-01-01', '2025-02-04', 'day', 'week', 58],
    ['2000-01-01', '2024-12-31', 'week', 'month', 300],
    ['1900-01-01', '2025-12-31', 'day', 'year', 126],
    ['9999-12-27', '9999-12-31', 'week', 'week', 1],
    ['9999-12-30', '9999-12-31', 'day', 'day', 2],
  ] as const)('from %s to %s by %s are by %s: %i', (start_date, end_date, asked, by, count) => {
    const periods = periodsOf({ start_date, end_date }, asked);
    expect([periods.by, periods.ranges.length]).toEqual([by, count]);
    expect(periods.ranges.at(-1)?.end_date).toBe(end_date);
  });

  it('are refused over more than 400 years', () => {
    expect(() => periodsOf({ start_date: '1000-01-01', end_date: '1400-01-01' }, 'day')).toThrow(
      'A range may have at most 400 years.',
    );
  });
});
