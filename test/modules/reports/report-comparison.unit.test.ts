import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { comparedPeriods, comparedRange, periodsOf } from '../../../src/modules/reports/figures.js';
import { COMPARISONS, PERIOD_STEPS } from '../../../src/modules/reports/report.model.js';
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

  it('are the same months of the calendar for whole months', () => {
    const range = { start_date: '2025-01-01', end_date: '2025-03-31' };
    const request = { ...range, comparison: 'previous', today: AFTER_ALL } as const;
    const { ranges } = periodsOf(range, 'month');
    const found = comparedRange(request) ?? range;
    const periods = comparedPeriods(request, found, ranges, 'month');
    expect(periods.map(({ start_date }) => start_date)).toEqual([
      '2024-10-01',
      '2024-11-01',
      '2024-12-01',
    ]);
  });
});

describe('A change', () => {
  it.each([
    [150n, 100n, '+50.0 %'],
    [50n, 100n, '-50.0 %'],
    [100n, 100n, 'unchanged'],
    [0n, 0n, 'unchanged'],
    [5n, 0n, ''],
    [0n, 5n, '-100.0 %'],
    [-50n, -100n, '+50.0 %'],
    [1_234_567n, 1n, '+123,456,600.0 %'],
  ])('from %2$s to %1$s is %3$s', (now, before, expected) => {
    expect(changeText(now, before, 'percent')).toBe(expected);
  });

  it('of a rate is in points', () => {
    expect(changeText(1_250n, 1_000n, 'points')).toBe('+2.50 points');
    expect(changeText(975n, 1_000n, 'points')).toBe('-0.25 points');
    expect(changeText(100n, 0n, 'points')).toBe('+1.00 points');
  });
});
