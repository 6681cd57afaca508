/** A lane lets so many callers wait. Each hash takes a core for about 20 ms, and longer on a busy machine. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5_000;

/**
 * The lane says whose password it is: anybody can try to sign in, while a user of the lane `account` is signed
 * in or has a link.
 */
export type HashLane = 'account' | 'sign-in';
export type HashRefusal = 'queue_full' | 'waited_too_long';

interface Waiter {
  /** By `performance.now()`. */
  readonly since: number;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Lets one caller at a time work. Each lane has places of its own, and lanes take turns: however many
 * strangers try to sign in, a user of an account waits for one of them at most.
 */
export class HashQueue {
  private readonly lanes: Readonly<Record<HashLane, Waiter[]>> = { account: [], 'sign-in': [] };
  private last: HashLane = 'sign-in';
  private busy = false;

  /** @param refused makes the error of a caller that does not get its turn */
  constructor(private readonly refused: (reason: HashRefusal) => Error) {}

  get isWorking(): boolean {
    return this.busy;
  }

  get waiting(): number {
    return this.lanes.account.length + this.lanes['sign-in'].length;
  }

  /** Works as soon as it is the caller's turn. */
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

  /** Callers that have waited too long are rejected: most of them have given up by now. */
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
