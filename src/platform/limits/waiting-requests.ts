import { Injectable } from '@nestjs/common';
import { Metrics } from '../observability/metrics.js';
import { Settings } from '../../config/settings.js';
import { LimitStore } from './store/limit-store.js';
import { LimitQueues } from './limit-queues.js';

/** Maximum queue lengths of requests over the limit of their application. The owner is a user. */
const APPLICATIONS = { owner: 100, process: 1_000 };
/**
 * Maximum queue lengths of key lookups. The owner is an address. They are separate, so that callers
 * without a key cannot fill the other queue.
 */
const LOOKUPS = { owner: 100, process: 100 };
/** Metric labels. */
const LIMITS = ['key', 'failed_keys'] as const;
/** Upper bounds of the histogram in seconds, up to the maximum of THROTTLE_WAIT. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 2, 5, 10];

/** Holds the requests that wait in this process because of a limit. */
@Injectable()
export class WaitingRequests {
  /** Requests over the limit of their application. */
  readonly ofApplications: LimitQueues;
  /** Requests that wait for a key lookup, from addresses with too many wrong keys. */
  readonly forLookups: LimitQueues;
  private readonly ends: (() => void)[] = [];

  constructor({ limits }: Settings, store: LimitStore, metrics: Metrics) {
    const observe = metrics.histogram({
      name: 'limit_wait_seconds',
      help: 'How long requests waited because of a limit, whatever the outcome.',
      label: 'limit',
      values: LIMITS,
      buckets: BUCKETS,
    });
    const queues = (capacity: typeof APPLICATIONS, limit: (typeof LIMITS)[number]) =>
      new LimitQueues(store, capacity, limits.waitMs, (seconds) => {
        observe(limit, seconds);
      });
    this.ofApplications = queues(APPLICATIONS, 'key');
    this.forLookups = queues(LOOKUPS, 'failed_keys');
    this.show(metrics);
  }

  /** Calls `end` before a shutdown, so that a service ends what waits there. */
  onClose(end: () => void): void {
    this.ends.push(end);
  }

  /**
   * Rejects requests that would have to wait longer than `maxWaitMs`. It is called before a
   * shutdown.
   */
  close(maxWaitMs: number): void {
    this.ofApplications.close(maxWaitMs);
    this.forLookups.close(maxWaitMs);
    for (const end of this.ends) end();
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
