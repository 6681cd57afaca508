import type { IncomingMessage } from 'node:http';
import {
  waitMsOf,
  type Allowance,
  type LimitResult,
  type LimitStore,
} from './store/limit-store.js';

export interface Candidate extends Allowance {
  readonly request: IncomingMessage;
  /** The owner whose queue length is limited. */
  readonly owner: string;
  /** A second allowance of the same owner. */
  readonly beside?: Allowance | undefined;
}

/** Represents a waiting request. All times are by `performance.now()`. */
export interface Waiter extends Candidate {
  /** Time at which its windows have a free place. */
  dueAt: number;
  deadline: number;
  /** Receives the state of the limits after the wait. */
  readonly settle: (result: LimitResult) => void;
}

/**
 * Holds the waiting requests of one owner, first come, first served. When a place is due, all of
 * them are counted in their order. Other processes may take places, too: a request that is over the
 * limit again waits on until its deadline.
 */
export class OwnerQueue {
  private readonly waiters = new Set<Waiter>();
  /** The waiters that are being counted. The next state of the store includes them. */
  private readonly counting = new Set<Waiter>();
  private timer: NodeJS.Timeout | undefined;
  private closesAt = Infinity;

  constructor(private readonly store: LimitStore) {}

  get length(): number {
    return this.waiters.size;
  }

  /** Returns true if a request that is counted now could overtake a waiting one. */
  comesBefore({ name }: Candidate): boolean {
    const now = performance.now();
    return [...this.waiters].some((waiter) => waiter.name === name || waiter.dueAt <= now);
  }

  /**
   * Returns the place of a request at the end of the queue.
   * @param result the state of its limits
   */
  placeOf(candidate: Candidate, result: LimitResult): LimitResult {
    const ahead = [...this.waiters].filter((waiter) => !this.counting.has(waiter));
    return placeBehind(ahead, candidate, result);
  }

  join(waiter: Waiter): void {
    this.waiters.add(waiter);
    this.setTimer();
  }

  leave(waiter: Waiter): void {
    this.waiters.delete(waiter);
    this.setTimer();
  }

  /** Rejects the requests whose place is due later than `latest`, by `performance.now()`. */
  close(latest: number): void {
    this.closesAt = latest;
    for (const waiter of this.waiters) waiter.deadline = Math.min(waiter.deadline, latest);
    if (this.counting.size === 0) void this.countAll();
  }

  private setTimer(): void {
    clearTimeout(this.timer);
    if (this.waiters.size === 0 || this.counting.size > 0) return;
    const times = [...this.waiters].map(({ dueAt, deadline }) => Math.min(dueAt, deadline));
    const next = Math.min(...times);
    this.timer = setTimeout(
      () => {
        // A timer may be a fraction of a millisecond early.
        if (performance.now() < next) this.setTimer();
        else void this.countAll();
      },
      Math.ceil(next - performance.now()),
    );
  }

  private async countAll(): Promise<void> {
    for (const waiter of this.waiters) this.counting.add(waiter);
    const counts = await Promise.all(
      [...this.counting].map(async (waiter) => {
        const { name, windows, beside } = waiter;
        // Each of these counts has a time limit of its own, since the request waits anyway.
        return { waiter, result: await this.store.take(name, windows, 1, { beside }) };
      }),
    );
    this.counting.clear();
    // All that are let in together get the state after the last of them.
    const states = new Map(counts.map(({ waiter, result }) => [waiter.name, result.states]));
    const now = performance.now();
    const ahead: Waiter[] = [];
    for (const { waiter, result } of counts.filter(({ waiter }) => this.waiters.has(waiter))) {
      const place = placeBehind(ahead, waiter, result);
      if (result.allowed) {
        this.end(waiter, { ...result, states: states.get(waiter.name) ?? result.states });
      } else if (now >= waiter.deadline || now + place.waitMs > this.closesAt) {
        this.end(waiter, place);
      } else {
        waiter.dueAt = now + result.waitMs;
        ahead.push(waiter);
      }
    }
    this.setTimer();
  }

  private end(waiter: Waiter, result: LimitResult): void {
    this.waiters.delete(waiter);
    waiter.settle(result);
  }
}

/** Returns the result for a request that has to wait until all of these got a place. */
function placeBehind(
  ahead: readonly Waiter[],
  { name, windows, beside }: Candidate,
  result: LimitResult,
): LimitResult {
  const states = result.states.map((state, index) => {
    const counter = index < windows.length ? name : beside?.name;
    const taken = ahead.filter((each) => each.name === counter || each.beside?.name === counter);
    const { requests, seconds } = state.window;
    const left = state.remaining - taken.length;
    if (left > 0) return { ...state, remaining: left };
    const windowsFull = Math.floor(-left / requests);
    return { ...state, remaining: 0, resetMs: state.resetMs + windowsFull * seconds * 1_000 };
  });
  return { allowed: false, waitMs: waitMsOf(states), states };
}
