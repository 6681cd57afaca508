import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  dayOf,
  endOfDay,
  formatDateTime,
  isCalendarDay,
  missingDayIn,
  dateTimeOf,
  monthsAfter,
  monthsBetween,
  parseDateTime,
  startOfDay,
} from '../../../src/platform/values/time.js';
import { holds } from '../../support/random/properties.js';

const DAY_MS = 86_400_000;
const pad = (part: number, length = 2) => String(part).padStart(length, '0');

describe('isCalendarDay', () => {
  it('accepts every day of seven centuries and no other text', () => {
    const real = new Set<string>();
    for (let at = Date.UTC(1599, 0, 1); at < Date.UTC(2301, 0, 1); at += DAY_MS) {
      real.add(new Date(at).toISOString().slice(0, 10));
    }
    const wrong: string[] = [];
    for (let year = 1599; year <= 2300; year += 1) {
      for (let month = 0; month <= 13; month += 1) {
        for (let day = 0; day <= 32; day += 1) {
          const text = `${pad(year, 4)}-${pad(month)}-${pad(day)}`;
          if (isCalendarDay(text) !== real.has(text)) wrong.push(text);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it.each([
    '',
    '2025',
    '2025-06',
    '2025-6-01',
    '2025-06-1',
    '20250601',
    '2025/06/01',
    '25-06-01',
    ' 2025-06-01',
    '2025-06-01 ',
    '2025-06-01\n',
    '2025-06-01T00:00:00Z',
    '02025-06-01',
    '-2025-06-01',
    '+2025-06-01',
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '٢٠٢٥-٠٦-٠١',
  ])('refuses %j', (text) => {
    expect(isCalendarDay(text)).toBe(false);
  });

  it.each(['2024-02-29', '2000-02-29', '2025-12-31', '9999-12-31'])('accepts %s', (text) => {
    expect(isCalendarDay(text)).toBe(true);
  });
});

describe('parseDateTime', () => {
  it.each([
    ['2025-06-01T14:03:11-04:00', '2025-06-01 18:03:11'],
    ['2025-06-01T14:03:11Z', '2025-06-01 14:03:11'],
    ['2025-06-01T00:00:00+00:01', '2025-05-31 23:59:00'],
    ['2025-12-31T23:59:59-00:01', '2026-01-01 00:00:59'],
    ['2024-02-28T23:30:00-01:00', '2024-02-29 00:30:00'],
    ['2024-03-01T05:00:00+05:30', '2024-02-29 23:30:00'],
    ['2025-06-01T12:00:00+23:59', '2025-05-31 12:01:00'],
    ['0999-12-31T20:00:00-04:00', '1000-01-01 00:00:00'],
    ['9999-12-31T23:59:59Z', '9999-12-31 23:59:59'],
    ['1000-01-01T00:00:00Z', '1000-01-01 00:00:00'],
    ['2025-06-01T14:03:11-0400', '2025-06-01 18:03:11'],
    ['2025-06-01T14:03:11-04', '2025-06-01 18:03:11'],
    ['2025-06-01T14:03:11+0530', '2025-06-01 08:33:11'],
    ['2025-06-01T14:03:11+0000', '2025-06-01 14:03:11'],
    ['2025-06-01t14:03:11z', '2025-06-01 14:03:11'],
    ['2025-06-01 14:03:11Z', '2025-06-01 14:03:11'],
    ['2025-06-01 14:03:11 +0200', '2025-06-01 12:03:11'],
    ['2025-06-01T14:03Z', '2025-06-01 14:03:00'],
    ['2025-06-01 14:03+02', '2025-06-01 12:03:00'],
  ])('reads %s in UTC', (text, expected) => {
    expect(parseDateTime(text)).toBe(expected);
  });

  it.each([
    '2025-06-01T12:00:00.999999999Z',
    '2025-06-01T12:00:00.0Z',
    '2025-06-01T12:00:00,5Z',
    '2025-06-01 12:00:00.123+00',
  ])('drops the fraction of %s', (text) => {
    expect(parseDateTime(text)).toBe('2025-06-01 12:00:00');
  });

  it.each([
    '1000-01-01T00:00:00+00:01',
    '0999-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-00:01',
    '10000-01-01T00:00:00Z',
    '0000-01-01T00:00:00+14:00',
  ])('refuses %s, outside the years 1000 to 9999', (text) => {
    expect(parseDateTime(text)).toBeNull();
  });

  it.each([
    '',
    '2025-06-01',
    '2025-06-01T12:00:00',
    '2025-06-01 12:00',
    '2025-06-01T12Z',
    '2025-06-01T24:00:00Z',
    '2025-06-01T12:60:00Z',
    '2025-06-01T12:00:60Z',
    '2025-02-29T12:00:00Z',
    '2025-13-01T12:00:00Z',
    '2025-06-01T12:00:00+24:00',
    '2025-06-01T12:00:00+00:60',
    '2025-06-01T12:00:00+0060',
    '2025-06-01T12:00:00+2',
    '2025-06-01T12:00:00+020',
    '2025-06-01T12:00:00+02:',
    '2025-06-01T12:00:00+02:0',
    '2025-06-01T12:00:00.Z',
    '2025-06-01T12:00.5Z',
    '2025-06-01T12:00:00Z\n',
    ' 2025-06-01T12:00:00Z',
    'now',
    '1748779200',
    '2025-06-01  12:00:00Z',
    '2025-06-01_12:00:00Z',
    '2025-06-01T12:00:00  +02:00',
    '2025-06-01T12:00:00 EST',
  ])('refuses %j', (text) => {
    expect(parseDateTime(text)).toBeNull();
  });

  it('reads any second in any offset, in every form, as the same time', async () => {
    const second = fc.integer({ min: Date.UTC(1001) / 1_000, max: Date.UTC(9999) / 1_000 });
    const minutes = fc.integer({ min: -1_439, max: 1_439 });
    await holds(
      fc.property(second, minutes, (at, offset) => {
        const local = new Date(at * 1_000 + offset * 60_000).toISOString().slice(0, 19);
        const size = Math.abs(offset);
        const zone = `${offset < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
        const utc = new Date(at * 1_000).toISOString().slice(0, 19).replace('T', ' ');
        expect(parseDateTime(local + zone)).toBe(utc);
        const other = `${local.replace('T', ' ')}.9 ${zone.replace(':', '')}`;
        expect(parseDateTime(other)).toBe(utc);
      }),
    );
  });

  it('has no daylight saving time: each half hour of a year is different', () => {
    const moments = new Set<string | null>();
    const begin = Date.UTC(2025, 0, 1);
    for (let at = begin; at < Date.UTC(2026, 0, 1); at += DAY_MS / 48) {
      moments.add(parseDateTime(new Date(at).toISOString()));
    }
    expect([moments.size, moments.has(null)]).toEqual([365 * 48, false]);
  });
});

describe('missingDayIn', () => {
  it.each([
    ['2026-11-31', '2026-11-31'],
    ['2026-11-31T10:00:00Z', '2026-11-31'],
    ['2025-02-29 10:00+0200', '2025-02-29'],
    ['0000-00-00', '0000-00-00'],
    ['2026-11-30', null],
    ['2026-11-30T10:00:00Z', null],
    ['2026-11-31T10:00:00', null],
    ['2026-11-31T25:00:00Z', null],
    ['31.11.2026', null],
  ])('of %s is %s', (text, expected) => {
    expect(missingDayIn(text)).toBe(expected);
  });
});

describe('a date-time', () => {
  it('is written with an explicit offset', () => {
    expect(formatDateTime('2025-06-01 18:03:11')).toBe('2025-06-01T18:03:11+00:00');
  });

  it('is a Date truncated to the second', () => {
    expect(dateTimeOf(new Date('2025-06-01T18:03:11.999Z'))).toBe('2025-06-01 18:03:11');
  });

  it('is on a day from its first to its last second', () => {
    expect(dayOf('2025-06-01 18:03:11')).toBe('2025-06-01');
    expect(startOfDay('2025-06-01')).toBe('2025-06-01 00:00:00');
    expect(endOfDay('2025-06-01')).toBe('2025-06-01 23:59:59');
  });
});

describe('a month', () => {
  it.each([
    ['2025-06-17', 0, '2025-06-01'],
    ['2025-12-31', 1, '2026-01-01'],
    ['2025-01-31', -1, '2024-12-01'],
    ['2025-06-01', -30, '2022-12-01'],
    ['1000-01-01', -1, '0999-12-01'],
  ])('%s and %i months is %s', (day, months, expected) => {
    expect(monthsAfter(day, months)).toBe(expected);
    expect(monthsBetween(day, expected)).toBe(months);
  });
});
