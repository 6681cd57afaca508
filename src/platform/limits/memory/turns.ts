/**
 * Limits how many callers of an account work at a time, and how long others wait, in milliseconds.
 */
interface TurnLimits {
  readonly max: number;
  readonly waitMs: number;
  /** Makes the error for a wait that times out. */
  readonly refusal: () => Error;
}

interface Account {
  working: number;
  readonly waiting: Set<() => void>;
}

/**
 * Lets a limited number of callers of each account work at a time. Others wait, first come, first
 * served.
 */
export class Turns {
  /** Accounts with a caller that works. */
  private readonly accounts = new Map<number, Account>();

  constructor(private readonly limits: TurnLimits) {}

  /**
   * Runs work when it is its turn.
   * @throws the error of `refusal` if the wait takes too long; `work` has then not started
   */
  async take<Result>(account: number, work: () => Promise<Result>): Promise<Result> {
    const own = this.accounts.get(account) ?? { working: 0, waiting: new Set() };
    this.accounts.set(account, own);
    await this.begin(own);
    try {
      return await work();
    } finally {
      this.end(own);
      if (own.working === 0) this.accounts.delete(account);
    }
  }

  private async begin(own: Account): Promise<void> {
    if (own.working < this.limits.max) {
      own.working += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        own.waiting.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        own.waiting.delete(start);
        reject(this.limits.refusal());
      }, this.limits.waitMs);
      own.waiting.add(start);
    });
  }

  /** Passes the place directly to the next caller, so that no other caller can take it. */
  private end(own: Account): void {
    const [startNext] = own.waiting;
    if (startNext === undefined) own.working -= 1;
    else startNext();
  }
}
