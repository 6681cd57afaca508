import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { describeError } from '../../../common/errors/describe-error.js';
import { Metrics } from '../../../observability/metrics/metrics.js';
import { dateTimeOf, secondsSince } from '../../../common/time.js';
import { CancelClaimsRepository } from './cancel-claims.repository.js';
import type { WaitingCancels } from './recurring-cancel.model.js';
import { RecurringCancelService } from './recurring-cancel.service.js';

const LOOK_EVERY_MS = 2_000;
/** At once; each waits for the processor 5 s at the most. */
const MOST_AT_ONCE = 10;

/** Tells the processor again of cancels of which it has not said whether it took them. */
@Injectable()
export class CancelRetriesService implements BeforeApplicationShutdown {
  private readonly logger = new Logger(CancelRetriesService.name);
  private waiting: WaitingCancels = { count: 0, oldest: null };
  private next: NodeJS.Timeout | undefined;
  private looking = Promise.resolve();
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

  /** Looks from now on, until the service stops. */
  begin(): void {
    if (this.isStopped) return;
    this.next = setTimeout(() => {
      this.looking = this.look().finally(() => {
        this.begin();
      });
    }, LOOK_EVERY_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.next);
    await this.looking;
  }

  private async look(): Promise<void> {
    try {
      const due = await this.claims.due(dateTimeOf(new Date()), MOST_AT_ONCE);
      const tried = await Promise.allSettled(due.map((cancel) => this.cancels.tryAgain(cancel)));
      this.waiting = await this.claims.waiting();
      const failed = tried.find((one) => one.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      this.hasFailed = false;
    } catch (error) {
      // The next look may succeed. Until one does, the log says so once: the database may be away.
      if (!this.hasFailed) {
        this.logger.error({ message: 'Cancels could not be told again', ...describeError(error) });
      }
      this.hasFailed = true;
    }
  }
}
