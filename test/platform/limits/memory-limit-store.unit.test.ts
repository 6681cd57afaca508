import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { secondsToWait } from '../../../src/platform/limits/store/limit-store.js';
import { MemoryLimitStore } from '../../../src/platform/limits/store/memory-limit-store.js';
import { parseLimitWindows } from '../../../src/platform/limits/limit-windows.js';

const windows = (text: string) => parseLimitWindows(text) ?? [];

let store: MemoryLimitStore;
beforeEach(() => {
  jest.useFakeTimers();
  store = new MemoryLimitStore();
});
afterEach(() => {
  jest.useRealTimers();
});

const take = (text: string, count: 0 | 1 = 1, name = 'one') =>
  store.take({ name, windows: windows(text), count });
const left = (text: string) => take(text, 0).states.map(({ remaining }) => remaining);

describe('the count in memory', () => {
  it('allows as many as there are, to the last', () => {
    const allowed = Array.from({ length: 5 }, () => take('3/10s').allowed);
    expect(allowed).toEqual([true, true, true, false, false]);
  });

  it('begins anew when the window that began with the first request is over', () => {
    for (let asked = 0; asked < 3; asked += 1) take('3/10s');
    jest.advanceTimersByTime(9_999);
    expect(take('3/10s').allowed).toBe(false);
    jest.advanceTimersByTime(1);
    expect(take('3/10s')).toMatchObject({ allowed: true, states: [{ remaining: 2 }] });
  });

  it('takes from no window what another refuses', () => {
    take('1/1s,5/1m');
    expect(take('1/1s,5/1m').allowed).toBe(false);
    expect(left('1/1s,5/1m')).toEqual([0, 4]);
  });

  it('tells a wait after which the next is allowed, whichever window refused', () => {
    for (let asked = 0; asked < 4; asked += 1) {
      take('2/1s,4/1m');
      jest.advanceTimersByTime(600);
    }
    const refused = take('2/1s,4/1m');
    expect(refused.allowed).toBe(false);
    jest.advanceTimersByTime(secondsToWait(refused) * 1_000);
    expect(take('2/1s,4/1m').allowed).toBe(true);
  });

  it('only looks where nothing is to be taken', () => {
    expect(take('1/1s', 0).allowed).toBe(true);
    expect(take('1/1s').allowed).toBe(true);
    expect(take('1/1s', 0)).toMatchObject({ allowed: true, states: [{ remaining: 0 }] });
  });

  it('counts each name for itself', () => {
    take('1/1s');
    expect(take('1/1s').allowed).toBe(false);
    expect(take('1/1s', 1, 'two').allowed).toBe(true);
  });

  it('goes on counting in the same window when its limit is changed', () => {
    take('2/1m');
    take('2/1m');
    expect(take('5/1m')).toMatchObject({ allowed: true, states: [{ remaining: 2 }] });
    expect(take('1/1m')).toMatchObject({ allowed: false, states: [{ remaining: 0 }] });
  });

  it('tells the wait for the last of the windows that are full, and counts in none meanwhile', () => {
    const asked = Array.from({ length: 4 }, () => take('2/1s,2/3s'));
    expect(asked.map(({ waitMs }) => waitMs)).toEqual([0, 0, 3_000, 3_000]);
    jest.advanceTimersByTime(1_000);
    expect(take('2/1s,2/3s')).toMatchObject({
      allowed: false,
      waitMs: 2_000,
      states: [
        { remaining: 2, resetMs: 1_000 },
        { remaining: 0, resetMs: 2_000 },
      ],
    });
  });

  it('counts what is beside with it, or neither', () => {
    const beside = { name: 'beside', windows: windows('3/1m') };
    const both = (text: string) =>
      store.take({ name: 'one', windows: windows(text), count: 1, beside });
    expect(both('2/1s').states.map(({ remaining }) => remaining)).toEqual([1, 2]);
    both('2/1s');
    expect(both('2/1s')).toMatchObject({ allowed: false, waitMs: 1_000 });
    jest.advanceTimersByTime(1_000);
    expect(both('2/1s').states.map(({ remaining }) => remaining)).toEqual([1, 0]);
    expect(both('2/1s')).toMatchObject({ allowed: false, waitMs: 59_000 });
    expect(left('2/1s')).toEqual([1]);
  });

  it('answers the library in its own terms', async () => {
    await store.increment('library', 10_000, 1);
    expect(await store.increment('library', 10_000, 1)).toEqual({
      totalHits: 1,
      timeToExpire: 10,
      isBlocked: true,
      timeToBlockExpire: 10,
    });
  });
});
