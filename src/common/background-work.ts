import { Logger } from '@nestjs/common';
import { describeError } from './errors/describe-error.js';

const FIRST_AFTER_MS = 10_000;

interface Work {
  /** Milliseconds from the end of one run to the start of the next. */
  readonly everyMs: number;
  /**
   * Runs the work once.
   * @param signal aborts when the service stops; the run should then end soon
   */
  readonly run: (signal: AbortSignal) => Promise<unknown>;
}

/** Runs a function repeatedly until it is stopped. A run that fails is logged and tried again. */
export class BackgroundWork {
  private readonly logger = new Logger('Background');
  private readonly stopping = new AbortController();
  private next: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private hasFailed = false;

  /**
   * Prepares the runs; `start` begins them.
   * @param failure message of the log if a run fails
   */
  constructor(
    private readonly failure: string,
    private readonly work: Work,
  ) {}

  /**
   * Schedules the first run after a delay, so that it does not slow down the start of the service.
   */
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
