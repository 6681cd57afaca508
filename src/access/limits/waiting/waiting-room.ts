import type { IncomingMessage } from 'node:http';
import { hungUp } from '../rate-limit-errors.js';
import type { LimitResult } from '../store/limit-store.js';
import { WaitingLine, type Waiter } from './waiting-line.js';

/** Who waits, and for what. */
export interface Candidate {
  readonly request: IncomingMessage;
  /** Whose requests only so many may wait of. */
  readonly owner: string;
  /** Whose allowance it waits for. */
  readonly name: string;
  readonly look: Waiter['look'];
}

/** How many requests may wait at once. */
export interface Capacity {
  readonly owner: number;
  readonly process: number;
}

/** Requests over a limit, each waiting for the place that is kept for it. They take memory alone. */
export class WaitingRoom {
  readonly outcomes = { let_in: 0, left: 0, turned_away: 0 };
  /** How often it was full, for one owner or for all. */
  readonly full = { owner: 0, process: 0 };
  private readonly lines = new Map<string, WaitingLine>();
  private readonly ofOwners = new Map<string, number>();
  private inside = 0;
  /** When the process stops, nobody waits for longer, by `performance.now()`. */
  private closesAt = Infinity;

  /** @param observe is told how many seconds each waited */
  constructor(
    private readonly capacity: Capacity,
    private readonly waitMs: number,
    private readonly observe: (seconds: number) => void,
  ) {}

  /** How many wait now. */
  get waiting(): number {
    return this.inside;
  }

  /** @returns how many milliseconds one more request of an owner may wait */
  longestWait(owner: string): number {
    if (this.fullness(owner) !== null) return 0;
    return Math.max(0, Math.min(this.waitMs, Math.floor(this.closesAt - performance.now())));
  }

  /**
   * Waits for the place that was taken.
   * @returns what is left of the limits then; not allowed where too many wait or the process stops
   * @throws ApiError where the client has gone, and no answer reaches it
   */
  async wait(candidate: Candidate, place: LimitResult): Promise<LimitResult> {
    const full = this.fullness(candidate.owner);
    if (full === null && !candidate.request.destroyed) return this.join(candidate, place);
    place.giveBack();
    if (full === null) throw hungUp();
    this.full[full] += 1;
    return { ...place, allowed: false };
  }

  /** Counts a refusal of one that could have waited, had there been fewer. */
  noteRefusal(owner: string, { waitMs }: LimitResult): void {
    const full = this.fullness(owner);
    if (full !== null && waitMs <= this.waitMs) this.full[full] += 1;
  }

  /** Turns away who would wait for longer, now and from now on: the process stops. */
  close(longestMs: number): void {
    this.closesAt = Math.min(this.closesAt, performance.now() + longestMs);
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
          letIn: (left) => {
            settle('let_in');
            resolve(left);
          },
          turnAway: (left) => {
            settle('turned_away');
            resolve(left);
          },
        };
        const leave = () => {
          line.leave(waiter);
          settle('left');
          reject(hungUp());
        };
        line.join(waiter, place);
        request.once('close', leave);
      });
    } finally {
      this.exit(owner);
      this.observe((performance.now() - begun) / 1_000);
    }
  }

  private lineOf(name: string): WaitingLine {
    const line = this.lines.get(name) ?? new WaitingLine();
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
