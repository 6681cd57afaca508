import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { secondsToWait } from '../../../src/access/limits/store/limit-store.js';
import { MemoryLimitStore } from '../../../src/access/limits/store/memory-limit-store.js';
import { parseLimitWindows } from '../../../src/common/limit-windows.js';

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
  store.take(name, windows(text), count);
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

  it('keeps a place in the next windows, in the order of asking, for who may wait that long', () => {
    const waits = Array.from({ length: 8 }, () =>
      store.take('one', windows('2/1s'), 1, { maxWaitMs: 2_000 }),
    );
    expect(waits.map(({ allowed, waitMs }) => [allowed, waitMs])).toEqual([
      ...[0, 0, 1_000, 1_000, 2_000, 2_000].map((waitMs) => [true, waitMs]),
      ...[3_000, 3_000].map((waitMs) => [false, waitMs]),
    ]);
  });

  it('never has more in a window than its limit, whoever waited for it', () => {
    for (let asked = 0; asked < 4; asked += 1)
      store.take('one', windows('3/1s'), 1, { maxWaitMs: 1_000 });
    jest.advanceTimersByTime(1_000);
    expect([take('3/1s').allowed, take('3/1s').allowed, take('3/1s').allowed]).toEqual([
      true,
      true,
      false,
    ]);
    jest.advanceTimersByTime(1_000);
    expect(left('3/1s')).toEqual([3]);
  });

  it('keeps a place in all windows at once', () => {
    const waits = Array.from({ length: 7 }, () =>
      store.take('one', windows('2/1s,3/3s'), 1, { maxWaitMs: 6_000 }),
    );
    expect(waits.map(({ waitMs }) => waitMs)).toEqual([0, 0, 1_000, 3_000, 3_000, 4_000, 6_000]);
    expect(waits.every(({ allowed }) => allowed)).toBe(true);
    jest.advanceTimersByTime(4_000);
    expect(left('2/1s,3/3s')).toEqual([1, 0]);
  });

  it('gives a place that was given back to the next who asks', () => {
    const places = Array.from({ length: 6 }, () =>
      store.take('one', windows('2/1s'), 1, { maxWaitMs: 2_000 }),
    );
    places[3]?.release();
    expect(store.take('one', windows('2/1s'), 1, { maxWaitMs: 2_000 }).waitMs).toBe(1_000);
    expect(store.take('one', windows('2/1s'), 1, { maxWaitMs: 2_000 }).allowed).toBe(false);
    jest.advanceTimersByTime(3_000);
    places[5]?.release();
    expect(left('2/1s')).toEqual([2]);
  });

  it('tells of an exhausted window when one begins that has a place', () => {
    for (let asked = 0; asked < 4; asked += 1)
      store.take('one', windows('2/1s'), 1, { maxWaitMs: 1_000 });
    const refused = store.take('one', windows('2/1s'), 1, { maxWaitMs: 1_000 });
    expect(refused).toMatchObject({ allowed: false, states: [{ remaining: 0, resetMs: 2_000 }] });
    expect(secondsToWait(refused)).toBe(2);
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
