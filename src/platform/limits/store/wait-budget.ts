import { startTimer } from '../../observability/start-timer.js';

const POLL_MS = 25;

/** Reports that no reply came in time. The reply may still come. */
export class NoReplyError extends Error {
  constructor() {
    super('no reply');
  }
}

/** Limits how long a request waits for the store, over all its counts together. */
export class WaitBudget {
  private readonly waited = new WeakMap<object, number>();
  private waiting = 0;
  private polls: NodeJS.Timeout | undefined;
  /**
   * Number of times this process has read all replies from the network, at most once in `POLL_MS`.
   */
  private polled = 0;

  constructor(private readonly maxMs: number) {}

  /**
   * Returns the milliseconds that a request may still wait.
   * @param request undefined for a single count
   */
  leftMs(request: object | undefined): number {
    const waited = request === undefined ? 0 : (this.waited.get(request) ?? 0);
    return Math.max(0, this.maxMs - waited);
  }

  /**
   * Waits for a reply within the budget of the request.
   * @throws NoReplyError if the budget runs out
   */
  async wait<Reply>(request: object | undefined, reply: Promise<Reply>): Promise<Reply> {
    const before = this.polled;
    const leftMs = this.leftMs(request);
    this.waiting += 1;
    this.polls ??= setInterval(this.poll, POLL_MS).unref();
    try {
      const received = await withTimeout(leftMs, reply);
      // Time in which this process was too busy to send the request or to read the reply does not
      // count.
      this.spend(request, POLL_MS * (this.polled - before));
      return received;
    } catch (error) {
      if (error instanceof NoReplyError) this.spend(request, leftMs);
      throw error;
    } finally {
      this.waiting -= 1;
    }
  }

  private spend(request: object | undefined, milliseconds: number): void {
    if (request === undefined) return;
    this.waited.set(request, (this.waited.get(request) ?? 0) + milliseconds);
  }

  private readonly poll = (): void => {
    if (this.waiting === 0) {
      clearInterval(this.polls);
      this.polls = undefined;
      return;
    }
    setImmediate(() => {
      this.polled += 1;
    });
  };
}

/**
 * Waits for a reply.
 * @throws NoReplyError if there is no reply in time
 */
export function withTimeout<Reply>(milliseconds: number, reply: Promise<Reply>): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const timer = startTimer(milliseconds, () => {
      reject(new NoReplyError());
    });
    reply.then(resolve, reject).finally(() => {
      timer.cancel();
    });
  });
}
