import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { describeError } from '../../../common/errors/describe-error.js';
import { dateTimeOf } from '../../../common/time.js';
import { Metrics } from '../../../observability/metrics/metrics.js';
import { WebhooksRepository } from '../webhooks.repository.js';
import { DeliveriesService } from './deliveries.service.js';
import { DeliverySlots, type Sending } from './delivery-slots.js';

const POLL_MS = 1_000;
/** A poll finds at most this many endpoints whose last delivery failed, and as many others. */
const MAX_FOUND = 200;

/** Polls for endpoints with changes to send, and sends them until the service stops. */
@Injectable()
export class DeliveryLoopService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DeliveryLoopService.name);
  private readonly stopping = new AbortController();
  private readonly slots = new DeliverySlots();
  private readonly running = new Set<Promise<void>>();
  private found: readonly Sending[] = [];
  /** True if there may be more endpoints than were found. */
  private isMoreDue = false;
  private next: NodeJS.Timeout | undefined;
  private polling: Promise<void> | null = null;
  private hasFailed = false;

  constructor(
    private readonly repository: WebhooksRepository,
    private readonly deliveries: DeliveriesService,
    metrics: Metrics,
  ) {
    const help = 'Endpoints of webhooks that this process sends to.';
    metrics.gauge('webhooks_sending', help, 'state', () => ({ sending: this.slots.size }));
  }

  start(): void {
    this.schedule(POLL_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.next);
    await this.polling;
    await Promise.all(this.running);
  }

  private schedule(ms: number): void {
    clearTimeout(this.next);
    if (this.stopping.signal.aborted || this.polling !== null) return;
    this.next = setTimeout(() => {
      this.polling = this.poll().finally(() => {
        this.polling = null;
        this.schedule(POLL_MS);
      });
    }, ms).unref();
  }

  private async poll(): Promise<void> {
    try {
      const now = dateTimeOf(new Date());
      const before = this.slots.ids();
      const healthy = await this.repository.due(now, 'healthy', MAX_FOUND);
      const failing = await this.repository.due(now, 'failing', MAX_FOUND);
      // Endpoints that were sent to meanwhile may not be due any more.
      const meanwhile = new Set([...before, ...this.slots.ids()]);
      this.found = [...healthy, ...failing].filter(({ id }) => !meanwhile.has(id));
      this.isMoreDue = healthy.length === MAX_FOUND;
      this.hasFailed = false;
      this.beginFound();
    } catch (error) {
      this.report(error);
    }
  }

  private beginFound(): void {
    if (this.stopping.signal.aborted) return;
    this.found = this.found.filter((each) => {
      if (!this.slots.take(each)) return true;
      this.begin(each);
      return false;
    });
  }

  private begin({ id }: Sending): void {
    const end = this.deliveries
      .deliver(id, this.stopping.signal)
      .catch((error: unknown) => {
        this.report(error);
      })
      .finally(() => {
        this.slots.free(id);
        this.running.delete(end);
        // The slot is available for the next endpoint at once.
        this.beginFound();
        if (this.found.length === 0 && this.isMoreDue) this.schedule(0);
      });
    this.running.add(end);
  }

  /** Logs an outage of the database once, not at each attempt. */
  private report(error: unknown): void {
    if (!this.hasFailed) {
      this.logger.error({ message: 'Webhooks could not be sent', ...describeError(error) });
    }
    this.hasFailed = true;
  }
}
