import { describe, expect, it } from '@jest/globals';
import { WindowCounters } from '../../../src/platform/limits/store/memory-limit-store.js';

function begin(counters: WindowCounters, name: string, now: number): void {
  counters.set(name, { endsAt: now + 60_000, used: 0 }, now);
}

describe('the windows that are being counted', () => {
  it('go when they are over, as others come', () => {
    const counters = new WindowCounters(1_000_000);
    // Each millisecond has a new address, so 60,000 of them have a window at a time.
    for (let now = 0; now < 300_000; now += 1) begin(counters, String(now), now);
    expect(counters.size).toBeGreaterThanOrEqual(60_000);
    expect(counters.size).toBeLessThanOrEqual(180_000);
  });

  it('stay until they are over, however many are looked at', () => {
    const counters = new WindowCounters(1_000);
    begin(counters, 'one', 0);
    for (let other = 0; other < 500; other += 1) begin(counters, String(other), 0);
    expect(counters.get('one', 59_999)).toBeDefined();
    expect(counters.get('one', 60_000)).toBeUndefined();
  });

  it('are no more than the most: who asked longest ago is forgotten first', () => {
    const counters = new WindowCounters(3);
    for (const name of ['a', 'b', 'c']) begin(counters, name, 0);
    counters.get('a', 1);
    begin(counters, 'd', 1);
    const kept = ['a', 'b', 'c', 'd'].map((name) => counters.get(name, 2) !== undefined);
    expect(kept).toEqual([true, false, true, true]);
  });
});
