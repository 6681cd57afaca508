import { setImmediate as yieldToOthers, setTimeout as wait } from 'node:timers/promises';
import type { RawLine } from '../../ledger/files/ledger-file.js';
import type { ImportBatch } from './batches/record-batches.js';

/**
 * Maximum size of a step. A step is one transaction, whose lines are kept for another attempt, and
 * during which the ledgers of its vendors are locked.
 */
const MAX_LINES = 12_000;
const MAX_BYTES = 10 * 1024 * 1024;

/** Milliseconds that a step waits for the next batch. It must not keep locks for a slow input. */
const MAX_WAIT_MS = 1_000;

/**
 * Hands the batches of a file to steps, which are transactions of one or more batches. If a step is
 * rolled back, it gets its batches again.
 */
export class ImportSteps {
  private next: Promise<IteratorResult<ImportBatch, undefined>>;
  /** Lines of the batches that the current step has taken. */
  private taken: (readonly RawLine[])[] = [];
  private takenLines = 0;
  private takenBytes = 0;
  /** Lines of the batches of a step that was rolled back, oldest first. */
  private again: (readonly RawLine[])[] = [];

  /** @param emptyBatch returns a batch for lines that are parsed again */
  constructor(
    private readonly batches: AsyncGenerator<ImportBatch, undefined>,
    private readonly emptyBatch: () => ImportBatch,
  ) {
    this.next = batches.next();
    this.next.catch(() => undefined);
  }

  /** Waits for the next batch, and returns false if there is none. */
  async hasMore(): Promise<boolean> {
    return this.again.length > 0 || (await this.next).done !== true;
  }

  /** Begins a step. What a step has taken that was rolled back is taken again. */
  begin(): void {
    this.again = [...this.taken, ...this.again];
    this.commit();
  }

  /** Keeps nothing of the current step, because it is committed. */
  commit(): void {
    this.taken = [];
    this.takenLines = 0;
    this.takenBytes = 0;
  }

  /** Returns true if the next batch is there, or comes soon, and the step has room for it. */
  async canGrow(): Promise<boolean> {
    if (this.takenLines >= MAX_LINES || this.takenBytes >= MAX_BYTES) return false;
    if (this.again.length > 0) return true;
    const late = new AbortController();
    // An input that cannot be read fails after this step.
    const isThere = this.next.then(({ done }) => done !== true).catch(() => false);
    const isLate = wait(MAX_WAIT_MS, false, { signal: late.signal }).catch(() => false);
    const canGrow = await Promise.race([isThere, isLate]);
    late.abort();
    return canGrow;
  }

  /** Returns true if the current step has taken the last batch. Does not wait for the input. */
  async isLast(): Promise<boolean> {
    if (this.again.length > 0) return false;
    const isEnd = this.next.then(({ done }) => done === true).catch(() => false);
    return Promise.race([isEnd, yieldToOthers(false)]);
  }

  /** Returns the next batch. */
  async take(): Promise<ImportBatch> {
    const batch = this.parsedAgain() ?? (await this.parsedNext());
    this.taken.push(batch.raw);
    this.takenLines += batch.raw.length;
    for (const { bytes } of batch.raw) this.takenBytes += bytes?.length ?? 0;
    return batch;
  }

  /** Ends the reading of the file, without waiting for an input that may never come. */
  close(): void {
    this.batches.return(undefined).catch(() => undefined);
  }

  private parsedAgain(): ImportBatch | null {
    const lines = this.again.shift();
    if (lines === undefined) return null;
    const batch = this.emptyBatch();
    for (const line of lines) batch.read(line);
    return batch;
  }

  private async parsedNext(): Promise<ImportBatch> {
    const { done, value } = await this.next;
    if (done === true) throw new Error('a step takes more batches than there are');
    this.next = this.batches.next();
    this.next.catch(() => undefined);
    return value;
  }
}
