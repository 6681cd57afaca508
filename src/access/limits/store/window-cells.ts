import type { LimitWindow } from '../../../common/limit-windows.js';
import type { WindowState } from './limit-store.js';

/**
 * The present window of one length and those that follow it, each with what is taken from it. They
 * lie end to end from the first request on, until one ends in which nobody has a place.
 */
export class WindowCells {
  /** What is taken from the present one, and from each that follows. */
  private readonly used = [0];

  /** @param endsAt when the present window ends */
  private constructor(
    private readonly lengthMs: number,
    private endsAt: number,
  ) {}

  /** Beginning now: nobody has asked since the last one ended. */
  static begin({ seconds }: LimitWindow, now: number): WindowCells {
    return new WindowCells(seconds * 1_000, now + seconds * 1_000);
  }

  /** Forgets what is over. @returns false where all is */
  reaches(now: number): boolean {
    while (this.endsAt <= now && this.used.length > 1) {
      this.used.shift();
      this.endsAt += this.lengthMs;
    }
    return this.endsAt > now;
  }

  /** @returns the first moment from `at` on that lies in a window with a place */
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

  giveBack(at: number): void {
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

  /** @returns 0 for the present one, less for one that is over */
  private cellOf(at: number): number {
    return Math.floor((at - this.endsAt) / this.lengthMs) + 1;
  }
}
