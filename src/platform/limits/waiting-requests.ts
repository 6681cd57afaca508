import type { IncomingMessage } from 'node:http';
import { Injectable } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';
import { Settings } from '../../config/settings.js';
import { LimitStore, waitMsOf, type Counting, type LimitResult } from './store/limit-store.js';
import { clientDisconnected } from './limiter.js';

/** Limits the lengths of the queues: of each owner, and of the process. */
interface Capacity {
  readonly owner: number;
  readonly process: number;
}

interface Waited {
  readonly result: LimitResult;
  readonly hasWaited: boolean;
}

/**
 * Milliseconds that a request may wait longer than its limit, because the clock of the store may be
 * a little slower than that of this process.
 */
const LATE_MS = 20;

/** Counts requests, and queues those that are over a limit until their place comes up. */
export class LimitQueues {
  readonly outcomes = { let_in: 0, left: 0, turned_away: 0 };
  /** Numbers of requests rejected because a queue was full. */
  readonly full = { owner: 0, process: 0 };
  private readonly queues = new Map<string, OwnerQueue>();
  private inside = 0;
  /** Time at which a shutdown ends all waits, by `performance.now()`. */
  private closesAt = Infinity;

  /**
   * Creates the queues without any request.
   * @param observe receives the seconds that each request waited
   */
  constructor(
    private readonly store: LimitStore,
    private readonly capacity: Capacity,
    private readonly waitMs: number,
    private readonly observe: (seconds: number) => void,
  ) {}

  get waiting(): number {
    return this.inside;
  }

  /**
   * Counts a request, and waits if its place comes up soon.
   * @returns the state of the limits after the wait; not allowed if the place comes up too late,
   *   the queue is full, other processes took the places, or the process stops
   * @throws ApiError if the client disconnects
   */
  async take(candidate: Candidate): Promise<Waited> {
    const { request, owner, name, windows, beside } = candidate;
    const count = this.queues.get(owner)?.comesBefore(candidate) === true ? 0 : 1;
    const asked = this.store.take({ name, windows, count, request, beside });
    const result = asked instanceof Promise ? await asked : asked;
    if (count === 1 && result.allowed) return { result, hasWaited: false };
    const queue = this.queues.get(owner) ?? new OwnerQueue(this.store);
    const place = queue.placeOf(candidate, result);
    const maxWaitMs = Math.min(this.waitMs, this.closesAt - performance.now());
    if (place.waitMs > maxWaitMs) return { result: place, hasWaited: false };
    if (request.destroyed) throw clientDisconnected();
    const full = this.fullness(queue);
    if (full === null) return this.join(queue, candidate, result.waitMs);
    this.full[full] += 1;
    return { result: place, hasWaited: false };
  }

  /**
   * Rejects requests that would have to wait longer than `maxWaitMs`. It is called before a
   * shutdown.
   */
  close(maxWaitMs: number): void {
    this.closesAt = Math.min(this.closesAt, performance.now() + maxWaitMs);
    for (const queue of this.queues.values()) queue.close(this.closesAt);
  }

  private fullness({ length }: OwnerQueue): keyof Capacity | null {
    if (length >= this.capacity.owner) return 'owner';
    return this.inside >= this.capacity.process ? 'process' : null;
  }

  /** Waits in the queue. @param dueMs milliseconds until the windows have a free place */
  private join(queue: OwnerQueue, candidate: Candidate, dueMs: number): Promise<Waited> {
    const { request, owner } = candidate;
    const begun = performance.now();
    this.queues.set(owner, queue);
    this.inside += 1;
    return new Promise((resolve, reject) => {
      const end = (outcome: keyof typeof this.outcomes) => {
        request.off('close', leave);
        this.outcomes[outcome] += 1;
        this.inside -= 1;
        if (queue.length === 0) this.queues.delete(owner);
        this.observe((performance.now() - begun) / 1_000);
      };
      const waiter: Waiter = {
        ...candidate,
        dueAt: begun + dueMs,
        deadline: begun + this.waitMs + LATE_MS,
        settle: (result) => {
          end(result.allowed ? 'let_in' : 'turned_away');
          resolve({ result, hasWaited: true });
        },
      };
      const leave = () => {
        queue.leave(waiter);
        end('left');
        reject(clientDisconnected());
      };
      queue.join(waiter);
      request.once('close', leave);
    });
  }
}

export interface Candidate extends Omit<Counting, 'count'> {
  readonly request: IncomingMessage;
  /** The owner whose queue length is limited. */
  readonly owner: string;
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
        return { waiter, result: await this.store.take({ name, windows, count: 1, beside }) };
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

/** Maximum queue lengths of requests over the limit of their application. The owner is a user. */
const APPLICATIONS = { owner: 100, process: 1_000 };
/**
 * Maximum queue lengths of key lookups. The owner is an address. They are separate, so that callers
 * without a key cannot fill the other queue.
 */
const LOOKUPS = { owner: 100, process: 100 };
/** Upper bounds of the histogram in seconds, up to the maximum of THROTTLE_WAIT. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 2, 5, 10];

/** Holds the requests that wait in this process because of a limit. */
@Injectable()
export class WaitingRequests {
  /** Requests over the limit of their application. */
  readonly ofApplications: LimitQueues;
  /** Requests that wait for a key lookup, from addresses with too many wrong keys. */
  readonly forLookups: LimitQueues;
  private readonly ends: (() => void)[] = [];

  constructor({ limits }: Settings, store: LimitStore, metrics: Metrics) {
    const help = 'How long requests waited because of a limit, whatever the outcome.';
    const waits = metrics.histogram('limit_wait_seconds', help, 'limit', BUCKETS);
    const queues = (capacity: typeof APPLICATIONS, limit: 'key' | 'failed_keys') => {
      // All labels start at 0, so that a rate includes the first observation.
      waits.zero({ limit });
      return new LimitQueues(store, capacity, limits.waitMs, (seconds) => {
        waits.observe({ limit }, seconds);
      });
    };
    this.ofApplications = queues(APPLICATIONS, 'key');
    this.forLookups = queues(LOOKUPS, 'failed_keys');
    this.show(metrics);
  }

  /** Calls `end` before a shutdown, so that a service ends what waits there. */
  onClose(end: () => void): void {
    this.ends.push(end);
  }

  /**
   * Rejects requests that would have to wait longer than `maxWaitMs`. It is called before a
   * shutdown.
   */
  close(maxWaitMs: number): void {
    this.ofApplications.close(maxWaitMs);
    this.forLookups.close(maxWaitMs);
    for (const end of this.ends) end();
  }

  private show(metrics: Metrics): void {
    const { ofApplications, forLookups } = this;
    metrics.gauge('limit_waiting', 'Requests waiting because of a limit.', 'limit', () => ({
      key: ofApplications.waiting,
      failed_keys: forLookups.waiting,
    }));
    const waits = 'Requests over the limit of their application that waited, by outcome.';
    metrics.counter('limit_waits_total', waits, 'outcome', () => ofApplications.outcomes);
    const full = 'Requests rejected because the queue of the user, or of the process, was full.';
    metrics.counter('limit_queue_full_total', full, 'queue', () => ({
      user: ofApplications.full.owner,
      process: ofApplications.full.process,
    }));
  }
}
