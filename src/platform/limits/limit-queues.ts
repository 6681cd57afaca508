import { clientDisconnected } from './limiter.js';
import type { LimitResult, LimitStore } from './store/limit-store.js';
import { OwnerQueue, type Candidate, type Waiter } from './owner-queue.js';

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
    const asked = this.store.take(name, windows, count, { request, beside });
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
