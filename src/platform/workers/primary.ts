import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Counter, Registry } from 'prom-client';
import { LINES_LOST } from '../observability/guarded-output.js';
import { addCounter, METRIC_PREFIX, metricsOf } from '../observability/metrics.js';
import { ServiceLogger } from '../observability/service-logger.js';
import type { Settings } from '../../config/settings.js';
import { MemoryLimitStore, countFor } from '../limits/store/memory-limit-store.js';
import { DatabaseFailures } from '../database/database-failures.js';
import { DatabaseProbe } from '../observability/database-probe.js';
import { Health } from '../observability/health.js';
import { ManagementServer } from '../observability/management-server.js';
import { reportUnknownHost } from '../../api/server/unknown-host.js';
import {
  DATABASE_FAILURES,
  HEARTBEATS,
  REPORTS,
  type Order,
  type Report,
} from './process-messages.js';

/**
 * Milliseconds after the grace time at which a hung worker is killed. Other workers end themselves
 * after the grace time.
 */
const KILL_LATER_MS = 1_000;
/**
 * Number of heartbeats missed in a row before a worker counts as hung. A primary that was suspended
 * or busy misses at most one.
 */
const BEATS = 10;

interface Ending {
  readonly clean: boolean;
  /** Signal that ended the worker, or null. */
  readonly signal: string | null;
  /** Description of the ending for the log. */
  readonly how: string;
}

/** Represents a worker in the primary. */
class WorkerProcess {
  readonly startedAt = performance.now();
  /** Resolves with the address once the worker listens, or with null if it ends before. */
  readonly listening: Promise<string | null>;
  readonly ended: Promise<Ending>;
  private readonly worker: Worker;
  private state: 'starting' | 'listening' | 'stopped' = 'starting';

  /**
   * Starts a worker.
   * @param graceMs time limit of its shutdown, in milliseconds
   */
  constructor(
    environment: Readonly<Record<string, string>>,
    private readonly graceMs: number,
    limits: MemoryLimitStore,
    failures: DatabaseFailures,
  ) {
    this.worker = cluster.fork(environment);
    countFor(this.worker, limits);
    DATABASE_FAILURES.onEach(this.worker, (code) => {
      failures.note(code);
    });
    this.ended = new Promise((resolve) => {
      this.worker.once('exit', (status) => {
        const signal = this.worker.process.signalCode;
        const how = signal === null ? `with exit status ${status}` : `by ${signal}`;
        resolve({ clean: status === 0 || this.state === 'stopped', signal, how });
      });
    });
    this.listening = this.nextReport((report) =>
      report === 'not-accepting' ? null : report.listensOn,
    );
    void this.listening.then((address) => {
      if (address !== null && this.state === 'starting') this.state = 'listening';
    });
  }

  /** Returns the worker while it listens, otherwise null. */
  get listener(): Worker | null {
    return this.state === 'listening' ? this.worker : null;
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  /** Calls `onUnresponsive` if the listening worker is silent for longer than `timeoutMs`. */
  watch(timeoutMs: number, onUnresponsive: () => void): void {
    void this.listening.then((address) => {
      if (address === null) return;
      let missed = 0;
      const timer = setInterval(() => {
        missed += 1;
        if (missed <= BEATS) {
          HEARTBEATS.send(this.worker, null);
          return;
        }
        clearInterval(timer);
        onUnresponsive();
      }, timeoutMs / BEATS).unref();
      HEARTBEATS.onEach(this.worker, () => {
        missed = 0;
      });
      void this.ended.then(() => {
        clearInterval(timer);
      });
    });
  }

  /** Kills the worker with SIGKILL, since a hung process does not handle other signals. */
  kill(): void {
    this.worker.process.kill('SIGKILL');
  }

  /**
   * Makes the worker close its port. Resolves when it accepts no more connections, or has ended.
   */
  async stopAccepting(): Promise<void> {
    const reported = this.nextReport((report) => (report === 'not-accepting' ? report : null));
    this.send('stop-accepting');
    await reported;
  }

  /** Stops the worker. With `retire`, idle clients get more time. */
  stop(order: 'stop' | 'retire'): void {
    this.send(order);
    setTimeout(() => {
      this.kill();
    }, this.graceMs + KILL_LATER_MS).unref();
  }

  private send(order: Order): void {
    // A worker that does not listen yet has no requests to finish.
    if (this.state === 'listening') this.worker.send(order, () => undefined);
    else {
      this.state = 'stopped';
      this.kill();
    }
  }

  /**
   * Resolves with the first report for which `find` returns a value, or null if the worker ends
   * before.
   */
  private nextReport<Found>(find: (report: Report) => Found | null): Promise<Found | null> {
    return new Promise((resolve) => {
      REPORTS.onEach(this.worker, (report) => {
        const found = find(report);
        if (found !== null) resolve(found);
      });
      void this.ended.then(() => {
        resolve(null);
      });
    });
  }
}

const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** A worker that ran for more than this many milliseconds did not fail at its start. */
const STEADY_MS = 10_000;
/**
 * Milliseconds to wait for workers to stop accepting connections. A busy worker may not react in
 * time.
 */
const STOP_ACCEPTING_MS = 1_000;

/** A slot holds one of the configured number of workers, and gets another when that worker ends. */
interface Slot {
  worker: WorkerProcess;
  pauseMs: number;
}

/** Keeps a number of workers running. */
export class Primary {
  private readonly logger: ServiceLogger;
  private readonly environment: Record<string, string> = {};
  private readonly running = new Set<WorkerProcess>();
  private readonly slots: Slot[] = [];
  /** Counts the rate limits of all workers, unless they are counted in Redis. */
  private readonly limits = new MemoryLimitStore();
  private readonly failures = new DatabaseFailures();
  private readonly registry = new Registry();
  private readonly hungWorkers = new Counter({
    name: `${METRIC_PREFIX}hung_workers_total`,
    help: 'Workers that no longer answered and were killed.',
    registers: [this.registry],
  });
  private readonly probe: DatabaseProbe;
  private readonly health: Health;
  private stopping = false;
  private restarts = Promise.resolve();

  constructor(private readonly settings: Settings) {
    this.logger = new ServiceLogger(settings);
    this.logger.setContext('Workers');
    addCounter(this.registry, LINES_LOST);
    this.probe = new DatabaseProbe(settings.database);
    this.health = new Health(this.probe, this.failures, () => this.isServing, this.logger);
  }

  /**
   * Starts every worker. Ends the process if one cannot start; that worker reports the reason.
   * @returns the address on which all workers listen, or null if the service was stopped meanwhile
   */
  async start(): Promise<string | null> {
    await this.listenForManagement();
    // Each worker accepts connections itself. At a stop, Node's primary would drop connections that
    // it has not passed to a worker.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.stop());
    process.on('SIGHUP', () => {
      this.restarts = this.restarts.then(() => this.replaceEach());
    });
    // The primary has already migrated the database.
    this.environment.DATABASE_MIGRATIONS = 'off';
    // With PORT=0, replaced workers keep the port. A port in use is reported once, here.
    this.environment.PORT = String(await freePort(this.settings));
    const workers = Array.from({ length: this.settings.workers }, () => this.fork());
    const starts = workers.map(async (worker) => (await worker.listening) ?? this.endOf(worker));
    const [address = null] = await Promise.all(starts);
    for (const worker of workers) {
      const slot = { worker, pauseMs: SHORTEST_PAUSE_MS };
      this.slots.push(slot);
      void this.keepFilled(slot);
    }
    return this.stopping ? null : address;
  }

  private get isServing(): boolean {
    return [...this.running].some((worker) => worker.listener !== null);
  }

  private async listenForManagement(): Promise<void> {
    const metrics = () => {
      const listeners = [...this.running].flatMap((worker) => worker.listener ?? []);
      return metricsOf(listeners, this.registry);
    };
    const { management } = this.settings;
    await new ManagementServer(management, this.health, this.probe, metrics, this.logger).listen();
  }

  private async endOf(worker: WorkerProcess): Promise<null> {
    const { signal, how } = await worker.ended;
    if (this.stopping) return null;
    if (signal !== null) this.logger.error(`A worker ended ${how} before it listened.`);
    process.exit(1);
  }

  private fork(): WorkerProcess {
    const { environment, settings, limits, failures } = this;
    const worker = new WorkerProcess(environment, settings.shutdownGraceMs, limits, failures);
    worker.watch(this.settings.workerHangMs, () => {
      this.endHung(worker);
    });
    this.running.add(worker);
    void worker.ended.then(() => this.running.delete(worker));
    return worker;
  }

  private endHung(worker: WorkerProcess): void {
    this.hungWorkers.inc();
    const seconds = this.settings.workerHangMs / 1_000;
    this.logger.error(`Worker ${worker.pid} has not answered for ${seconds} s and is killed.`);
    worker.kill();
  }

  private async keepFilled(slot: Slot): Promise<void> {
    const { worker } = slot;
    const { how } = await worker.ended;
    if (!this.isMissing(worker, slot)) return;
    const isSteady = performance.now() - worker.startedAt > STEADY_MS;
    const pauseMs = isSteady ? SHORTEST_PAUSE_MS : slot.pauseMs;
    slot.pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    this.logger.error(`Worker ${worker.pid} ended ${how}; another follows in ${pauseMs} ms.`);
    await wait(pauseMs);
    if (!this.isMissing(worker, slot)) return;
    slot.worker = this.fork();
    void this.keepFilled(slot);
  }

  /**
   * Returns true if the slot needs another worker. It does not after a stop, or if a restart has
   * replaced the worker.
   */
  private isMissing(worker: WorkerProcess, slot: Slot): boolean {
    return !this.stopping && slot.worker === worker;
  }

  /** Replaces the workers one after another, so that there is at most one extra worker. */
  private async replaceEach(): Promise<void> {
    for (const slot of this.slots) {
      if (this.stopping) return;
      const next = this.fork();
      if ((await next.listening) === null) {
        this.logger.error(
          'The restart failed: a new worker did not start. The old workers keep running.',
        );
        return;
      }
      const old = slot.worker;
      slot.worker = next;
      void this.keepFilled(slot);
      old.stop('retire');
      await old.ended;
    }
    this.logger.log('All workers were replaced.');
  }

  private async stop(): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    this.health.stop();
    const workers = [...this.running];
    // The port is closed first; otherwise disconnected clients would connect again.
    const closed = Promise.all(workers.map((worker) => worker.stopAccepting()));
    await Promise.race([closed, wait(STOP_ACCEPTING_MS)]);
    for (const worker of workers) worker.stop('stop');
    const endings = await Promise.all(workers.map(({ ended }) => ended));
    for (const { clean, signal, how } of endings) {
      if (!clean && signal !== null)
        this.logger.error(`A worker ended ${how} during the shutdown.`);
    }
    process.exit(endings.every(({ clean }) => clean) ? 0 : 1);
  }
}

/**
 * Returns the configured port, or a free one if it is 0.
 * @throws Error if the service cannot listen on the configured port
 */
async function freePort({ port, host }: Settings): Promise<number> {
  const server = createServer().listen(port, host);
  await reportUnknownHost(once(server, 'listening'));
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : port;
}
