import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { Questions } from '../../common/process-messages.js';

/** A worker that answers later is left out this time. */
const ANSWER_MS = 1_000;

type Numbers = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

const questions = new Questions<null, Numbers>('metrics', ANSWER_MS);

/**
 * What these workers and the primary count, added up, in the text format of Prometheus. The library's
 * own way ends the primary where a worker answers too late.
 * @param own what the primary counts of itself
 */
export async function metricsOf(workers: readonly Worker[], own: Registry): Promise<string> {
  const told = await Promise.all([
    own.getMetricsAsJSON(),
    ...workers.map((worker) => questions.ask(worker, null)),
  ]);
  return AggregatorRegistry.aggregate(told.filter((numbers) => numbers !== null)).metrics();
}

/** Answers the primary's questions, in a worker. */
export function answerWith(registry: Registry): void {
  questions.answer(process, () => registry.getMetricsAsJSON());
}
