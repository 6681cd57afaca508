import type { Worker } from 'node:cluster';
import type { LimitWindows } from '../../../common/limit-windows.js';
import { Messages, Questions } from '../../../common/process-messages.js';
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

/** What is asked of whoever counts. */
interface CountRequest extends Allowance {
  readonly count: 0 | 1;
  readonly longestWaitMs: number;
  readonly beside?: Allowance | undefined;
}

/** A place that is free again. */
interface FreePlace extends Allowance {
  readonly at: number;
  readonly beside?: Allowance | undefined;
}

const questions = new Questions<CountRequest, CountResult>('limit', ANSWER_MS);
const freePlaces = new Messages<FreePlace>('free place');

/** Counts in the primary process, for all of its workers together. */
export class PrimaryLimitStore extends LimitStore {
  readonly isShared = true;
  private readonly fallback = new MemoryLimitStore();

  override async take(
    name: string,
    windows: LimitWindows,
    count: 0 | 1,
    asker: Asker = {},
  ): Promise<LimitResult> {
    const { longestWaitMs = 0, beside } = asker;
    const request = { name, windows, count, longestWaitMs, beside };
    const counted = await questions.ask(process, request);
    if (counted === null) return this.fallback.take(name, windows, count, asker);
    return {
      ...counted,
      giveBack: () => {
        freePlaces.send(process, { name, windows, at: counted.at, beside });
      },
    };
  }
}

/** Answers a worker's questions, in the primary. */
export function countFor(worker: Worker, store: MemoryLimitStore): void {
  questions.answer(worker, ({ name, windows, count, longestWaitMs, beside }) =>
    store.count(name, windows, count, longestWaitMs, beside),
  );
  freePlaces.onEach(worker, ({ name, windows, at, beside }) => {
    store.giveBack(name, windows, at, beside);
  });
}
