import { LRUCache } from 'lru-cache';
import type { LimitWindow, LimitWindows } from '../../common/limit-windows.js';
import { LimitStore, type Taken, type WindowState } from './limit-store.js';

/** Windows that are counted at once; who asked longest ago is forgotten first. */
const MOST_COUNTERS = 200_000;

interface Counter {
  used: number;
  /** By `performance.now()`, which no change of the clock moves. */
  readonly endsAt: number;
}

/** Counts in this process, exactly: nothing comes between the look and the count. */
export class MemoryLimitStore extends LimitStore {
  readonly isShared: boolean = true;
  private readonly counters = new LRUCache<string, Counter>({ max: MOST_COUNTERS });

  override take(name: string, windows: LimitWindows, count: 0 | 1): Taken {
    // Whole, so that what is added to it and taken from it again is the same.
    const now = Math.trunc(performance.now());
    const found = windows.map((window) => this.counterOf(name, window, now));
    const allowed = found.every(
      (counter, index) => (counter?.used ?? 0) + count <= (windows[index]?.requests ?? 0),
    );
    const states = windows.map((window, index) => {
      const counter = found[index];
      return allowed && count === 1
        ? this.counted(name, window, counter, now)
        : stateOf(window, counter, now);
    });
    return { allowed: allowed || count === 0, states };
  }

  private counterOf(name: string, window: LimitWindow, now: number): Counter | undefined {
    const counter = this.counters.get(nameOf(name, window));
    return counter === undefined || counter.endsAt <= now ? undefined : counter;
  }

  private counted(
    name: string,
    window: LimitWindow,
    known: Counter | undefined,
    now: number,
  ): WindowState {
    const counter = known ?? { used: 0, endsAt: now + window.seconds * 1_000 };
    if (known === undefined) this.counters.set(nameOf(name, window), counter);
    counter.used += 1;
    return stateOf(window, counter, now);
  }
}

function stateOf(window: LimitWindow, counter: Counter | undefined, now: number): WindowState {
  return {
    window,
    remaining: Math.max(0, window.requests - (counter?.used ?? 0)),
    resetMs: (counter?.endsAt ?? now + window.seconds * 1_000) - now,
  };
}

function nameOf(name: string, { seconds }: LimitWindow): string {
  return `${name} ${seconds}`;
}
