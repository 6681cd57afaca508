import { startTimer } from '../../../common/start-timer.js';

const POLL_MS = 25;

/** The reply may still come. */
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
  /** When this process last read all replies from the network. */
  private polledAt = 0;

  constructor(private readonly maxMs: number) {}

  /** @param request undefined for a single count */
  leftMs(request: object | undefined): number {
    const waited = request === undefined ? 0 : (this.waited.get(request) ?? 0);
    return Math.max(0, this.maxMs - waited);
  }

  /** @throws NoReplyError if the budget runs out */
  async wait<Reply>(request: object | undefined, reply: Promise<Reply>): Promise<Reply> {
    const askedAt = performance.now();
    const leftMs = this.leftMs(request);
    this.waiting += 1;
    this.polls ??= setInterval(this.poll, POLL_MS).unref();
    try {
      const received = await withTimeout(leftMs, reply);
      // Time that a reply waited to be read by this busy process does not count.
      this.spend(request, Math.max(0, this.polledAt - askedAt));
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
      this.polledAt = performance.now();
    });
  };
}

/** @throws NoReplyError if there is no reply in time */
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
