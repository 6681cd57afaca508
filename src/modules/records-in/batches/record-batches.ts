import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { RawLine } from '../../../ledger/files/ledger-file.js';
import { parseRecord } from '../../../ledger/files/parse-record.js';
import { RecordFields } from '../../../ledger/records/record-fields.js';
import { RECORD_TYPES, recordKeyOf, type RecordType } from '../../../ledger/records/record-type.js';
import type { ImportedLedgers, LedgerStep } from '../../../ledger/writes/ledger-step.js';
import type { Session } from '../../../platform/database/database.js';
import { recordOf } from '../../../platform/values/record-of.js';
import { type AuditEntry, AuditService } from '../../audit/index.js';
import { affiliationRecords, clicksRecords } from '../records/affiliation.records.js';
import { productRecords } from '../records/product.records.js';
import { RecordServices } from '../records/record-services.js';
import { recurringPaymentRecords } from '../records/recurring-payment.records.js';
import { transactionRecords } from '../records/transaction.records.js';
import { userRecords } from '../records/user.records.js';
import { BatchRun, type LineVerdict, References, type RunOptions } from './batch-run.js';
import { type RecordBatch, TypedBatch } from './typed-batch.js';

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
export interface LineOutcome extends LineVerdict {
  readonly line: number;
  readonly type: RecordType | 'unreadable';
  /** Key of the record; null if it has no valid key. */
  readonly key: string | null;
}

/** Holds what was read from a line. */
interface ParsedLine extends Pick<LineOutcome, 'type' | 'key'> {
  /** The reason why the line is rejected before its batch is applied. */
  readonly fault: string | null;
}

/** Types of the records to which transactions refer. */
const REFERRED_TYPES = ['user', 'product', 'recurring_payment'] as const;

/** Holds lines that are applied together: the records of each type, and unreadable lines. */
export class ImportBatch {
  /** The lines as they were read, for another attempt. */
  readonly raw: RawLine[] = [];
  /** True if all readable lines are transactions. */
  hasOnlyTransactions = true;
  /** The lines by number, in the order of the file. */
  private readonly lines = new Map<number, ParsedLine>();
  private readonly references = new References();
  private bytes = 0;

  constructor(
    private readonly records: Readonly<Record<RecordType, RecordBatch>>,
    private readonly size: BatchSize,
  ) {}

  get isEmpty(): boolean {
    return this.lines.size === 0;
  }

  get isFull(): boolean {
    return this.lines.size >= this.size.lines || this.bytes >= this.size.bytes;
  }

  read(raw: RawLine): void {
    this.bytes += raw.bytes?.length ?? 0;
    this.raw.push(raw);
    const parsed = this.parsed(raw);
    if (!['transaction', 'unreadable'].includes(parsed.type)) this.hasOnlyTransactions = false;
    this.lines.set(raw.line, parsed);
  }

  private parsed({ line, bytes }: RawLine): ParsedLine {
    const parsed = bytes === null ? 'is longer than 1 MiB' : parseRecord(bytes);
    if (typeof parsed === 'string') return { type: 'unreadable', key: null, fault: parsed };
    const fields = new RecordFields(parsed);
    const type = fields.choice('type', RECORD_TYPES);
    const isKnown = fields.faults.isEmpty;
    if (isKnown) this.records[type].read(line, fields, this.references);
    const fault = fields.faults.isEmpty ? null : fields.faults.texts().join('; ');
    return isKnown
      ? { type, key: recordKeyOf(type, parsed), fault }
      : { type: 'unreadable', key: null, fault };
  }

  /** Applies the records of each type, in the order in which they may refer to each other. */
  async apply(session: Session, options: RunOptions): Promise<BatchRun> {
    const run = new BatchRun(session, this.references, options);
    for (const [line, { fault }] of this.lines) if (fault !== null) run.reject(line, fault);
    if (this.hasOnlyTransactions) await this.applyTransactions(run);
    else await this.applyAll(run);
    return run;
  }

  /** Looks up everything that the transactions refer to at once. */
  private async applyTransactions(run: BatchRun): Promise<void> {
    await Promise.all(REFERRED_TYPES.map((type) => this.records[type].apply(run)));
    await this.records.transaction.apply(run);
  }

  private async applyAll(run: BatchRun): Promise<void> {
    for (const type of RECORD_TYPES) {
      // The records of other types may be checked against sales, and change their ledgers.
      await run.step?.settle();
      await this.records[type].apply(run);
    }
  }

  /** Yields the result of each line, in order. */
  *outcomes(run: BatchRun): Generator<LineOutcome> {
    for (const [line, { type, key }] of this.lines) {
      const verdict = run.verdicts.get(line);
      if (verdict === undefined) throw new Error(`line ${line} was read but has no verdict`);
      yield { line, type, key, ...verdict };
    }
  }
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
): AsyncGenerator<ImportBatch, undefined> {
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
  return undefined;
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

/**
 * Identifies the user, the application and the source that the audit log records for the changes.
 */
export type Origin = Pick<AuditEntry, 'user_id' | 'application_id' | 'source'>;

export interface ApplyOptions extends Omit<RunOptions, 'dryRun' | 'step'> {
  readonly origin: Origin;
  readonly step?: LedgerStep | null;
}

/**
 * Applies batches of records to the modules that own them, whether they come from a file or over
 * HTTP.
 */
@Injectable()
export class RecordBatches {
  private readonly kinds: Readonly<Record<RecordType, () => RecordBatch>>;

  constructor(
    private readonly audit: AuditService,
    private readonly services: RecordServices,
  ) {
    this.kinds = {
      user: () => new TypedBatch(userRecords(services)),
      product: () => new TypedBatch(productRecords(services)),
      affiliation: () => new TypedBatch(affiliationRecords(services)),
      recurring_payment: () => new TypedBatch(recurringPaymentRecords(services)),
      transaction: () => new TypedBatch(transactionRecords(services)),
      clicks: () => new TypedBatch(clicksRecords(services)),
    };
  }

  begin(size: BatchSize): ImportBatch {
    return new ImportBatch(
      recordOf(RECORD_TYPES, (type) => this.kinds[type]()),
      size,
    );
  }

  /**
   * Writes a batch and everything derived from it, in the transaction of the session. A batch of a
   * step is complete after `finish`.
   */
  async apply(
    batch: ImportBatch,
    session: Session,
    { origin, step = null, ...options }: ApplyOptions,
  ): Promise<BatchRun> {
    const run = await batch.apply(session, { dryRun: null, step, ...options });
    await this.audit.recordAll(
      session,
      run.audited.map((change) => ({ ...origin, ...change })),
    );
    return run;
  }

  /** Begins a step of several batches, which ends with `finish`. */
  beginStep(session: Session, imported: ImportedLedgers): LedgerStep {
    return this.services.transactions.beginStep(session, imported);
  }

  /** Writes what the batches of a step have left to its end, or to the end of the import. */
  finish(step: LedgerStep, isLast: boolean): Promise<void> {
    return this.services.transactions.finish(step, isLast);
  }
}
