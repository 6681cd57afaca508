import type { Worker } from 'node:cluster';
import type { LimitWindows } from '../limit-windows.js';
import { Questions } from '../../workers/process-messages.js';
import { LimitStore, type Allowance, type LimitResult, type TakeOptions } from './limit-store.js';
import { MemoryLimitStore } from './memory-limit-store.js';

/**
 * Only a primary process that hangs takes so long to reply. The worker then counts this request
 * itself.
 */
const REPLY_MS = 1_500;

interface CountRequest extends Allowance {
  readonly count: 0 | 1;
  readonly beside?: Allowance | undefined;
}

// oxlint-disable-next-line house/nothing-lasts -- a process has one channel to its primary
const questions = new Questions<CountRequest, LimitResult>('limit', REPLY_MS);

/** Counts in the primary process, for all workers together. */
export class PrimaryLimitStore extends LimitStore {
  readonly isShared = true;
  private readonly fallback = new MemoryLimitStore();

  override async take(
    name: string,
    windows: LimitWindows,
    count: 0 | 1,
    { beside }: TakeOptions = {},
  ): Promise<LimitResult> {
    const counted = await questions.ask(process, { name, windows, count, beside });
    return counted ?? this.fallback.take(name, windows, count, { beside });
  }
}

/** Makes the primary process count for a worker. */
export function countFor(worker: Worker, store: MemoryLimitStore): void {
  questions.answer(worker, ({ name, windows, count, beside }) =>
    store.take(name, windows, count, { beside }),
  );
}
