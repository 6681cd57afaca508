import { createRequire } from 'node:module';
import { Worker, type MessagePort } from 'node:worker_threads';
import type { hashSync, verifySync } from '@node-rs/argon2';

/**
 * These costs are the minimum that OWASP recommends for argon2id, and the library's default: 19
 * MiB, 2 passes, 1 lane.
 */
const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A job has a password to hash, or to compare with a hash. */
export interface HashJob {
  readonly password: string;
  readonly passwordHash: string | null;
}

/** The result is the new hash, or true if the password has the given hash. */
export type HashResult = string | boolean;
type Answer = { readonly result: HashResult } | { readonly error: Error };

interface Argon2 {
  readonly hashSync: typeof hashSync;
  readonly verifySync: typeof verifySync;
}

interface PendingJob {
  readonly resolve: (result: HashResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs argon2 in a separate thread, one job at a time. The library's asynchronous functions would
 * occupy the threads that Node uses for files, compression and DNS. The thread starts with the
 * first job, restarts after a crash and does not keep the process alive.
 */
export class HashThread {
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
function answerJobs(port: MessagePort, argon2: Argon2, costs: typeof COSTS): void {
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
