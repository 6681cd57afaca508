import { LRUCache } from 'lru-cache';
import type { LimitWindow, LimitWindows } from '../../../common/limit-windows.js';
import { LimitStore, type Counted, type Taken } from './limit-store.js';
import { WindowCells } from './window-cells.js';

/** Windows that are counted at once; who asked longest ago is forgotten first. */
const MOST_COUNTERS = 200_000;

/** Counts in this process, exactly: nothing comes between the look and the count. */
export class MemoryLimitStore extends LimitStore {
  readonly isShared: boolean = true;
  private readonly counters = new LRUCache<string, WindowCells>({ max: MOST_COUNTERS });

  override take(name: string, windows: LimitWindows, count: 0 | 1, longestWaitMs = 0): Taken {
    const counted = this.count(name, windows, count, longestWaitMs);
    return {
      ...counted,
      giveBack: () => {
        this.giveBack(name, windows, counted.at);
      },
    };
  }

  /** `take`, for one who asks from another process. */
  count(name: string, windows: LimitWindows, count: 0 | 1, longestWaitMs: number): Counted {
    // Whole, and by a clock that nobody sets, so that what is added to it and taken from it is the same.
    const now = Math.trunc(performance.now());
    const cells = windows.map((window) => this.cellsOf(name, window, now));
    const at = firstPlace(cells, windows, now);
    const waitMs = at - now;
    const allowed = count === 0 || waitMs <= longestWaitMs;
    if (allowed && count === 1) {
      windows.forEach((window, index) => {
        const counter = cells[index] ?? this.begin(name, window, now);
        counter.take(at);
        cells[index] = counter;
      });
    }
    const states = windows.map((window, index) =>
      (cells[index] ?? WindowCells.begin(window, now)).stateOf(window, now),
    );
    return { allowed, waitMs, at, states };
  }

  /** Frees a place that was taken. */
  giveBack(name: string, windows: LimitWindows, at: number): void {
    for (const window of windows) this.counters.get(nameOf(name, window))?.giveBack(at);
  }

  private cellsOf(name: string, window: LimitWindow, now: number): WindowCells | undefined {
    const cells = this.counters.get(nameOf(name, window));
    return cells?.reaches(now) === true ? cells : undefined;
  }

  private begin(name: string, window: LimitWindow, now: number): WindowCells {
    const cells = WindowCells.begin(window, now);
    this.counters.set(nameOf(name, window), cells);
    return cells;
  }
}

/** @returns when every window has a place: now, or at the beginning of one that follows */
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
  return `${name} ${seconds}`;
}
