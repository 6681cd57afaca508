import type { Worker } from 'node:cluster';
import type { LimitWindows } from '../../../common/limit-windows.js';
import { Messages, Questions } from '../../../common/process-messages.js';
import {
  LimitStore,
  type Allowance,
  type CountResult,
  type LimitResult,
  type TakeOptions,
} from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';

/**
 * Only a primary process that hangs takes so long to reply. The worker then counts this request
 * itself.
 */
const REPLY_MS = 1_500;

interface CountRequest extends Allowance {
  readonly count: 0 | 1;
  readonly maxWaitMs: number;
  readonly beside?: Allowance | undefined;
}

interface ReleasedPlace extends Allowance {
  readonly at: number;
  readonly beside?: Allowance | undefined;
}

// oxlint-disable-next-line house/nothing-lasts -- a process has one channel to its primary
const questions = new Questions<CountRequest, CountResult>('limit', REPLY_MS);
const releases = new Messages<ReleasedPlace>('free place');

/** Counts in the primary process, for all workers together. */
export class PrimaryLimitStore extends LimitStore {
  readonly isShared = true;
  private readonly fallback = new MemoryLimitStore();

  override async take(
    name: string,
    windows: LimitWindows,
    count: 0 | 1,
    options: TakeOptions = {},
  ): Promise<LimitResult> {
    const { maxWaitMs = 0, beside } = options;
    const request = { name, windows, count, maxWaitMs, beside };
    const counted = await questions.ask(process, request);
    if (counted === null) return this.fallback.take(name, windows, count, options);
    return {
      ...counted,
      release: () => {
        releases.send(process, { name, windows, at: counted.at, beside });
      },
    };
  }
}

/** Makes the primary process count for a worker. */
export function countFor(worker: Worker, store: MemoryLimitStore): void {
  questions.answer(worker, ({ name, windows, count, maxWaitMs, beside }) =>
    store.count(name, windows, count, maxWaitMs, beside),
  );
  releases.onEach(worker, ({ name, windows, at, beside }) => {
    store.release(name, windows, at, beside);
  });
}
