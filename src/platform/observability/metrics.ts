import type { Worker } from 'node:cluster';
import {
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  AggregatorRegistry,
} from 'prom-client';
import { VERSION } from '../files/project-files.js';
import { Questions } from '../workers/process-messages.js';

export const METRIC_PREFIX = 'vendor_reporting_';
/** Bucket bounds that range from a cached page to the statement time limit. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5];

export interface ObservedRequest {
  readonly method: string;
  /** Path as in the OpenAPI document, or `unmatched` or `refused`. */
  readonly operation: string;
  readonly version: string;
  readonly status: number;
  readonly code: number;
  readonly seconds: number;
}

/** A counter or gauge with one label, read from elsewhere when the metrics are collected. */
export interface ValuesByLabel {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly read: () => Readonly<Record<string, number>>;
}

/** Metrics of this process; docs/operating/logs-and-metrics.md#metrics describes each. */
export class Metrics {
  readonly registry = new Registry();
  private readonly requests = new Counter({
    name: `${METRIC_PREFIX}requests_total`,
    help: 'Requests answered.',
    labelNames: ['method', 'operation', 'version', 'status', 'code'],
    registers: [this.registry],
  });
  private readonly durations = new Histogram({
    name: `${METRIC_PREFIX}request_duration_seconds`,
    help: 'Time from the request headers to the last byte of the response.',
    labelNames: ['operation', 'version'],
    buckets: SECONDS,
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: `${METRIC_PREFIX}build_info`,
      help: 'Always 1; the label is the running version.',
      labelNames: ['version'],
      registers: [this.registry],
      // The value stays 1 with several workers.
      aggregator: 'first',
    }).set({ version: VERSION }, 1);
  }

  observe({ method, operation, version, status, code, seconds }: ObservedRequest): void {
    this.requests.inc({ method, operation, version, status, code });
    this.durations.observe({ operation, version }, seconds);
  }

  /**
   * Registers a gauge.
   * @param read returns the current number for each value of the label
   */
  gauge(name: string, help: string, label: string, read: ValuesByLabel['read']): void {
    const gauge = new Gauge({
      name: METRIC_PREFIX + name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect: () => {
        for (const [value, number] of Object.entries(read())) gauge.set({ [label]: value }, number);
      },
    });
  }

  /**
   * Registers a number that is the same in every process; with several workers the maximum is
   * shown.
   */
  sharedGauge(name: string, help: string, read: () => number): void {
    const gauge: Gauge = new Gauge({
      name: METRIC_PREFIX + name,
      help,
      registers: [this.registry],
      aggregator: 'max',
      collect: () => {
        gauge.set(read());
      },
    });
  }

  /**
   * Registers a histogram of seconds with one label.
   * @param buckets upper bounds of the buckets, in seconds
   */
  histogram(name: string, help: string, label: string, buckets: number[]): Histogram {
    return new Histogram({
      name: METRIC_PREFIX + name,
      help,
      labelNames: [label],
      buckets,
      registers: [this.registry],
    });
  }

  /**
   * Registers a counter.
   * @param read returns the total so far for each value of the label
   */
  counter(name: string, help: string, label: string, read: ValuesByLabel['read']): void {
    addCounter(this.registry, { name, help, label, read });
  }
}

export function addCounter(registry: Registry, { name, help, label, read }: ValuesByLabel): void {
  const counter = new Counter({
    name: METRIC_PREFIX + name,
    help,
    labelNames: [label],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [value, number] of Object.entries(read())) counter.inc({ [label]: value }, number);
    },
  });
}

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
