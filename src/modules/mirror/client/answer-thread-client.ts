import { Worker } from 'node:worker_threads';
import type { OnApplicationShutdown } from '@nestjs/common';
import { BUNDLE } from '../../../platform/files/project-files.js';
import type { FromThread, ToThread } from './answer-thread.js';

const FILE = 'answer-thread.js';
/** A hostile answer may use up this memory. Then the thread ends, and the process continues. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };
const BLOCK_BYTES = 65_536;

interface Reply {
  readonly resolve: (message: FromThread) => void;
  readonly reject: (error: Error) => void;
}

/** Thrown if the thread ends while it reads an answer. */
export class AnswerThreadError extends Error {}

/** Holds an answer that the thread has checked. */
interface ReadAnswer {
  readonly meta: unknown;
  /** The results; null if they are not a list. */
  readonly results: unknown[] | null;
}

/**
 * Runs a thread that parses the answers of upstreams, so that no answer can block or end the
 * process. The thread starts with the first answer, restarts after a crash, and does not keep the
 * process alive.
 */
export class AnswerThreadClient implements OnApplicationShutdown {
  private worker: Worker | null = null;
  private lastId = 0;
  private readonly replies = new Map<number, Reply>();

  /**
   * Reads an answer. Stops reading the bytes early if the thread rejects the answer.
   * @returns the answer, or its problem
   * @throws AnswerThreadError if the thread ends; any error of `chunks`
   */
  async read(chunks: AsyncIterable<Uint8Array>, maxValues: number): Promise<ReadAnswer | string> {
    const worker = (this.worker ??= this.start());
    const id = (this.lastId += 1);
    const post = (message: ToThread, transfer: readonly ArrayBuffer[] = []) => {
      worker.postMessage(message, transfer);
    };
    const first = this.replyTo(id);
    const refused = new AbortController();
    const stop = () => {
      refused.abort();
    };
    first.then(stop, stop);
    try {
      post({ id, kind: 'begin', maxValues });
      for await (const bytes of blocksOf(chunks)) {
        if (refused.signal.aborted) break;
        post({ id, kind: 'bytes', bytes }, [bytes.buffer]);
      }
      post({ id, kind: 'end' });
      return await this.taken(id, await first, post);
    } finally {
      this.replies.delete(id);
      post({ id, kind: 'drop' });
      if (this.replies.size === 0) worker.unref();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.worker?.terminate();
  }

  /** Receives the results, one piece in each turn of the event loop. */
  private async taken(id: number, message: FromThread, post: (message: ToThread) => void) {
    if (message.kind === 'problem') return message.problem;
    if (message.kind === 'piece') throw new AnswerThreadError('a piece came without an envelope');
    const { meta, pieces } = message;
    if (pieces === null) return { meta, results: null };
    const results: unknown[] = [];
    for (let taken = 0; taken < pieces; taken += 1) {
      const reply = this.replyTo(id);
      post({ id, kind: 'next' });
      const piece = await reply;
      if (piece.kind !== 'piece') throw new AnswerThreadError('no piece came');
      for (const item of piece.items) results.push(item);
    }
    return { meta, results };
  }

  private replyTo(id: number): Promise<FromThread> {
    this.worker?.ref();
    return new Promise((resolve, reject) => {
      this.replies.set(id, { resolve, reject });
    });
  }

  private start(): Worker {
    const worker = new Worker(new URL(FILE, BUNDLE), {
      resourceLimits: RESOURCE_LIMITS,
      name: 'answers',
      // The thread needs neither the settings of the service nor the options of the process.
      env: {},
      execArgv: [],
    });
    worker.on('message', (message: FromThread) => {
      this.replies.get(message.id)?.resolve(message);
    });
    worker.on('error', () => {
      this.onEnd(worker);
    });
    worker.on('exit', () => {
      this.onEnd(worker);
    });
    return worker;
  }

  private onEnd(worker: Worker): void {
    if (this.worker !== worker) return;
    this.worker = null;
    const replies = [...this.replies.values()];
    this.replies.clear();
    for (const { reject } of replies) reject(new AnswerThreadError('the thread ended'));
  }
}

/** Yields the bytes in blocks of one size, however small the chunks are. */
async function* blocksOf(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let [block, length] = [new Uint8Array(BLOCK_BYTES), 0];
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const part = chunk.subarray(at, at + BLOCK_BYTES - length);
      block.set(part, length);
      at += part.length;
      length += part.length;
      if (length < BLOCK_BYTES) continue;
      yield block;
      [block, length] = [new Uint8Array(BLOCK_BYTES), 0];
    }
  }
  if (length > 0) yield block.slice(0, length);
}
