/** Limits how many callers work at a time, and how long others wait, in milliseconds. */
interface TurnLimits {
  readonly max: number;
  readonly waitMs: number;
  /** Makes the error for a wait that times out. */
  readonly refusal: () => Error;
}

/** Lets a limited number of callers work at a time. Others wait, first come, first served. */
export class Turns {
  private working = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limits: TurnLimits) {}

  get isIdle(): boolean {
    return this.working === 0;
  }

  /**
   * Runs work when it is its turn.
   * @throws the error of `refusal` if the wait takes too long; `work` has then not started
   */
  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.begin();
    try {
      return await work();
    } finally {
      this.end();
    }
  }

  private async begin(): Promise<void> {
    if (this.working < this.limits.max) {
      this.working += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        this.waiting.delete(start);
        resolve();
      };
      const timer = setTimeout(() => {
        this.waiting.delete(start);
        reject(this.limits.refusal());
      }, this.limits.waitMs);
      this.waiting.add(start);
    });
  }

  /** Passes the place directly to the next caller, so that no other caller can take it. */
  private end(): void {
    const [startNext] = this.waiting;
    if (startNext === undefined) this.working -= 1;
    else startNext();
  }
}
