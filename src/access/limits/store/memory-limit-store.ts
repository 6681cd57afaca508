import type { LimitWindow, LimitWindows } from '../../../common/limit-windows.js';
import {
  LimitStore,
  type Allowance,
  type Asker,
  type CountResult,
  type LimitResult,
} from './limit-store.js';
import { WindowCells } from './window-cells.js';
import { WindowCounters } from './window-counters.js';

/** Windows that are counted at once; who asked longest ago is forgotten first. */
const MOST_COUNTERS = 200_000;

/** Counts in this process, exactly: nothing comes between the look and the count. */
export class MemoryLimitStore extends LimitStore {
  readonly isShared: boolean = true;
  private readonly counters = new WindowCounters(MOST_COUNTERS);

  override take(
    name: string,
    windows: LimitWindows,
    count: 0 | 1,
    { longestWaitMs = 0, beside }: Asker = {},
  ): LimitResult {
    const counted = this.count(name, windows, count, longestWaitMs, beside);
    return {
      ...counted,
      giveBack: () => {
        this.giveBack(name, windows, counted.at, beside);
      },
    };
  }

  /** `take`, for one who asks from another process. */
  count(
    name: string,
    ofName: LimitWindows,
    count: 0 | 1,
    longestWaitMs: number,
    beside?: Allowance,
  ): CountResult {
    // Whole, and by a clock that nobody sets, so that what is added to it and taken from it is the same.
    const now = Math.trunc(performance.now());
    const windows = beside === undefined ? ofName : [...ofName, ...beside.windows];
    const names = windows.map((window, index) =>
      nameOf(index < ofName.length ? name : (beside?.name ?? name), window),
    );
    const cells = names.map((each) => this.counters.get(each, now));
    const at = firstPlace(cells, windows, now);
    const waitMs = at - now;
    const allowed = count === 0 || waitMs <= longestWaitMs;
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

  /** Frees a place that was taken. */
  giveBack(name: string, windows: LimitWindows, at: number, beside?: Allowance): void {
    const now = Math.trunc(performance.now());
    for (const window of windows) this.counters.get(nameOf(name, window), now)?.giveBack(at);
    if (beside !== undefined) this.giveBack(beside.name, beside.windows, at);
  }

  private begin(name: string, window: LimitWindow, now: number): WindowCells {
    const cells = WindowCells.begin(window, now);
    this.counters.set(name, cells, now);
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
  // `join` makes one text, where a template keeps each of its parts: there may be thousands of names.
  return [name, seconds].join(' ');
}
