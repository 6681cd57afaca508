import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { Questions } from '../workers/process-messages.js';

/** Time after which a worker that has not answered is left out. */
const ANSWER_MS = 1_000;

type MetricValues = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

// oxlint-disable-next-line house/nothing-lasts -- a process has one channel to its primary
const questions = new Questions<null, MetricValues>('metrics', ANSWER_MS);

/**
 * Returns the metrics of the workers and the primary, added up, in the Prometheus text format. The
 * cluster registry of prom-client is not used, because it crashes the primary when a worker answers
 * too late.
 * @param own the metrics of the primary
 */
export async function metricsOf(workers: readonly Worker[], own: Registry): Promise<string> {
  const metrics = await Promise.all([
    own.getMetricsAsJSON(),
    ...workers.map((worker) => questions.ask(worker, null)),
  ]);
  return AggregatorRegistry.aggregate(metrics.filter((values) => values !== null)).metrics();
}

export function answerMetrics(registry: Registry): void {
  questions.answer(process, () => registry.getMetricsAsJSON());
}
