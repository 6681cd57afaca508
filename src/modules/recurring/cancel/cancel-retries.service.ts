import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { describeError } from '../../../common/errors/describe-error.js';
import { Metrics } from '../../../observability/metrics/metrics.js';
import { dateTimeOf, secondsSince } from '../../../common/time.js';
import { CancelClaimsRepository } from './cancel-claims.repository.js';
import type { WaitingCancels } from './recurring-cancel.model.js';
import { RecurringCancelService } from './recurring-cancel.service.js';

const POLL_MS = 2_000;
/** Maximum number of concurrent attempts. Each waits at most 5 s for the processor. */
const MAX_CONCURRENT = 10;

/** Repeats cancellations whose outcome at the processor is unknown. */
@Injectable()
export class CancelRetriesService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(CancelRetriesService.name);
  private waiting: WaitingCancels = { count: 0, oldest: null };
  private next: NodeJS.Timeout | undefined;
  private polling = Promise.resolve();
  private isStopped = false;
  private hasFailed = false;

  constructor(
    private readonly cancels: RecurringCancelService,
    private readonly claims: CancelClaimsRepository,
    metrics: Metrics,
  ) {
    metrics.sharedGauge(
      'cancels_waiting',
      'Cancels of which the payment processor has not said whether it took them.',
      () => this.waiting.count,
    );
    metrics.sharedGauge('cancels_waiting_seconds', 'How long the oldest of them has waited.', () =>
      this.waiting.oldest === null ? 0 : secondsSince(this.waiting.oldest),
    );
  }

  /** Polls until the service stops. */
  start(): void {
    if (this.isStopped) return;
    this.next = setTimeout(() => {
      this.polling = this.poll().finally(() => {
        this.start();
      });
    }, POLL_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.next);
    await this.polling;
  }

  private async poll(): Promise<void> {
    try {
      const due = await this.claims.due(dateTimeOf(new Date()), MAX_CONCURRENT);
      const tried = await Promise.allSettled(due.map((cancel) => this.cancels.tryAgain(cancel)));
      this.waiting = await this.claims.waiting();
      const failed = tried.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      this.hasFailed = false;
    } catch (error) {
      // The next poll may succeed. An outage of the database is logged once, not every 2 s.
      if (!this.hasFailed) {
        this.logger.error({ message: 'Cancels could not be sent again', ...describeError(error) });
      }
      this.hasFailed = true;
    }
  }
}
