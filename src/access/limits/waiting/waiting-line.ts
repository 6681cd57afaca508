import type { LimitResult } from '../store/limit-store.js';

/** A request that waits, told once what became of it. */
export interface Waiter {
  /** Looks what is left of its limits. */
  readonly look: () => LimitResult | Promise<LimitResult>;
  readonly letIn: (left: LimitResult | Promise<LimitResult>) => void;
  readonly turnAway: (left: Promise<LimitResult>) => void;
}

interface Place {
  /** When it comes up, by `performance.now()`. */
  readonly dueAt: number;
  readonly taken: LimitResult;
}

/** The requests of one application that wait, first come first served, and the places kept for them. */
export class WaitingLine {
  private readonly waiters: Waiter[] = [];
  /** As many as there are waiters, the next to come up first. */
  private readonly places: Place[] = [];
  private timer: NodeJS.Timeout | undefined;

  get isEmpty(): boolean {
    return this.waiters.length === 0;
  }

  join(waiter: Waiter, taken: LimitResult): void {
    const place = { dueAt: performance.now() + taken.waitMs, taken };
    const before = this.places.findLastIndex(({ dueAt }) => dueAt <= place.dueAt);
    this.places.splice(before + 1, 0, place);
    this.waiters.push(waiter);
    this.setTimer();
  }

  /** Whoever stands behind moves up, so the last place is the one that is free. */
  leave(waiter: Waiter): void {
    this.waiters.splice(this.waiters.indexOf(waiter), 1);
    this.places.pop()?.taken.giveBack();
    this.setTimer();
  }

  /** Turns away those whose place comes up later. */
  close(latest: number): void {
    for (;;) {
      const [place, waiter] = [this.places.at(-1), this.waiters.at(-1)];
      if (place === undefined || waiter === undefined || place.dueAt <= latest) return;
      this.leave(waiter);
      waiter.turnAway(refused(waiter, place.dueAt - performance.now()));
    }
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    const [first] = this.places;
    if (first === undefined) return;
    this.timer = setTimeout(
      () => {
        this.letInDue();
      },
      Math.ceil(first.dueAt - performance.now()),
    );
  }

  private letInDue(): void {
    const now = performance.now();
    const later = this.places.findIndex(({ dueAt }) => dueAt > now);
    const due = later < 0 ? this.places.length : later;
    this.places.splice(0, due);
    const [first, ...others] = this.waiters.splice(0, due);
    this.setTimer();
    if (first === undefined) return;
    // They come in together, and see the same.
    const left = first.look();
    for (const waiter of [first, ...others]) waiter.letIn(left);
  }
}

/** @param waitMs after which its place would have come up */
async function refused({ look }: Waiter, waitMs: number): Promise<LimitResult> {
  return { ...(await look()), allowed: false, waitMs };
}
