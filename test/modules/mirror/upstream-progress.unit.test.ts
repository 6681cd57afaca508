import { describe, expect, it } from '@jest/globals';
import {
  monthsReadOf,
  progressTextOf,
} from '../../../src/modules/mirror/upstreams/upstream.model.js';

const RUN = {
  run: 'full',
  wanted: null,
  state: 'active',
  problems: [],
  first_day: '2023-11-20',
  last_day: '2025-02-03',
  next_day: '2025-02-03',
} as const;

describe('the months that are read', () => {
  it.each([
    ['2025-02-03', 0],
    ['2025-02-01', 0],
    ['2025-01-31', 1],
    ['2024-12-31', 2],
    ['2024-01-01', 13],
    ['2023-12-31', 14],
    ['2023-11-20', 15],
    ['2023-11-19', 16],
    ['2023-10-31', 16],
    [null, 16],
  ])('are counted from the newest: with %s still to be read, %i', (next_day, done) => {
    expect(monthsReadOf({ ...RUN, next_day })).toEqual({ done, all: 16 });
  });

  it('are one for a run within a month', () => {
    const days = { first_day: '2025-02-01', last_day: '2025-02-03', next_day: '2025-02-02' };
    expect(monthsReadOf({ ...RUN, ...days })).toEqual({ done: 0, all: 1 });
    expect(progressTextOf({ ...RUN, ...days })).toBe('0 of 1 month');
  });

  it('are never fewer than none', () => {
    expect(monthsReadOf({ ...RUN, next_day: '2025-03-01' })).toEqual({ done: 0, all: 16 });
  });

  it('are unknown between runs, and until the first sale is known', () => {
    expect(monthsReadOf({ ...RUN, run: null })).toBeNull();
    expect(monthsReadOf({ ...RUN, first_day: null, last_day: null, next_day: null })).toBeNull();
  });
});

describe('the progress in words', () => {
  it.each([
    [{}, '0 of 16 months'],
    [{ next_day: '2024-12-31' }, '2 of 16 months'],
    [{ first_day: null }, 'looking for the first sale'],
    [{ first_day: null, state: 'paused' }, 'once resumed, to read everything'],
    [{ run: null, wanted: 'full' }, 'about to read everything'],
    [{ run: null, wanted: 'recent' }, 'about to read the last 3 days'],
    [{ run: null, wanted: 'full', state: 'paused' }, 'once resumed, to read everything'],
    [{ run: null }, 'up to date'],
  ] as const)('of %j is: %s', (changes, text) => {
    expect(progressTextOf({ ...RUN, ...changes })).toBe(text);
  });
});
