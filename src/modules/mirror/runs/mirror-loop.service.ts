import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { describeError } from '../../../common/errors/describe-error.js';
import { Metrics } from '../../../observability/metrics/metrics.js';
import { UpstreamTurnsService } from '../../upstreams/turns/upstream-turns.service.js';
import { MirrorReaderService } from './mirror-reader.service.js';

const POLL_MS = 1_000;
/** Upstreams that a process reads from at a time. */
const MAX_READING = 4;
/** Then others have their turn. */
const MAX_TURN_MS = 60_000;

/** Looks for upstreams that something is to be read from, and reads it, until the service stops. */
@Injectable()
export class MirrorLoopService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(MirrorLoopService.name);
  private readonly stopping = new AbortController();
  private readonly reading = new Map<number, Promise<void>>();
  private next: NodeJS.Timeout | undefined;
  private polling = Promise.resolve();
  private hasFailed = false;

  constructor(
    private readonly turns: UpstreamTurnsService,
    private readonly reader: MirrorReaderService,
    metrics: Metrics,
  ) {
    const help = 'Upstreams that this process reads from.';
    metrics.gauge('upstreams_reading', help, 'state', () => ({ reading: this.reading.size }));
  }

  start(): void {
    if (this.stopping.signal.aborted) return;
    this.next = setTimeout(() => {
      this.polling = this.poll().finally(() => {
        this.start();
      });
    }, POLL_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.next);
    await this.polling;
    await Promise.all(this.reading.values());
  }

  private async poll(): Promise<void> {
    const free = MAX_READING - this.reading.size;
    if (free <= 0) return;
    try {
      for (const id of await this.turns.due(free)) if (!this.reading.has(id)) this.begin(id);
      this.hasFailed = false;
    } catch (error) {
      this.report(error);
    }
  }

  private begin(id: number): void {
    const end = this.reader
      .read(id, { signal: this.stopping.signal, maxMs: MAX_TURN_MS })
      .then(
        () => undefined,
        (error: unknown) => {
          this.report(error);
        },
      )
      .finally(() => {
        this.reading.delete(id);
      });
    this.reading.set(id, end);
  }

  /** An outage of the database is logged once, not at each try. */
  private report(error: unknown): void {
    if (!this.hasFailed) {
      this.logger.error({ message: 'Upstreams could not be read', ...describeError(error) });
    }
    this.hasFailed = true;
  }
}
