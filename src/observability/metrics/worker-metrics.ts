import type { Worker } from 'node:cluster';
import { AggregatorRegistry, type Registry } from 'prom-client';
import { isRecord } from '../../common/is-record.js';

/** A worker that answers later is left out this time. */
const ANSWER_MS = 1_000;

type Numbers = Awaited<ReturnType<Registry['getMetricsAsJSON']>>;

interface Question {
  readonly metricsQuestion: number;
}

interface Reply {
  readonly metricsReply: number;
  readonly numbers: Numbers;
}

let asked = 0;

/**
 * What these workers and the primary count, added up, in the text format of Prometheus. The library's
 * own way ends the primary where a worker answers too late.
 * @param own what the primary counts of itself
 */
export async function metricsOf(workers: readonly Worker[], own: Registry): Promise<string> {
  asked += 1;
  const question: Question = { metricsQuestion: asked };
  const told = await Promise.all([
    own.getMetricsAsJSON(),
    ...workers.map((worker) => ask(worker, question)),
  ]);
  return AggregatorRegistry.aggregate(told.filter((numbers) => numbers !== null)).metrics();
}

/** Answers the primary's questions, in a worker. */
export function answerWith(registry: Registry): void {
  process.on('message', (message: unknown) => {
    if (!isQuestion(message)) return;
    void registry.getMetricsAsJSON().then((numbers) => {
      const reply: Reply = { metricsReply: message.metricsQuestion, numbers };
      process.send?.(reply, undefined, undefined, () => undefined);
    });
  });
}

function ask(worker: Worker, question: Question): Promise<Numbers | null> {
  return new Promise((resolve) => {
    const settle = (numbers: Numbers | null) => {
      clearTimeout(limit);
      worker.off('message', hear);
      resolve(numbers);
    };
    const hear = (message: unknown) => {
      if (isReply(message) && message.metricsReply === question.metricsQuestion) {
        settle(message.numbers);
      }
    };
    const limit = setTimeout(() => {
      settle(null);
    }, ANSWER_MS);
    worker.on('message', hear);
    worker.send(question, (error: Error | null) => {
      if (error !== null) settle(null);
    });
  });
}

function isQuestion(message: unknown): message is Question {
  return isRecord(message) && typeof message.metricsQuestion === 'number';
}

function isReply(message: unknown): message is Reply {
  return isRecord(message) && typeof message.metricsReply === 'number';
}
