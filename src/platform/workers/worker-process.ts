import cluster, { type Worker } from 'node:cluster';
import type { MemoryLimitStore } from '../limits/store/memory-limit-store.js';
import { countFor } from '../limits/store/primary-limit-store.js';
import { DATABASE_FAILURES, HEARTBEATS, REPORTS, type Order, type Report } from './messages.js';

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

export interface Ending {
  readonly clean: boolean;
  /** Signal that ended the worker, or null. */
  readonly signal: string | null;
  /** Description of the ending for the log. */
  readonly how: string;
}

/** Represents a worker in the primary. */
export class WorkerProcess {
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
  ) {
    this.worker = cluster.fork(environment);
    countFor(this.worker, limits);
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

  onDatabaseFailure(listener: (code: string) => void): void {
    DATABASE_FAILURES.onEach(this.worker, listener);
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

  /** Resolves with the first report for which `find` returns a value, or null if the worker ends before. */
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
