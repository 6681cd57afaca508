import cluster, { type Worker } from 'node:cluster';
import type { MemoryLimitStore } from '../access/limits/store/memory-limit-store.js';
import { countFor } from '../access/limits/store/primary-limit-store.js';
import { Heartbeat } from './heartbeat.js';
import { DATABASE_FAILURES, HEARTBEATS, REPORTS, type Order, type Report } from './messages.js';

/** A worker keeps the limit of a stop itself; this much later one that no longer can is killed. */
const KILL_LATER_MS = 1_000;

export interface Ending {
  readonly clean: boolean;
  /** The signal that ended it, if one did. */
  readonly signal: string | null;
  /** For the log. */
  readonly how: string;
}

/** A worker as the primary sees it. */
export class WorkerProcess {
  readonly startedAt = performance.now();
  /** The address, once it listens; null where it ends before. */
  readonly listening: Promise<string | null>;
  readonly ended: Promise<Ending>;
  private readonly worker: Worker;
  private state: 'starting' | 'listening' | 'unwanted' = 'starting';

  /** @param graceMs how long its stop may take */
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
        resolve({ clean: status === 0 || this.state === 'unwanted', signal, how });
      });
    });
    this.listening = this.reported((report) => (report === 'refuses' ? null : report.listensOn));
    void this.listening.then((address) => {
      if (address !== null && this.state === 'starting') this.state = 'listening';
    });
  }

  /** The process itself while it listens. */
  get listener(): Worker | null {
    return this.state === 'listening' ? this.worker : null;
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  /**
   * Watches over it while it listens.
   * @param longestMs how long it may be silent
   */
  watch(longestMs: number, giveUp: () => void): void {
    void this.listening.then((address) => {
      if (address === null) return;
      const ask = () => {
        HEARTBEATS.send(this.worker, null);
      };
      const heartbeat = new Heartbeat(longestMs, { ask, giveUp });
      HEARTBEATS.onEach(this.worker, () => {
        heartbeat.answered();
      });
      void this.ended.then(() => {
        heartbeat.end();
      });
    });
  }

  /** @param tell is told the code of what its database fails with */
  onDatabaseFailure(tell: (code: string) => void): void {
    DATABASE_FAILURES.onEach(this.worker, tell);
  }

  /** For one that hangs: another signal would not reach it. */
  kill(): void {
    this.worker.process.kill('SIGKILL');
  }

  /** Done when it accepts nothing more. */
  async refuse(): Promise<void> {
    const refusing = this.reported((report) => (report === 'refuses' ? report : null));
    this.tell('refuse');
    await refusing;
  }

  stop(): void {
    this.leave('stop');
  }

  retire(): void {
    this.leave('retire');
  }

  private leave(order: Order): void {
    this.tell(order);
    setTimeout(() => {
      this.kill();
    }, this.graceMs + KILL_LATER_MS).unref();
  }

  private tell(order: Order): void {
    // Nobody waits for an answer of one that does not listen yet.
    if (this.state === 'listening') this.worker.send(order, () => undefined);
    else {
      this.state = 'unwanted';
      this.kill();
    }
  }

  /** What it tells next of what is looked for, or null where it ends before. */
  private reported<Found>(look: (report: Report) => Found | null): Promise<Found | null> {
    return new Promise((resolve) => {
      REPORTS.onEach(this.worker, (report) => {
        const found = look(report);
        if (found !== null) resolve(found);
      });
      void this.ended.then(() => {
        resolve(null);
      });
    });
  }
}
