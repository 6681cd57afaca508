import type { LimitWindow, LimitWindows } from '../../../common/limit-windows.js';
import { LimitStore, waitMsOf, type LimitResult, type TakeOptions } from './limit-store.js';
import { WindowCounters } from './window-counters.js';

/** Maximum number of counters. The least recently used are dropped first. */
const MAX_COUNTERS = 200_000;

/** Counts in the memory of this process. */
export class MemoryLimitStore extends LimitStore {
  readonly isShared: boolean = true;
  private readonly counters = new WindowCounters(MAX_COUNTERS);

  override take(
    name: string,
    windows: LimitWindows,
    count: 0 | 1,
    { beside }: TakeOptions = {},
  ): LimitResult {
    // The clock is monotonic and counts integers, so that sums and differences are exact.
    const now = Math.trunc(performance.now());
    const counted = this.countersOf(name, windows, now);
    if (beside !== undefined) counted.push(...this.countersOf(beside.name, beside.windows, now));
    const isFree = counted.every(({ window, counter }) => counter.used < window.requests);
    if (isFree && count === 1) {
      for (const { key, counter } of counted) {
        if (counter.used === 0) this.counters.set(key, counter, now);
        counter.used += 1;
      }
    }
    const states = counted.map(({ window, counter }) => ({
      window,
      remaining: Math.max(0, window.requests - counter.used),
      resetMs: counter.endsAt - now,
    }));
    return { allowed: isFree || count === 0, waitMs: isFree ? 0 : waitMsOf(states), states };
  }

  private countersOf(name: string, windows: LimitWindows, now: number) {
    return windows.map((window) => {
      const key = keyOf(name, window);
      const begun = this.counters.get(key, now);
      return { window, key, counter: begun ?? { endsAt: now + window.seconds * 1_000, used: 0 } };
    });
  }
}

function keyOf(name: string, { seconds }: LimitWindow): string {
  // `join` makes a flat string; a template string keeps its parts, which takes too much memory for
  // thousands of names.
  return [name, seconds].join(' ');
}
