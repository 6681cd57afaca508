import type { Worker } from 'node:cluster';
import type { LimitWindow, LimitWindows } from '../limit-windows.js';
import { LimitStore, waitMsOf, type Counting, type LimitResult } from './limit-store.js';
import { Questions } from '../../workers/process-messages.js';

/**
 * Number of entries checked for expiry on each insert. More than one, so that expired entries
 * cannot pile up.
 */
const CHECKS_PER_INSERT = 2;

/** Counts the requests in the current window of one length. */
interface WindowCounter {
  readonly endsAt: number;
  used: number;
}

/** Keeps the most recently used windows by name, and drops expired ones. */
export class WindowCounters {
  private readonly counters = new Map<string, WindowCounter>();
  private next = this.counters.entries();

  constructor(private readonly max: number) {}

  get size(): number {
    return this.counters.size;
  }

  /** Returns the current window of a name, or undefined if there is none. */
  get(name: string, now: number): WindowCounter | undefined {
    const found = this.counters.get(name);
    if (found === undefined) return undefined;
    this.counters.delete(name);
    if (found.endsAt <= now) return undefined;
    this.counters.set(name, found);
    return found;
  }

  set(name: string, counter: WindowCounter, now: number): void {
    this.dropExpired(now);
    this.counters.set(name, counter);
    if (this.counters.size <= this.max) return;
    const { value: oldest } = this.counters.keys().next();
    if (oldest !== undefined) this.counters.delete(oldest);
  }

  private dropExpired(now: number): void {
    for (let checked = 0; checked < CHECKS_PER_INSERT; checked += 1) {
      const { value, done } = this.next.next();
      if (done === true) {
        this.next = this.counters.entries();
        return;
      }
      const [name, { endsAt }] = value;
      if (endsAt <= now) this.counters.delete(name);
    }
  }
}

/** Maximum number of counters. The least recently used are dropped first. */
const MAX_COUNTERS = 200_000;

/** Counts in the memory of this process. */
export class MemoryLimitStore extends LimitStore {
  readonly isShared: boolean = true;
  private readonly counters = new WindowCounters(MAX_COUNTERS);

  override take({ name, windows, count, beside }: Counting): LimitResult {
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

/**
 * Only a primary process that hangs takes so long to reply. The worker then counts this request
 * itself.
 */
const REPLY_MS = 1_500;

// oxlint-disable-next-line house/nothing-lasts -- a process has one channel to its primary
const questions = new Questions<Counting, LimitResult>('limit', REPLY_MS);

/** Counts in the primary process, for all workers together. */
export class PrimaryLimitStore extends LimitStore {
  readonly isShared = true;
  private readonly fallback = new MemoryLimitStore();

  override async take({ name, windows, count, beside }: Counting): Promise<LimitResult> {
    // The request itself stays here.
    const counting = { name, windows, count, beside };
    return (await questions.ask(process, counting)) ?? this.fallback.take(counting);
  }
}

/** Makes the primary process count for a worker. */
export function countFor(worker: Worker, store: MemoryLimitStore): void {
  questions.answer(worker, (counting) => store.take(counting));
}
