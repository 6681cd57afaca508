import { RecordFields } from '../../ledger-format/record-fields.js';
import type { Session } from '../../database/database.js';
import type { RawLine } from '../../ledger-format/ledger-file.js';
import { parseRecord } from '../../ledger-format/parse-record.js';
import { RECORD_TYPES, type RecordType, recordKeyOf } from '../../ledger-format/record-type.js';
import { BatchRun, type LineVerdict, References, type RunOptions } from './batch-run.js';
import type { RecordBatch } from './typed-batch.js';
import { setImmediate as yieldToOthers } from 'node:timers/promises';

/**
 * Limits the size of a batch. A batch is one transaction, so a crash loses at most one of this
 * size.
 */
export interface BatchSize {
  readonly lines: number;
  /** Maximum number of bytes. A batch of long lines has fewer lines, so that it fits in memory. */
  readonly bytes: number;
}

/** Holds the result of a line, with the type and the key of its record. */
export interface LineOutcome extends Omit<LineVerdict, 'warnings'> {
  /** All warnings of an accepted line; absent if there are none. */
  readonly warning?: string;
  readonly line: number;
  readonly type: RecordType | 'unreadable';
  /** Key of the record; null if it has no valid key. */
  readonly key: string | null;
}

/** Holds lines that are applied together: the records of each type, and unreadable lines. */
export class ImportBatch {
  /** The type of each line, by number, in the order of the file. */
  readonly types = new Map<number, RecordType | 'unreadable'>();
  private readonly references = new References();
  private readonly keys = new Map<number, string>();
  private readonly faults = new Map<number, string>();
  private bytes = 0;

  constructor(
    private readonly records: Readonly<Record<RecordType, RecordBatch>>,
    private readonly size: BatchSize,
  ) {}

  get isEmpty(): boolean {
    return this.types.size === 0;
  }

  get isFull(): boolean {
    return this.types.size >= this.size.lines || this.bytes >= this.size.bytes;
  }

  read(raw: RawLine): void {
    this.bytes += raw.bytes?.length ?? 0;
    const parsed = parseLine(raw);
    if (typeof parsed === 'string') {
      this.types.set(raw.line, 'unreadable');
      this.faults.set(raw.line, parsed);
      return;
    }
    const fields = new RecordFields(parsed);
    const type = fields.choice('type', RECORD_TYPES);
    const isKnown = fields.faults.isEmpty;
    this.types.set(raw.line, isKnown ? type : 'unreadable');
    if (isKnown) this.readKnown(raw.line, type, parsed, fields);
    if (!fields.faults.isEmpty) this.faults.set(raw.line, fields.faults.texts().join('; '));
  }

  private readKnown(
    line: number,
    type: RecordType,
    record: Readonly<Record<string, unknown>>,
    fields: RecordFields,
  ): void {
    this.records[type].read(line, fields, this.references);
    const key = recordKeyOf(type, record);
    if (key !== null) this.keys.set(line, key);
  }

  /** Applies the records of each type, in the order in which they may refer to each other. */
  async apply(session: Session, options: RunOptions): Promise<BatchRun> {
    const run = new BatchRun(session, this.references, options);
    for (const type of RECORD_TYPES) await this.records[type].apply(run);
    return run;
  }

  /** Yields the result of each line, in order. */
  *outcomes(run: BatchRun): Generator<LineOutcome> {
    for (const [line, type] of this.types) {
      const { verdict, problem, warnings } = this.verdictOf(line, run);
      const key = this.keys.get(line) ?? null;
      yield {
        line,
        type,
        key,
        verdict,
        ...(problem === undefined ? {} : { problem }),
        ...(warnings.length === 0 ? {} : { warning: warnings.join('; ') }),
      };
    }
  }

  private verdictOf(line: number, run: BatchRun): LineVerdict {
    const fault = this.faults.get(line);
    if (fault !== undefined) return { verdict: 'rejected', problem: fault, warnings: [] };
    const verdict = run.verdicts.get(line);
    if (verdict === undefined) throw new Error(`line ${line} was read but has no verdict`);
    return verdict;
  }
}

function parseLine({ bytes }: RawLine): ReturnType<typeof parseRecord> {
  return bytes === null ? 'is longer than 1 MiB' : parseRecord(bytes);
}

/** This many lines are read before the event loop may send the next statement. */
const LINES_BETWEEN_YIELDS = 8;

/**
 * Reads lines into batches. It yields to the event loop every few lines, because the previous batch
 * is written at the same time and its next statement should not wait for these lines.
 */
export async function* batchesOf(
  lines: AsyncIterable<RawLine>,
  begin: () => ImportBatch,
): AsyncGenerator<ImportBatch> {
  let batch = begin();
  let lineCount = 0;
  for await (const line of lines) {
    batch.read(line);
    if (batch.isFull) {
      yield batch;
      batch = begin();
    }
    lineCount += 1;
    if (lineCount % LINES_BETWEEN_YIELDS === 0) await yieldToOthers();
  }
  if (!batch.isEmpty) yield batch;
}

/**
 * Gets the next item while the current one is processed. An error is thrown when the consumer
 * reaches the item that caused it. If the consumer ends early, it does not wait for the next item,
 * which may never come.
 */
export async function* oneAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  let next = items.next();
  try {
    for (let item = await next; item.done !== true; item = await next) {
      next = items.next();
      next.catch(() => undefined);
      yield item.value;
    }
  } finally {
    items.return(undefined).catch(() => undefined);
  }
}
