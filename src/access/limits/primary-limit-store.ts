import type { Worker } from 'node:cluster';
import { afterAtLeast } from '../../common/after-at-least.js';
import type { LimitWindows } from '../../common/limit-windows.js';
import { isRecord } from '../../common/record-fields.js';
import { LimitStore, type Taken } from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';

/**
 * The primary has little else to do, and answers as soon as the machine lets it: none but one that
 * hangs takes so long. A worker then counts for itself this once, so that it answers within 2 s.
 */
const ANSWER_MS = 1_500;

interface Question {
  readonly limitQuestion: number;
  readonly name: string;
  readonly windows: LimitWindows;
  readonly count: 0 | 1;
}

interface Reply {
  readonly limitReply: number;
  readonly taken: Taken;
}

/** Counts in the primary process, for all of its workers together. */
export class PrimaryLimitStore extends LimitStore {
  readonly isShared = true;
  private readonly fallback = new MemoryLimitStore();
  private readonly waiting = new Map<number, (taken: Taken) => void>();
  private asked = 0;

  constructor() {
    super();
    process.on('message', (message: unknown) => {
      if (isReply(message)) this.waiting.get(message.limitReply)?.(message.taken);
    });
  }

  override take(name: string, windows: LimitWindows, count: 0 | 1): Promise<Taken> {
    this.asked += 1;
    const question: Question = { limitQuestion: this.asked, name, windows, count };
    return new Promise((resolve) => {
      const countHere = () => {
        settle(this.fallback.take(name, windows, count));
      };
      const limit = afterAtLeast(ANSWER_MS, countHere);
      const settle = (taken: Taken) => {
        limit.cancel();
        this.waiting.delete(question.limitQuestion);
        resolve(taken);
      };
      this.waiting.set(question.limitQuestion, settle);
      process.send?.(question, undefined, undefined, (error) => {
        if (error !== null) countHere();
      });
    });
  }
}

/** Answers a worker's questions, in the primary. */
export function countFor(worker: Worker, store: MemoryLimitStore): void {
  worker.on('message', (message: unknown) => {
    if (!isQuestion(message)) return;
    const { limitQuestion, name, windows, count } = message;
    const reply: Reply = { limitReply: limitQuestion, taken: store.take(name, windows, count) };
    // A worker that is gone waits for nothing.
    worker.send(reply, () => undefined);
  });
}

function isQuestion(message: unknown): message is Question {
  return isRecord(message) && typeof message.limitQuestion === 'number';
}

function isReply(message: unknown): message is Reply {
  return isRecord(message) && typeof message.limitReply === 'number';
}
