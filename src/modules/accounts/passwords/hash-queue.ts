/** At most this many callers wait in a lane. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5_000;

/**
 * The lane shows who waits. Anyone can use `sign-in`. A caller in `account` is signed in or has a
 * link.
 */
export type HashLane = 'account' | 'sign-in';
export type HashRefusal = 'queue_full' | 'waited_too_long';

interface Waiter {
  /** Start of the wait, from `performance.now()`. */
  readonly since: number;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Lets one caller work at a time. Each lane has its own places, and lanes take turns. However many
 * strangers try to sign in, a user of an account waits for at most one of them.
 */
export class HashQueue {
  private readonly lanes: Readonly<Record<HashLane, Waiter[]>> = { account: [], 'sign-in': [] };
  private last: HashLane = 'sign-in';
  private busy = false;

  /** @param refused creates the error for a caller that is rejected */
  constructor(private readonly refused: (reason: HashRefusal) => Error) {}

  get isWorking(): boolean {
    return this.busy;
  }

  get waiting(): number {
    return this.lanes.account.length + this.lanes['sign-in'].length;
  }

  /** Runs the work as soon as it is the caller's turn. */
  async run<Result>(lane: HashLane, work: () => Promise<Result>): Promise<Result> {
    await this.wait(lane);
    this.last = lane;
    try {
      return await work();
    } finally {
      this.startNext();
    }
  }

  private wait(lane: HashLane): Promise<void> {
    if (!this.busy) {
      this.busy = true;
      return Promise.resolve();
    }
    const waiters = this.lanes[lane];
    if (waiters.length >= MAX_WAITING) return Promise.reject(this.refused('queue_full'));
    return new Promise((start, reject) => {
      waiters.push({ since: performance.now(), start, reject });
    });
  }

  private startNext(): void {
    const other = this.last === 'account' ? 'sign-in' : 'account';
    const next = this.nextIn(other) ?? this.nextIn(this.last);
    if (next === null) this.busy = false;
    else next.start();
  }

  /**
   * Returns the next caller of a lane, or null. Callers that have waited too long are rejected,
   * because most of them have given up by now.
   */
  private nextIn(lane: HashLane): Waiter | null {
    const earliest = performance.now() - MAX_WAIT_MS;
    for (;;) {
      const next = this.lanes[lane].shift();
      if (next === undefined) return null;
      if (next.since >= earliest) return next;
      next.reject(this.refused('waited_too_long'));
    }
  }
}
