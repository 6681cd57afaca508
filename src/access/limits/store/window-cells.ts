import type { LimitWindow } from '../../../common/limit-windows.js';
import type { WindowState } from './limit-store.js';

/**
 * Counts the requests in the current window of one length, and in the windows that follow it
 * without a gap. The series ends with the first empty window.
 */
export class WindowCells {
  /** Requests of the current window, and of each later one. */
  private readonly used = [0];

  /**
   * Begins with one empty window.
   * @param endsAt end of the current window, in milliseconds
   */
  private constructor(
    private readonly lengthMs: number,
    private endsAt: number,
  ) {}

  static begin({ seconds }: LimitWindow, now: number): WindowCells {
    return new WindowCells(seconds * 1_000, now + seconds * 1_000);
  }

  /**
   * Drops windows that have ended.
   * @returns false if all have ended
   */
  reaches(now: number): boolean {
    while (this.endsAt <= now && this.used.length > 1) {
      this.used.shift();
      this.endsAt += this.lengthMs;
    }
    return this.endsAt > now;
  }

  /** Returns the first time from `at` on that is in a window with a place. */
  firstFree(at: number, limit: number): number {
    let cell = this.cellOf(at);
    if (this.usedIn(cell) < limit) return at;
    while (this.usedIn(cell) >= limit) cell += 1;
    return this.endsAt + (cell - 1) * this.lengthMs;
  }

  take(at: number): void {
    const cell = this.cellOf(at);
    while (this.used.length <= cell) this.used.push(0);
    this.used[cell] = this.usedIn(cell) + 1;
  }

  release(at: number): void {
    const cell = this.cellOf(at);
    if (cell >= 0 && this.usedIn(cell) > 0) this.used[cell] = this.usedIn(cell) - 1;
  }

  stateOf(window: LimitWindow, now: number): WindowState {
    const remaining = Math.max(0, window.requests - this.usedIn(0));
    const resetsAt = remaining > 0 ? this.endsAt : this.firstFree(now, window.requests);
    return { window, remaining, resetMs: resetsAt - now };
  }

  private usedIn(cell: number): number {
    return this.used[cell] ?? 0;
  }

  /**
   * Returns the index of the window of a time: 0 for the current window, negative for one that has
   * ended.
   */
  private cellOf(at: number): number {
    return Math.floor((at - this.endsAt) / this.lengthMs) + 1;
  }
}
