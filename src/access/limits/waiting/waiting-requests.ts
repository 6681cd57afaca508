import { Injectable } from '@nestjs/common';
import { Metrics } from '../../../observability/metrics/metrics.js';
import { Settings } from '../../../config/settings.js';
import { WaitingRoom } from './waiting-room.js';

/** The owner is a user, who may have several applications. */
const APPLICATIONS = { owner: 100, process: 1_000 };
/** The owner is an address. Nobody without a key takes the room of those who have one. */
const LOOK_UPS = { owner: 100, process: 100 };
/** As the metrics name them. */
const LIMITS = ['key', 'failed_keys'] as const;
/** Seconds, up to the longest that can be set. */
const BUCKETS = [0.05, 0.1, 0.25, 0.5, 0.75, 1, 2, 5, 10];

/** The requests that wait in this process. */
@Injectable()
export class WaitingRequests {
  /** Those over the limit of their application. */
  readonly ofApplications: WaitingRoom;
  /** Those of addresses with too many wrong keys, which wait for a look-up of theirs. */
  readonly forLookUps: WaitingRoom;

  constructor({ limits }: Settings, metrics: Metrics) {
    const observe = metrics.histogram({
      name: 'limit_wait_seconds',
      help: 'How long requests waited for a place within a limit, whatever became of them.',
      ...{ label: 'limit', values: LIMITS, buckets: BUCKETS },
    });
    const room = (capacity: typeof APPLICATIONS, limit: (typeof LIMITS)[number]) =>
      new WaitingRoom(capacity, limits.waitMs, (seconds) => {
        observe(limit, seconds);
      });
    this.ofApplications = room(APPLICATIONS, 'key');
    this.forLookUps = room(LOOK_UPS, 'failed_keys');
    this.show(metrics);
  }

  /** Turns away who would wait for longer, now and from now on: the process stops. */
  close(longestMs: number): void {
    this.ofApplications.close(longestMs);
    this.forLookUps.close(longestMs);
  }

  private show(metrics: Metrics): void {
    const { ofApplications, forLookUps } = this;
    metrics.gauge('limit_waiting', 'Requests that wait for a place now.', 'limit', () => ({
      key: ofApplications.waiting,
      failed_keys: forLookUps.waiting,
    }));
    metrics.counter(
      'limit_waits_total',
      'Requests over the limit of their application that waited, by what became of them.',
      'outcome',
      () => ofApplications.outcomes,
    );
    metrics.counter(
      'limit_queue_full_total',
      'Requests refused because too many of their user, or of all in a process, waited already.',
      'queue',
      () => ({ user: ofApplications.full.owner, process: ofApplications.full.process }),
    );
  }
}
