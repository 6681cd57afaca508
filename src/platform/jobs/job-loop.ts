import { Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { describeError } from '../errors/describe-error.js';

/**
 * The first run waits at most this long, so that it does not slow down the start of the service.
 */
const FIRST_AFTER_MS = 10_000;

/**
 * Repeats a run until the service stops. A run that fails is logged and repeated like any other.
 */
export abstract class JobLoop implements BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  protected readonly stopping = new AbortController();
  private next: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isFailing = false;

  /**
   * @param failure message of the log if a run fails
   * @param everyMs milliseconds from the end of a run to the start of the next
   * @param firstAfterMs milliseconds from the start of the service to the first run
   */
  constructor(
    private readonly failure: string,
    private readonly everyMs: number,
    private readonly firstAfterMs = Math.min(everyMs, FIRST_AFTER_MS),
  ) {}

  /** @param signal aborts when the service stops; the run should then end soon */
  protected abstract run(signal: AbortSignal): Promise<unknown>;

  start(): void {
    this.schedule(this.firstAfterMs);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.next);
    await this.running;
  }

  /** Waits for work. An outage of the database is logged once, not after each attempt. */
  protected async reporting(work: Promise<unknown>): Promise<void> {
    try {
      await work;
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing) this.logger.error({ message: this.failure, ...describeError(error) });
      this.isFailing = true;
    }
  }

  private schedule(ms: number): void {
    if (this.stopping.signal.aborted) return;
    this.next = setTimeout(() => {
      this.running = this.reporting(this.run(this.stopping.signal)).finally(() => {
        this.schedule(this.everyMs);
      });
    }, ms).unref();
  }
}
