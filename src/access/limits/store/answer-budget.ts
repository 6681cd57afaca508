import { startTimer } from '../../../common/start-timer.js';

const LOOK_MS = 25;

/** Nobody waits any longer; the answer may still come. */
export class NoAnswerError extends Error {
  constructor() {
    super('it is silent');
  }
}

/** How long a request may wait for whoever counts it, over all its counts together. */
export class AnswerBudget {
  private readonly waited = new WeakMap<object, number>();
  private waiting = 0;
  private looks: NodeJS.Timeout | undefined;
  /** When this process last found no more answers on the network. */
  private lookedAt = 0;

  constructor(private readonly longestMs: number) {}

  /** @param request whose count it is; without one it is the only one */
  leftMs(request: object | undefined): number {
    const waited = request === undefined ? 0 : (this.waited.get(request) ?? 0);
    return Math.max(0, this.longestMs - waited);
  }

  /** @throws NoAnswerError where the answer does not come while the request may wait */
  async wait<Answer>(request: object | undefined, answer: Promise<Answer>): Promise<Answer> {
    const asked = performance.now();
    const leftMs = this.leftMs(request);
    this.waiting += 1;
    this.looks ??= setInterval(this.look, LOOK_MS).unref();
    try {
      const told = await answerWithin(leftMs, answer);
      // An answer that lay there while this process was busy kept nobody waiting.
      this.spend(request, Math.max(0, this.lookedAt - asked));
      return told;
    } catch (error) {
      if (error instanceof NoAnswerError) this.spend(request, leftMs);
      throw error;
    } finally {
      this.waiting -= 1;
    }
  }

  private spend(request: object | undefined, milliseconds: number): void {
    if (request === undefined) return;
    this.waited.set(request, (this.waited.get(request) ?? 0) + milliseconds);
  }

  private readonly look = (): void => {
    if (this.waiting === 0) {
      clearInterval(this.looks);
      this.looks = undefined;
      return;
    }
    setImmediate(() => {
      this.lookedAt = performance.now();
    });
  };
}

/** @throws NoAnswerError where it does not come in time */
export function answerWithin<Answer>(
  milliseconds: number,
  answer: Promise<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const limit = startTimer(milliseconds, () => {
      reject(new NoAnswerError());
    });
    answer.then(resolve, reject).finally(() => {
      limit.cancel();
    });
  });
}
