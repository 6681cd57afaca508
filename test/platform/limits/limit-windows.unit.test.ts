import { describe, expect, it } from '@jest/globals';
import {
  formatLimitWindows,
  parseLimitWindows,
} from '../../../src/platform/limits/limit-windows.js';

describe('limit windows', () => {
  it.each([
    ['off', []],
    ['20/1s', [{ requests: 20, seconds: 1 }]],
    ['20/s', [{ requests: 20, seconds: 1 }]],
    [
      '600/1m, 20/1s',
      [
        { requests: 20, seconds: 1 },
        { requests: 600, seconds: 60 },
      ],
    ],
    [
      '1/90s,2/2h,3/31d',
      [
        { requests: 1, seconds: 90 },
        { requests: 2, seconds: 7_200 },
        { requests: 3, seconds: 2_678_400 },
      ],
    ],
  ])('are read from %s, the shortest first', (text, windows) => {
    expect(parseLimitWindows(text)).toEqual(windows);
  });

  it.each(
    [
      '',
      '20',
      '20/',
      '/1s',
      '0/1s',
      '20/0s',
      '-1/1s',
      '1.5/1s',
      '20/1s,',
      '20/1w',
      '20/32d',
    ].concat(['20/60s,30/1m', 'OFF', 'off,20/1s', '20/1s 30/1m', '20/1S', '1e3/1s', '20 / 1s']),
  )('refuse %p', (text) => {
    expect(parseLimitWindows(text)).toBeNull();
  });

  it.each([
    ['off', 'off'],
    ['600/60s,20/s', '20/1s,600/1m'],
    ['5/90s,7/48h', '5/90s,7/2d'],
  ])('of %s are written as %s', (text, written) => {
    expect(formatLimitWindows(parseLimitWindows(text) ?? [])).toBe(written);
  });
});
