import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../observability/metrics/metrics.js';
import { Settings } from '../../../config/settings.js';
import { LimitQueues } from './limit-queues.js';

/** The owner is a user. */
const APPLICATIONS = { owner: 100, process: 1_000 };
/** The owner is an address. Separate, so that callers without a key cannot fill the other queue. */
const LOOKUPS = { owner: 100, process: 100 };
/** Metric labels. */
const LIMITS = ['key', 'failed_keys'] as const;
/** Seconds, up to the maximum of THROTTLE_WAIT. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 2, 5, 10];

/** The requests that wait in this process. */
@Injectable()
export class WaitingRequests {
  /** Over the limit of their application. */
  readonly ofApplications: LimitQueues;
  /** Waiting for a key lookup, from addresses with too many wrong keys. */
  readonly forLookups: LimitQueues;

  constructor({ limits }: Settings, metrics: Metrics) {
    const observe = metrics.histogram({
      name: 'limit_wait_seconds',
      help: 'How long requests waited because of a limit, whatever the outcome.',
      label: 'limit',
      values: LIMITS,
      buckets: BUCKETS,
    });
    const queues = (capacity: typeof APPLICATIONS, limit: (typeof LIMITS)[number]) =>
      new LimitQueues(capacity, limits.waitMs, (seconds) => {
        observe(limit, seconds);
      });
    this.ofApplications = queues(APPLICATIONS, 'key');
    this.forLookups = queues(LOOKUPS, 'failed_keys');
    this.show(metrics);
  }

  /** Before a shutdown: rejects requests that would have to wait longer. */
  close(maxWaitMs: number): void {
    this.ofApplications.close(maxWaitMs);
    this.forLookups.close(maxWaitMs);
  }

  private show(metrics: Metrics): void {
    const { ofApplications, forLookups } = this;
    metrics.gauge('limit_waiting', 'Requests waiting because of a limit.', 'limit', () => ({
      key: ofApplications.waiting,
      failed_keys: forLookups.waiting,
    }));
    metrics.counter(
      'limit_waits_total',
      'Requests over the limit of their application that waited, by outcome.',
      'outcome',
      () => ofApplications.outcomes,
    );
    metrics.counter(
      'limit_queue_full_total',
      'Requests rejected because the queue of the user, or of the process, was full.',
      'queue',
      () => ({ user: ofApplications.full.owner, process: ofApplications.full.process }),
    );
  }
}
