import type { Worker } from 'node:cluster';
import { startTimer } from '../../../common/start-timer.js';
import type { LimitWindows } from '../../../common/limit-windows.js';
import { isRecord } from '../../../common/is-record.js';
import {
  LimitStore,
  type Allowance,
  type Asker,
  type CountResult,
  type LimitResult,
} from './limit-store.js';
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
  readonly longestWaitMs: number;
  readonly beside?: Allowance | undefined;
}

interface Reply {
  readonly limitReply: number;
  readonly counted: CountResult;
}

/** A place that is free again. */
interface Return {
  readonly limitReturn: string;
  readonly windows: LimitWindows;
  readonly at: number;
  readonly beside?: Allowance | undefined;
}

/** Counts in the primary process, for all of its workers together. */
export class PrimaryLimitStore extends LimitStore {
  readonly isShared = true;
  private readonly fallback = new MemoryLimitStore();
  private readonly waiting = new Map<number, (counted: CountResult) => void>();
  private asked = 0;

  constructor() {
    super();
    process.on('message', (message: unknown) => {
      if (isReply(message)) this.waiting.get(message.limitReply)?.(message.counted);
    });
  }

  override take(
    name: string,
    windows: LimitWindows,
    count: 0 | 1,
    asker: Asker = {},
  ): Promise<LimitResult> {
    this.asked += 1;
    const limitQuestion = this.asked;
    const { longestWaitMs = 0, beside } = asker;
    const question: Question = { limitQuestion, name, windows, count, longestWaitMs, beside };
    return new Promise((resolve) => {
      const settle = (taken: LimitResult) => {
        limit.cancel();
        this.waiting.delete(limitQuestion);
        resolve(taken);
      };
      const countHere = () => {
        settle(this.fallback.take(name, windows, count, asker));
      };
      const limit = startTimer(ANSWER_MS, countHere);
      this.waiting.set(limitQuestion, (counted) => {
        const place = { limitReturn: name, windows, at: counted.at, beside };
        settle({ ...counted, giveBack: returning(place) });
      });
      process.send?.(question, undefined, undefined, (error) => {
        if (error !== null) countHere();
      });
    });
  }
}

/** Tells the primary; where that is gone, nobody counts. */
function returning(message: Return): () => void {
  return () => process.send?.(message, undefined, undefined, () => undefined);
}

/** Answers a worker's questions, in the primary. */
export function countFor(worker: Worker, store: MemoryLimitStore): void {
  worker.on('message', (message: unknown) => {
    if (isReturn(message)) {
      store.giveBack(message.limitReturn, message.windows, message.at, message.beside);
    }
    if (!isQuestion(message)) return;
    const { limitQuestion, name, windows, count, longestWaitMs, beside } = message;
    const counted = store.count(name, windows, count, longestWaitMs, beside);
    const reply: Reply = { limitReply: limitQuestion, counted };
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

function isReturn(message: unknown): message is Return {
  return isRecord(message) && typeof message.limitReturn === 'string';
}
