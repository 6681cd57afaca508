import { createRequire } from 'node:module';
import { Worker, type MessagePort } from 'node:worker_threads';
import type { hashSync, verifySync } from '@node-rs/argon2';

/** argon2id, which is its default, with what OWASP asks for at least: 19 MiB, 2 passes, 1 lane. */
const COSTS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A password to hash, or to compare with a hash. */
export interface HashJob {
  readonly password: string;
  readonly passwordHash: string | null;
}

/** The new hash, or whether the password has the given one. */
export type HashResult = string | boolean;
type Answer = { readonly result: HashResult } | { readonly error: Error };

interface Argon2 {
  readonly hashSync: typeof hashSync;
  readonly verifySync: typeof verifySync;
}

interface Asker {
  readonly resolve: (result: HashResult) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A thread of its own for argon2, one job at a time. The library's asynchronous functions would take
 * the threads that Node has for files, compression and names of hosts, and keep those waiting. It
 * begins with the first job, is begun anew after it died, and keeps no process from ending.
 */
export class HashThread {
  private worker: Worker | null = null;
  private asker: Asker | null = null;

  /** @throws Error where the thread dies meanwhile, or the hash can not be read */
  run(job: HashJob): Promise<HashResult> {
    const worker = (this.worker ??= this.begin());
    return new Promise((resolve, reject) => {
      this.asker = { resolve, reject };
      worker.ref();
      worker.postMessage(job);
    });
  }

  async end(): Promise<void> {
    await this.worker?.terminate();
  }

  private begin(): Worker {
    const library = createRequire(import.meta.url).resolve('@node-rs/argon2');
    const worker = new Worker(SOURCE, {
      ...{ eval: true, workerData: { library, costs: COSTS } },
      // It needs no setting of the service, and no option of the process.
      ...{ env: {}, execArgv: [], name: 'passwords' },
    });
    worker.on('message', (answer: Answer) => {
      worker.unref();
      const asker = this.takeAsker();
      if ('error' in answer) asker?.reject(answer.error);
      else asker?.resolve(answer.result);
    });
    worker.on('error', (error: Error) => {
      this.lose(worker, error);
    });
    worker.on('exit', () => {
      this.lose(worker, new Error('the thread for passwords ended'));
    });
    return worker;
  }

  private lose(worker: Worker, error: Error): void {
    if (this.worker !== worker) return;
    this.worker = null;
    this.takeAsker()?.reject(error);
  }

  private takeAsker(): Asker | null {
    const { asker } = this;
    this.asker = null;
    return asker;
  }
}

/** What the thread does. It is sent there as text, so it may name nothing of this file. */
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
