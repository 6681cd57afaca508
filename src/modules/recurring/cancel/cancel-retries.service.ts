import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../platform/observability/metrics.js';
import { dateTimeIn, secondsSince } from '../../../platform/values/time.js';
import { everyJob, JobQueue } from '../../../platform/jobs/job-queue.js';
import { CancelLeasesRepository } from './cancel-leases.repository.js';
import type { DueCancel, WaitingCancels } from './recurring-cancel.model.js';
import { RecurringCancelService } from './recurring-cancel.service.js';

const POLL_MS = 2_000;
/** Maximum number of concurrent attempts. Each waits at most 5 s for the processor. */
const MAX_CONCURRENT = 10;

/** Repeats cancellations whose outcome at the processor is unknown. */
@Injectable()
export class CancelRetriesService extends JobQueue<DueCancel> {
  private waiting: WaitingCancels = { count: 0, oldest: null };

  constructor(
    private readonly cancels: RecurringCancelService,
    private readonly leases: CancelLeasesRepository,
    metrics: Metrics,
  ) {
    super('Cancels could not be sent again', POLL_MS, [{ max: MAX_CONCURRENT, group: everyJob }]);
    metrics.sharedGauge(
      'cancels_waiting',
      'Cancels of which the payment processor has not said whether it took them.',
      () => this.waiting.count,
    );
    metrics.sharedGauge('cancels_waiting_seconds', 'How long the oldest of them has waited.', () =>
      this.waiting.oldest === null ? 0 : secondsSince(this.waiting.oldest),
    );
  }

  protected async due(): Promise<DueCancel[]> {
    this.waiting = await this.leases.waiting();
    return this.leases.due(dateTimeIn(0), MAX_CONCURRENT);
  }

  protected attempt(cancel: DueCancel): Promise<void> {
    return this.cancels.tryAgain(cancel);
  }
}
