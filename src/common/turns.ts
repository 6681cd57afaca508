/** How many may work at a time, and how long others wait. */
interface TurnLimits {
  readonly max: number;
  readonly waitMs: number;
  /** What those get who waited in vain. */
  readonly refusal: () => Error;
}

/** Lets few work at a time. More have to wait, first come first served. */
export class Turns {
  private working = 0;
  private readonly waiting = new Set<() => void>();

  constructor(private readonly limits: TurnLimits) {}

  get isIdle(): boolean {
    return this.working === 0;
  }

  /** @throws the refusal if the wait takes too long; then `work` was not begun */
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

  /** The next one takes the place at once, so that nobody else comes in between. */
  private end(): void {
    const [startNext] = this.waiting;
    if (startNext === undefined) this.working -= 1;
    else startNext();
  }
}
