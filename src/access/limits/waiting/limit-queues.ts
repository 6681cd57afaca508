import type { IncomingMessage } from 'node:http';
import { clientDisconnected } from '../rate-limit-errors.js';
import type { LimitResult } from '../store/limit-store.js';
import { ApplicationQueue, type Waiter } from './application-queue.js';

interface Candidate {
  readonly request: IncomingMessage;
  /** The owner whose queue length is limited. */
  readonly owner: string;
  /** Name of the allowance. */
  readonly name: string;
  readonly look: Waiter['look'];
}

/** Limits the lengths of the queues: of each owner, and of the process. */
interface Capacity {
  readonly owner: number;
  readonly process: number;
}

/** Queues requests that are over a limit. Each request waits for its reserved place. */
export class LimitQueues {
  readonly outcomes = { let_in: 0, left: 0, turned_away: 0 };
  /** Numbers of requests rejected because a queue was full. */
  readonly full = { owner: 0, process: 0 };
  private readonly lines = new Map<string, ApplicationQueue>();
  private readonly ofOwners = new Map<string, number>();
  private inside = 0;
  /** Time at which a shutdown ends all waits, by `performance.now()`. */
  private closesAt = Infinity;

  /**
   * Creates the queues without any request.
   * @param observe receives the seconds that each request waited
   */
  constructor(
    private readonly capacity: Capacity,
    private readonly waitMs: number,
    private readonly observe: (seconds: number) => void,
  ) {}

  get waiting(): number {
    return this.inside;
  }

  /** Returns the milliseconds that the next request of an owner may wait. */
  maxWait(owner: string): number {
    if (this.fullness(owner) !== null) return 0;
    return Math.max(0, Math.min(this.waitMs, Math.floor(this.closesAt - performance.now())));
  }

  /**
   * Waits for a reserved place.
   * @returns the state of the limits after the wait; not allowed if the queue is full or the
   *   process stops
   * @throws ApiError if the client disconnects
   */
  async wait(candidate: Candidate, place: LimitResult): Promise<LimitResult> {
    const full = this.fullness(candidate.owner);
    if (full === null && !candidate.request.destroyed) return this.join(candidate, place);
    place.release();
    if (full === null) throw clientDisconnected();
    this.full[full] += 1;
    return { ...place, allowed: false };
  }

  /** Counts a rejected request if it could have waited in a shorter queue. */
  countRejection(owner: string, { waitMs }: LimitResult): void {
    const full = this.fullness(owner);
    if (full !== null && waitMs <= this.waitMs) this.full[full] += 1;
  }

  /**
   * Rejects requests that would have to wait longer than `maxWaitMs`. It is called before a
   * shutdown.
   */
  close(maxWaitMs: number): void {
    this.closesAt = Math.min(this.closesAt, performance.now() + maxWaitMs);
    for (const line of this.lines.values()) line.close(this.closesAt);
  }

  private fullness(owner: string): keyof Capacity | null {
    if ((this.ofOwners.get(owner) ?? 0) >= this.capacity.owner) return 'owner';
    return this.inside >= this.capacity.process ? 'process' : null;
  }

  private async join(
    { request, owner, name, look }: Candidate,
    place: LimitResult,
  ): Promise<LimitResult> {
    const begun = performance.now();
    this.enter(owner);
    try {
      return await new Promise<LimitResult>((resolve, reject) => {
        const line = this.lineOf(name);
        const settle = (outcome: keyof typeof this.outcomes) => {
          this.outcomes[outcome] += 1;
          request.off('close', leave);
          if (line.isEmpty) this.lines.delete(name);
        };
        const waiter: Waiter = {
          look,
          admit: (state) => {
            settle('let_in');
            resolve(state);
          },
          reject: (state) => {
            settle('turned_away');
            resolve(state);
          },
        };
        const leave = () => {
          line.leave(waiter);
          settle('left');
          reject(clientDisconnected());
        };
        line.join(waiter, place);
        request.once('close', leave);
      });
    } finally {
      this.exit(owner);
      this.observe((performance.now() - begun) / 1_000);
    }
  }

  private lineOf(name: string): ApplicationQueue {
    const line = this.lines.get(name) ?? new ApplicationQueue();
    this.lines.set(name, line);
    return line;
  }

  private enter(owner: string): void {
    this.inside += 1;
    this.ofOwners.set(owner, (this.ofOwners.get(owner) ?? 0) + 1);
  }

  private exit(owner: string): void {
    this.inside -= 1;
    const left = (this.ofOwners.get(owner) ?? 1) - 1;
    if (left === 0) this.ofOwners.delete(owner);
    else this.ofOwners.set(owner, left);
  }
}
