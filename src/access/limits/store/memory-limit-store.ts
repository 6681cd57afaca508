import type { LimitWindow, LimitWindows } from '../../../common/limit-windows.js';
import {
  LimitStore,
  type Allowance,
  type CountResult,
  type LimitResult,
  type TakeOptions,
} from './limit-store.js';
import { WindowCells } from './window-cells.js';
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
    { maxWaitMs = 0, beside }: TakeOptions = {},
  ): LimitResult {
    const counted = this.count(name, windows, count, maxWaitMs, beside);
    return {
      ...counted,
      release: () => {
        this.release(name, windows, counted.at, beside);
      },
    };
  }

  /** Counts as `take` does, but returns only what can be sent to another process. */
  count(
    name: string,
    ofName: LimitWindows,
    count: 0 | 1,
    maxWaitMs: number,
    beside?: Allowance,
  ): CountResult {
    // The clock is monotonic and counts integers, so that sums and differences are exact.
    const now = Math.trunc(performance.now());
    const windows = beside === undefined ? ofName : [...ofName, ...beside.windows];
    const names = windows.map((window, index) =>
      nameOf(index < ofName.length ? name : (beside?.name ?? name), window),
    );
    const cells = names.map((each) => this.counters.get(each, now));
    const at = firstPlace(cells, windows, now);
    const waitMs = at - now;
    const allowed = count === 0 || waitMs <= maxWaitMs;
    if (allowed && count === 1) {
      windows.forEach((window, index) => {
        const counter = cells[index] ?? this.begin(names[index] ?? '', window, now);
        counter.take(at);
        cells[index] = counter;
      });
    }
    const states = windows.map((window, index) =>
      (cells[index] ?? WindowCells.begin(window, now)).stateOf(window, now),
    );
    return { allowed, waitMs, at, states };
  }

  release(name: string, windows: LimitWindows, at: number, beside?: Allowance): void {
    const now = Math.trunc(performance.now());
    for (const window of windows) this.counters.get(nameOf(name, window), now)?.release(at);
    if (beside !== undefined) this.release(beside.name, beside.windows, at);
  }

  private begin(name: string, window: LimitWindow, now: number): WindowCells {
    const cells = WindowCells.begin(window, now);
    this.counters.set(name, cells, now);
    return cells;
  }
}

/**
 * Returns the first time at which every window has a place: now, or the start of a later window.
 */
function firstPlace(
  counters: readonly (WindowCells | undefined)[],
  windows: LimitWindows,
  now: number,
): number {
  let at = now;
  for (let settled = false; !settled;) {
    const from = at;
    windows.forEach(({ requests }, index) => {
      at = counters[index]?.firstFree(at, requests) ?? at;
    });
    settled = at === from;
  }
  return at;
}

function nameOf(name: string, { seconds }: LimitWindow): string {
  // `join` makes a flat string; a template string keeps its parts, which takes too much memory for
  // thousands of names.
  return [name, seconds].join(' ');
}
