import type { LimitResult } from '../store/limit-store.js';

/** Represents a waiting request. Exactly one of `admit` and `reject` is called. */
export interface Waiter {
  /** Reads the current state of the request's limits. */
  readonly look: () => LimitResult | Promise<LimitResult>;
  readonly admit: (state: LimitResult | Promise<LimitResult>) => void;
  readonly reject: (state: Promise<LimitResult>) => void;
}

interface Place {
  /** Time at which the place is due, by `performance.now()`. */
  readonly dueAt: number;
  readonly result: LimitResult;
}

/**
 * Holds the waiting requests of one application, first come, first served, and their reserved
 * places.
 */
export class ApplicationQueue {
  private readonly waiters: Waiter[] = [];
  /** One place for each waiter, the earliest first. */
  private readonly places: Place[] = [];
  private timer: NodeJS.Timeout | undefined;

  get isEmpty(): boolean {
    return this.waiters.length === 0;
  }

  join(waiter: Waiter, result: LimitResult): void {
    const place = { dueAt: performance.now() + result.waitMs, result };
    const before = this.places.findLastIndex(({ dueAt }) => dueAt <= place.dueAt);
    this.places.splice(before + 1, 0, place);
    this.waiters.push(waiter);
    this.setTimer();
  }

  /** Removes a waiter. The waiters behind it move up, so the last place is released. */
  leave(waiter: Waiter): void {
    this.waiters.splice(this.waiters.indexOf(waiter), 1);
    this.places.pop()?.result.release();
    this.setTimer();
  }

  /** Rejects the requests whose place is due later than `latest`, by `performance.now()`. */
  close(latest: number): void {
    for (;;) {
      const [place, waiter] = [this.places.at(-1), this.waiters.at(-1)];
      if (place === undefined || waiter === undefined || place.dueAt <= latest) return;
      this.leave(waiter);
      waiter.reject(rejection(waiter, place.dueAt - performance.now()));
    }
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    const [first] = this.places;
    if (first === undefined) return;
    this.timer = setTimeout(
      () => {
        this.admitDue();
      },
      Math.ceil(first.dueAt - performance.now()),
    );
  }

  private admitDue(): void {
    const now = performance.now();
    const later = this.places.findIndex(({ dueAt }) => dueAt > now);
    const due = later < 0 ? this.places.length : later;
    this.places.splice(0, due);
    const [first, ...others] = this.waiters.splice(0, due);
    this.setTimer();
    if (first === undefined) return;
    // One look serves all waiters that are due together.
    const state = first.look();
    for (const waiter of [first, ...others]) waiter.admit(state);
  }
}

/**
 * Returns the result for a waiter that is rejected.
 * @param waitMs milliseconds until its place would have been due
 */
async function rejection({ look }: Waiter, waitMs: number): Promise<LimitResult> {
  return { ...(await look()), allowed: false, waitMs };
}
