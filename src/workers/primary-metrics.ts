import { Counter, Registry } from 'prom-client';
import { LINES_LOST } from '../observability/log/guarded-output.js';
import { addCounter, METRIC_PREFIX } from '../observability/metrics/metrics.js';

/** What the primary counts of itself, beside what its workers count. */
export class PrimaryMetrics {
  readonly registry = new Registry();
  readonly hungWorkers = new Counter({
    name: `${METRIC_PREFIX}hung_workers_total`,
    help: 'Workers that no longer answered and were killed.',
    registers: [this.registry],
  });

  constructor() {
    addCounter(this.registry, LINES_LOST);
  }
}
