import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { ServiceLogger } from '../observability/log/service-logger.js';
import type { Settings } from '../config/settings.js';
import { MemoryLimitStore } from '../access/limits/store/memory-limit-store.js';
import { DatabaseFailures } from '../database/database-failures.js';
import { DatabaseProbe } from '../observability/health/database-probe.js';
import { Health } from '../observability/health/health.js';
import { metricsOf } from '../observability/metrics/worker-metrics.js';
import { ManagementServer } from '../observability/health/management-server.js';
import { onKnownHost } from '../server/lifecycle/known-host.js';
import { PrimaryMetrics } from './primary-metrics.js';
import { WorkerProcess } from './worker-process.js';

const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Who lived longer did not die of its start. */
const STEADY_MS = 10_000;
/** For a worker that is too busy to hear of a stop. */
const REFUSE_LIMIT_MS = 1_000;

/** A place among the workers, and who fills it. */
interface Place {
  worker: WorkerProcess;
  pauseMs: number;
}

/** Keeps a number of workers running. */
export class Primary {
  private readonly logger: ServiceLogger;
  private readonly environment: Record<string, string> = {};
  private readonly running = new Set<WorkerProcess>();
  private readonly places: Place[] = [];
  /** Counts for all workers, unless they count in Redis. */
  private readonly limits = new MemoryLimitStore();
  private readonly failures = new DatabaseFailures();
  private readonly metrics = new PrimaryMetrics();
  private readonly probe: DatabaseProbe;
  private readonly health: Health;
  private stopping = false;
  private restarts = Promise.resolve();

  constructor(private readonly settings: Settings) {
    this.logger = new ServiceLogger(settings);
    this.logger.setContext('Workers');
    this.probe = new DatabaseProbe(settings.database);
    this.health = new Health(this.probe, this.failures, () => this.isServing, this.logger);
  }

  /**
   * Starts every worker; ends the process where one of them, which says why, can not start.
   * @returns the address on which all listen, or null where a stop came first
   */
  async start(): Promise<string | null> {
    await this.listenForManagement();
    // Each accepts for itself: what Node's primary has accepted and not yet handed on, it drops at a stop.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void this.stop());
    process.on('SIGHUP', () => {
      this.restarts = this.restarts.then(() => this.replaceEach());
    });
    // What the primary has migrated is only looked at.
    this.environment.DATABASE_MIGRATIONS = 'off';
    // The port stays the same where all workers die at once. Where it is taken, this is the one to say so.
    this.environment.PORT = String(await freePort(this.settings));
    const workers = Array.from({ length: this.settings.workers }, () => this.fork());
    const starts = workers.map(async (worker) => (await worker.listening) ?? this.endOf(worker));
    const [address = null] = await Promise.all(starts);
    for (const worker of workers) this.fill(worker);
    return this.stopping ? null : address;
  }

  private get isServing(): boolean {
    return [...this.running].some((worker) => worker.listener !== null);
  }

  private async listenForManagement(): Promise<void> {
    const metrics = () =>
      metricsOf(
        [...this.running].flatMap((worker) => worker.listener ?? []),
        this.metrics.registry,
      );
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
    const worker = new WorkerProcess(this.environment, this.settings.shutdownGraceMs, this.limits);
    worker.watch(this.settings.workerHangMs, () => {
      this.endHung(worker);
    });
    worker.onDatabaseFailure((code) => {
      this.failures.note(code);
    });
    this.running.add(worker);
    void worker.ended.then(() => this.running.delete(worker));
    return worker;
  }

  private endHung(worker: WorkerProcess): void {
    this.metrics.hungWorkers.inc();
    const seconds = this.settings.workerHangMs / 1_000;
    this.logger.error(`Worker ${worker.pid} has not answered for ${seconds} s and is killed.`);
    worker.kill();
  }

  private fill(worker: WorkerProcess): void {
    const place = { worker, pauseMs: SHORTEST_PAUSE_MS };
    this.places.push(place);
    void this.keepFilled(place);
  }

  private async keepFilled(place: Place): Promise<void> {
    const { worker } = place;
    const { how } = await worker.ended;
    if (!this.isMissing(worker, place)) return;
    const isSteady = performance.now() - worker.startedAt > STEADY_MS;
    const pauseMs = isSteady ? SHORTEST_PAUSE_MS : place.pauseMs;
    place.pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    this.logger.error(`Worker ${worker.pid} ended ${how}; another follows in ${pauseMs} ms.`);
    await wait(pauseMs);
    if (!this.isMissing(worker, place)) return;
    place.worker = this.fork();
    void this.keepFilled(place);
  }

  /** False where a stop or a restart came first. */
  private isMissing(worker: WorkerProcess, place: Place): boolean {
    return !this.stopping && place.worker === worker;
  }

  /** One after another: never is there more than one worker too many. */
  private async replaceEach(): Promise<void> {
    for (const place of this.places) {
      if (this.stopping) return;
      const next = this.fork();
      if ((await next.listening) === null) {
        this.logger.error('The restart failed: a new worker did not start. The others go on.');
        return;
      }
      const old = place.worker;
      place.worker = next;
      void this.keepFilled(place);
      old.retire();
      await old.ended;
    }
    this.logger.log('Every worker is replaced.');
  }

  private async stop(): Promise<void> {
    if (this.stopping) return;
    this.stopping = true;
    this.health.stop();
    const workers = [...this.running];
    // First the port is closed, or a client that is told to hang up would come back to it meanwhile.
    const refused = Promise.all(workers.map((worker) => worker.refuse()));
    await Promise.race([refused, wait(REFUSE_LIMIT_MS)]);
    for (const worker of workers) worker.stop();
    const endings = await Promise.all(workers.map(({ ended }) => ended));
    for (const { clean, signal, how } of endings) {
      if (!clean && signal !== null) this.logger.error(`A worker ended ${how} while it stopped.`);
    }
    process.exit(endings.every(({ clean }) => clean) ? 0 : 1);
  }
}

/** @throws where the port of the settings can not be listened on */
async function freePort({ port, host }: Settings): Promise<number> {
  const server = createServer().listen(port, host);
  await onKnownHost(once(server, 'listening'));
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : port;
}
