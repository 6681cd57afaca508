import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  comparedPeriods,
  comparedRange,
  lastComparedDay,
  periodsOf,
} from '../../../src/modules/reports/figures.js';
import type { Interval } from '../../../src/modules/reports/figures/figure.model.js';
import { calendarIntervals } from '../../../src/modules/reports/figures/intervals.js';
import {
  COMPARISONS,
  PERIOD_STEPS,
  type DayRange,
} from '../../../src/modules/reports/report.model.js';
import { changeText } from '../../../src/modules/reports/ranges/key-figures.view.js';
import { holds } from '../../support/random/properties.js';

const DAY_MS = 86_400_000;
const dayAt = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10);
const AFTER_ALL = '2100-01-01';

/** Returns the compared range as `first..last`, or null. */
function compared(range: string, comparison: 'previous' | 'year', today = AFTER_ALL) {
  const [start_date = '', end_date = ''] = range.split('..');
  const found = comparedRange({ start_date, end_date, comparison, today });
  return found === null ? null : `${found.start_date}..${found.end_date}`;
}

describe('The previous period', () => {
  it.each([
    ['as many days', '2025-03-10..2025-03-19', '2025-02-28..2025-03-09'],
    ['one day', '2025-03-01..2025-03-01', '2025-02-28..2025-02-28'],
    ['a whole month', '2025-03-01..2025-03-31', '2025-02-01..2025-02-28'],
    ['a whole quarter', '2025-01-01..2025-03-31', '2024-10-01..2024-12-31'],
    ['a whole year', '2024-01-01..2024-12-31', '2023-01-01..2023-12-31'],
    ['the first days there are', '1000-01-01..1000-01-31', null],
    ['a whole age', '2025-08-01..9000-12-31', null],
    ['days before all days', '0000-01-01..2025-12-30', null],
  ])('of %s', (_, range, expected) => {
    expect(compared(range, 'previous')).toBe(expected);
  });

  it.each([
    ['a month under way', '2025-11-01..2025-11-30', '2025-11-24', '2025-10-01..2025-10-23'],
    ['a longer month under way', '2025-03-01..2025-03-31', '2025-03-30', '2025-02-01..2025-02-28'],
    ['a quarter under way', '2025-10-01..2025-12-31', '2025-11-24', '2025-07-01..2025-08-23'],
    ['days under way', '2025-11-20..2025-12-10', '2025-11-24', '2025-11-16..2025-11-19'],
    ['today', '2025-11-24..2025-11-24', '2025-11-24', null],
    ['a month to come', '2025-11-01..2025-11-30', '2025-10-05', null],
  ])('of %s has the days before today', (_, range, today, expected) => {
    expect(compared(range, 'previous', today)).toBe(expected);
  });
});

describe('The previous year', () => {
  it.each([
    ['a month', '2025-03-01..2025-03-31', AFTER_ALL, '2024-03-01..2024-03-31'],
    ['a longer February', '2025-02-01..2025-02-28', AFTER_ALL, '2024-02-01..2024-02-29'],
    ['a leap day', '2024-02-29..2024-03-02', AFTER_ALL, '2023-02-28..2023-03-02'],
    ['a month under way', '2025-11-01..2025-11-30', '2025-11-24', '2024-11-01..2024-11-23'],
  ])('of %s', (_, range, today, expected) => {
    expect(compared(range, 'year', today)).toBe(expected);
  });
});

describe('The periods of the compared range', () => {
  const asked = fc.record({
    days: fc.tuple(fc.nat({ max: 1_400 }), fc.nat({ max: 1_400 })),
    today: fc.nat({ max: 1_800 }),
    by: fc.constantFrom(...PERIOD_STEPS),
    comparison: fc.constantFrom(...COMPARISONS),
  });

  it('follow each other from its first day on, inside of it, at most as many as the periods', async () => {
    await holds(
      fc.property(asked, ({ days, today, by, comparison }) => {
        const [first, last] = [...days].sort((left, right) => left - right);
        const range = {
          start_date: dayAt(19_358 + (first ?? 0)),
          end_date: dayAt(19_358 + (last ?? 0)),
        };
        const request = { ...range, comparison, today: dayAt(19_358 + today) };
        const found = comparedRange(request);
        if (found === null) return;
        const { by: step, ranges } = periodsOf(range, by);
        const periods = comparedPeriods(request, found, ranges, step);
        expect(periods.length).toBeLessThanOrEqual(ranges.length);
        let next = found.start_date;
        for (const { start_date, end_date } of periods) {
          expect(start_date).toBe(next);
          expect(end_date >= start_date && end_date <= found.end_date).toBe(true);
          next = dayAt(Date.parse(end_date) / DAY_MS + 1);
        }
      }),
      { numRuns: 500 },
    );
  });

  /** Returns the periods of a range with those that they are compared with. */
  function beside(
    range: string,
    by: Interval,
    comparison: 'previous' | 'year' = 'previous',
    today = AFTER_ALL,
  ): string[] {
    const [start_date = '', end_date = ''] = range.split('..');
    const request = { start_date, end_date, comparison, today };
    const over = { start_date, end_date: lastComparedDay(request) };
    const { ranges } = calendarIntervals(over, by);
    const found = comparedRange(request) ?? over;
    const periods = comparedPeriods(request, found, ranges, by);
    return ranges.map((each, index) => `${shown(each)} ${shown(periods[index])}`);
  }

  it.each([
    [
      'months',
      '2025-01-01..2025-02-28',
      'month',
      ['01-01..01-31 11-01..11-30', '02-01..02-28 12-01..12-31'],
    ],
    [
      'quarters',
      '2025-01-01..2025-06-30',
      'quarter',
      ['01-01..03-31 07-01..09-30', '04-01..06-30 10-01..12-31'],
    ],
    [
      'quarters of a leap year',
      '2024-01-01..2024-06-30',
      'quarter',
      ['01-01..03-31 07-01..09-30', '04-01..06-30 10-01..12-31'],
    ],
    [
      'parts of quarters',
      '2025-02-01..2025-05-31',
      'quarter',
      ['02-01..03-31 10-01..11-30', '04-01..05-31 12-01..01-31'],
    ],
    [
      'years, the first of them a leap year',
      '2024-01-01..2025-12-31',
      'year',
      ['01-01..12-31 01-01..12-31', '01-01..12-31 01-01..12-31'],
    ],
    [
      'a part of a year',
      '2025-11-01..2026-02-28',
      'year',
      ['11-01..12-31 07-01..08-31', '01-01..02-28 09-01..10-31'],
    ],
  ] as const)('are the whole months before for %s', (_, range, by, expected) => {
    expect(beside(range, by)).toEqual(expected);
  });

  it.each([
    [
      'by quarter',
      '2025-07-01..2025-12-31',
      'quarter',
      '2025-11-24',
      ['07-01..09-30 01-01..03-31', '10-01..11-23 04-01..05-26'],
    ],
    [
      'by month',
      '2025-10-01..2025-12-31',
      'month',
      '2025-11-24',
      ['10-01..10-31 07-01..07-31', '11-01..11-23 08-01..08-23'],
    ],
    [
      'by month, of which the first is over',
      '2025-08-01..2025-09-30',
      'month',
      '2025-09-01',
      ['08-01..08-31 06-01..06-30'],
    ],
  ] as const)('leave out today %s', (_, range, by, today, expected) => {
    expect(beside(range, by, 'previous', today)).toEqual(expected);
  });

  it('are a year before, with the leap day, if they are compared with the previous year', () => {
    expect(beside('2025-01-01..2025-06-30', 'quarter', 'year')).toEqual([
      '01-01..03-31 01-01..03-31',
      '04-01..06-30 04-01..06-30',
    ]);
    expect(beside('2025-02-01..2025-02-28', 'month', 'year')).toEqual([
      '02-01..02-28 02-01..02-29',
    ]);
  });
});

/** Returns a period without its year. */
function shown(range: DayRange | undefined): string {
  return range === undefined ? '' : `${range.start_date.slice(5)}..${range.end_date.slice(5)}`;
}

describe('A change', () => {
  it.each([
    [150n, 100n, '+50.0%'],
    [50n, 100n, '−50.0%'],
    [100n, 100n, 'unchanged'],
    [0n, 0n, 'unchanged'],
    [5n, 0n, ''],
    [0n, 5n, '−100.0%'],
    [-50n, -100n, '+50.0%'],
    [1_234_567n, 1n, '+123,456,600.0%'],
  ])('from %2$s to %1$s is %3$s', (now, before, expected) => {
    expect(changeText(now, before, 'percent')).toBe(expected);
  });

  it('of a rate is in points', () => {
    expect(changeText(1_250n, 1_000n, 'points')).toBe('+2.5 pp');
    expect(changeText(975n, 1_000n, 'points')).toBe('−0.3 pp');
    expect(changeText(100n, 0n, 'points')).toBe('+1.0 pp');
  });
});
