import { createRequire } from 'node:module';
import { type MessagePort, Worker } from 'node:worker_threads';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type * as Argon2 from '@node-rs/argon2';
import { ApiError } from '../../../api/errors/api-error.js';
import { Metrics } from '../../../platform/observability/metrics.js';

/**
 * These costs are the minimum that OWASP recommends for argon2id, and the library's default: 19
 * MiB, 2 passes, 1 lane.
 */
const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A job has a password to hash, or to compare with a hash. */
interface HashJob {
  readonly password: string;
  readonly passwordHash: string | null;
}

/** The result is the new hash, or true if the password has the given hash. */
type HashResult = string | boolean;
type Answer = { readonly result: HashResult } | { readonly error: Error };

interface PendingJob {
  readonly resolve: (result: HashResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs argon2 in a separate thread, one job at a time. The library's asynchronous functions would
 * occupy the threads that Node uses for files, compression and DNS. The thread starts with the
 * first job, restarts after a crash and does not keep the process alive.
 */
class HashThread {
  private worker: Worker | null = null;
  private pending: PendingJob | null = null;

  /** @throws Error if the thread ends before the job, or the hash cannot be read */
  run(job: HashJob): Promise<HashResult> {
    const worker = (this.worker ??= this.start());
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject };
      worker.ref();
      worker.postMessage(job);
    });
  }

  async end(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const library = createRequire(import.meta.url).resolve('@node-rs/argon2');
    const worker = new Worker(SOURCE, {
      eval: true,
      workerData: { library, costs: COSTS },
      // The thread needs neither the service's settings nor the process's options.
      env: {},
      execArgv: [],
      name: 'passwords',
    });
    worker.on('message', (answer: Answer) => {
      worker.unref();
      const job = this.takePending();
      if ('error' in answer) job?.reject(answer.error);
      else job?.resolve(answer.result);
    });
    worker.on('error', (error: Error) => {
      this.onEnd(worker, error);
    });
    worker.on('exit', () => {
      this.onEnd(worker, new Error('the password thread ended'));
    });
    return worker;
  }

  private onEnd(worker: Worker, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    this.takePending()?.reject(error);
  }

  private takePending(): PendingJob | null {
    const { pending } = this;
    this.pending = null;
    return pending;
  }
}

/**
 * Runs in the thread. The function is sent there as text, so it cannot refer to anything in this
 * file.
 */
function answerJobs(port: MessagePort, argon2: typeof Argon2, costs: typeof COSTS): void {
  port.on('message', ({ password, passwordHash }: HashJob) => {
    try {
      const isNew = passwordHash === null;
      const result = isNew
        ? argon2.hashSync(password, costs)
        : argon2.verifySync(passwordHash, password);
      port.postMessage({ result });
    } catch (error) {
      port.postMessage({ error });
    }
  });
}

const SOURCE = `
  const { parentPort, workerData } = require('node:worker_threads');
  (${answerJobs.toString()})(parentPort, require(workerData.library), workerData.costs);
`;

/** At most this many callers wait in a lane. */
const MAX_WAITING = 100;
const MAX_WAIT_MS = 5_000;

/**
 * The lane shows who waits. Anyone can use `sign-in`. A caller in `account` is signed in or has a
 * link.
 */
export type HashLane = 'account' | 'sign-in';
type HashRefusal = 'queue_full' | 'waited_too_long';

interface Waiter {
  /** Start of the wait, from `performance.now()`. */
  readonly since: number;
  readonly start: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Lets one caller work at a time. Each lane has its own places, and lanes take turns. However many
 * strangers try to sign in, a user of an account waits for at most one of them.
 */
export class HashQueue {
  private readonly lanes: Readonly<Record<HashLane, Waiter[]>> = { account: [], 'sign-in': [] };
  private last: HashLane = 'sign-in';
  private busy = false;

  /** @param refused creates the error for a caller that is rejected */
  constructor(private readonly refused: (reason: HashRefusal) => Error) {}

  get isWorking(): boolean {
    return this.busy;
  }

  get waiting(): number {
    return this.lanes.account.length + this.lanes['sign-in'].length;
  }

  /** Runs the work as soon as it is the caller's turn. */
  async run<Result>(lane: HashLane, work: () => Promise<Result>): Promise<Result> {
    await this.wait(lane);
    this.last = lane;
    try {
      return await work();
    } finally {
      this.startNext();
    }
  }

  private wait(lane: HashLane): Promise<void> {
    if (!this.busy) {
      this.busy = true;
      return Promise.resolve();
    }
    const waiters = this.lanes[lane];
    if (waiters.length >= MAX_WAITING) return Promise.reject(this.refused('queue_full'));
    return new Promise((start, reject) => {
      waiters.push({ since: performance.now(), start, reject });
    });
  }

  private startNext(): void {
    const other = this.last === 'account' ? 'sign-in' : 'account';
    const next = this.nextIn(other) ?? this.nextIn(this.last);
    if (next === null) this.busy = false;
    else next.start();
  }

  /**
   * Returns the next caller of a lane, or null. Callers that have waited too long are rejected,
   * because most of them have given up by now.
   */
  private nextIn(lane: HashLane): Waiter | null {
    const earliest = performance.now() - MAX_WAIT_MS;
    for (;;) {
      const next = this.lanes[lane].shift();
      if (next === undefined) return null;
      if (next.since >= earliest) return next;
      next.reject(this.refused('waited_too_long'));
    }
  }
}

const RETRY_SECONDS = 5;

/**
 * Hashes and compares passwords, one at a time in each process, so that hashing never uses more
 * than one core. Further callers wait for a while.
 */
@Injectable()
export class PasswordHashes implements OnApplicationShutdown {
  private readonly thread = new HashThread();
  private readonly queue = new HashQueue((reason) => this.refusal(reason));
  private readonly refused: Record<HashRefusal, number> = { queue_full: 0, waited_too_long: 0 };

  constructor(metrics: Metrics) {
    metrics.gauge(
      'password_hashes',
      'Passwords that are being hashed or waiting.',
      'state',
      () => ({
        working: this.queue.isWorking ? 1 : 0,
        waiting: this.queue.waiting,
      }),
    );
    metrics.counter(
      'password_hashes_refused_total',
      'Passwords that were not checked because too many others waited.',
      'reason',
      () => this.refused,
    );
  }

  /**
   * Returns the hash of a password in the form NFC, because keyboards compose accents in different
   * ways.
   * @throws ApiError too_many_requests if too many callers wait
   */
  async hashOf(password: string, lane: HashLane = 'account'): Promise<string> {
    const job = { password: password.normalize('NFC'), passwordHash: null };
    return String(await this.queued(job, lane));
  }

  /** @throws ApiError too_many_requests if too many callers wait */
  async isPassword(passwordHash: string, password: string, lane: HashLane = 'account') {
    for (const form of formsOf(password)) {
      if ((await this.queued({ password: form, passwordHash }, lane)) === true) return true;
    }
    return false;
  }

  /** Takes as long as a comparison, so that response times do not reveal which e-mails exist. */
  async compareWithNothing(password: string, lane: HashLane): Promise<void> {
    for (const form of formsOf(password)) await this.hashOf(form, lane);
  }

  onApplicationShutdown(): Promise<void> {
    return this.thread.end();
  }

  private queued(job: HashJob, lane: HashLane): Promise<HashResult> {
    return this.queue.run(lane, () => this.thread.run(job));
  }

  private refusal(reason: HashRefusal): ApiError {
    this.refused[reason] += 1;
    const detail = `Too many people sign in at once. Wait ${RETRY_SECONDS} s.`;
    return new ApiError('too_many_requests', detail, { 'Retry-After': String(RETRY_SECONDS) });
  }
}

/**
 * Returns the forms of a password to compare: first the form that is hashed now, then the forms of
 * older hashes, as typed and decomposed as on macOS.
 */
function formsOf(password: string): Set<string> {
  return new Set([password.normalize('NFC'), password, password.normalize('NFD')]);
}
