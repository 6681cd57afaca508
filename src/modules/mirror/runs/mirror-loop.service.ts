import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { describeError } from '../../../common/errors/describe-error.js';
import { Metrics } from '../../../observability/metrics/metrics.js';
import { UpstreamTurnsService } from '../../upstreams/turns/upstream-turns.service.js';
import { MirrorReaderService } from './mirror-reader.service.js';
import { ReadingSlots, type ReadingSlot } from './reading-slots.js';

const POLL_MS = 1_000;
/** Each poll starts reading from at most this many upstreams. */
const MAX_BEGUN = 4;
/** Reading from an upstream ends after this time, so that others can be read. */
const MAX_TURN_MS = 60_000;

/** Polls for upstreams that are due and reads from them until the service stops. */
@Injectable()
export class MirrorLoopService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(MirrorLoopService.name);
  private readonly stopping = new AbortController();
  private readonly slots = new ReadingSlots();
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
    metrics.gauge('upstreams_reading', help, 'state', () => this.slots.counts);
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
    try {
      // Upstreams that wait for a slot are still due, so the limit allows for those.
      const due = await this.turns.due(MAX_BEGUN + this.reading.size);
      for (const id of due.filter((each) => !this.reading.has(each)).slice(0, MAX_BEGUN)) {
        const slot = this.slots.open(id);
        if (slot === null) break;
        this.begin(id, slot);
      }
      this.hasFailed = false;
    } catch (error) {
      this.report(error);
    }
  }

  private begin(id: number, slot: ReadingSlot): void {
    const end = this.read(id, slot)
      .catch((error: unknown) => {
        this.report(error);
      })
      .finally(() => {
        this.slots.end(id, slot);
        this.reading.delete(id);
      });
    this.reading.set(id, end);
  }

  private async read(id: number, slot: ReadingSlot): Promise<void> {
    const stopped = this.stopping.signal;
    const { signal } = slot;
    const stop = () => {
      slot.abort();
    };
    stopped.addEventListener('abort', stop, { once: true });
    if (stopped.aborted) stop();
    try {
      await this.slots.enter(slot);
      if (!signal.aborted) await this.reader.read(id, { signal, maxMs: MAX_TURN_MS, slot });
    } finally {
      stopped.removeEventListener('abort', stop);
    }
  }

  /** Logs an outage of the database once, not at each attempt. */
  private report(error: unknown): void {
    if (!this.hasFailed) {
      this.logger.error({ message: 'Upstreams could not be read', ...describeError(error) });
    }
    this.hasFailed = true;
  }
}
