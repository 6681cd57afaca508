import { Logger } from '@nestjs/common';
import { describeError } from './errors/describe-error.js';

const FIRST_AFTER_MS = 10_000;

interface Work {
  /** From the end of one run to the begin of the next. */
  readonly everyMs: number;
  /** @param signal aborts when the service stops: then the run should end soon */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** Runs something again and again, until it is stopped. A run that fails is logged and tried again. */
export class BackgroundWork {
  private readonly logger = new Logger('Background');
  private readonly stopping = new AbortController();
  private next: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private hasFailed = false;

  /** @param failure what the log says if a run fails */
  constructor(
    private readonly failure: string,
    private readonly work: Work,
  ) {}

  /** Not at once, so that a start is not slowed down. */
  start(): void {
    this.schedule(FIRST_AFTER_MS);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.next);
    await this.running;
  }

  private schedule(ms: number): void {
    if (this.stopping.signal.aborted) return;
    this.next = setTimeout(() => {
      this.running = this.run().finally(() => {
        this.schedule(this.work.everyMs);
      });
    }, ms).unref();
  }

  private async run(): Promise<void> {
    try {
      await this.work.run(this.stopping.signal);
      this.hasFailed = false;
    } catch (error) {
      // An outage of the database is logged once, not at each try.
      if (!this.hasFailed) this.logger.error({ message: this.failure, ...describeError(error) });
      this.hasFailed = true;
    }
  }
}
