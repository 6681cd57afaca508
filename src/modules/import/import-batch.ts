import { isRecord } from '../../common/validation/is-record.js';
import { RecordFields } from '../../ledger-format/record-fields.js';
import type { Session } from '../../database/database.js';
import type { RawLine } from '../../ledger-format/ledger-file.js';
import {
  named,
  RECORD_TYPES,
  recordNameOf,
  type RecordType,
} from '../../ledger-format/record-type.js';
import { BatchRun, References, type LineVerdict } from './batch-run.js';
import type { DryRunRecordsRepository } from './dry-run-records.repository.js';
import type { RecordBatch } from './typed-batch.js';

/** Lines per batch. A batch is one transaction, so this is also how much a crash can lose. */
const BATCH_LINES = 2000;
/** Batches of long lines have fewer of them, so that memory stays flat. */
const BATCH_BYTES = 8 * 1024 * 1024;

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const UTF8_WITHOUT_MARK = new TextDecoder('utf-8', { fatal: true });

/** Ends a strict import inside the transaction of its last batch, which rolls it back. */
export class StrictStop extends Error {
  constructor(
    readonly line: number,
    readonly problem: string,
    readonly type: RecordType | 'unreadable',
  ) {
    super('a line of a strict import is bad');
  }
}

/** Lines that are applied together: the records of each type, and unreadable lines. */
export class ImportBatch {
  /** By line, in the order of the file. */
  readonly types = new Map<number, RecordType | 'unreadable'>();
  private readonly references = new References();
  private readonly names = new Map<number, string>();
  private readonly faults = new Map<number, string>();
  private readonly warnings = new Map<number, string>();
  private bytes = 0;

  constructor(private readonly records: Readonly<Record<RecordType, RecordBatch>>) {}

  get isEmpty(): boolean {
    return this.types.size === 0;
  }

  get isFull(): boolean {
    return this.types.size === BATCH_LINES || this.bytes >= BATCH_BYTES;
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
    const name = recordNameOf(type, record);
    if (name !== null) this.names.set(line, name);
    if (fields.warnings.length > 0) this.warnings.set(line, fields.warnings.join('; '));
  }

  /**
   * @param dryRun what a dry run would have stored so far; null if this is no dry run
   * @throws StrictStop if `strict` and a line is bad
   */
  async apply(
    session: Session,
    strict: boolean,
    dryRun: DryRunRecordsRepository | null,
  ): Promise<BatchRun> {
    const run = new BatchRun(session, this.references, dryRun);
    for (const type of RECORD_TYPES) await this.records[type].apply(run);
    if (!strict) return run;
    for (const [line, type] of this.types) {
      const { problem } = this.verdictOf(line, run);
      if (problem !== undefined) throw new StrictStop(line, problem, type);
    }
    return run;
  }

  verdictOf(line: number, run: BatchRun): LineVerdict {
    const { verdict, problem, warning: runWarning } = this.outcomeOf(line, run);
    const name = this.names.get(line);
    if (problem !== undefined) return { verdict, problem: named(problem, name) };
    const warnings = [this.warnings.get(line), runWarning].filter(
      (warning) => warning !== undefined,
    );
    return warnings.length === 0
      ? { verdict }
      : { verdict, warning: named(warnings.join('; '), name) };
  }

  private outcomeOf(line: number, run: BatchRun): LineVerdict {
    const fault = this.faults.get(line);
    if (fault !== undefined) return { verdict: 'rejected', problem: fault };
    const verdict = run.verdicts.get(line);
    if (verdict === undefined) throw new Error(`line ${line} was read but has no verdict`);
    return verdict;
  }
}

/** @returns the record's fields, or what is wrong with the line */
function parseLine({ line, bytes }: RawLine): Readonly<Record<string, unknown>> | string {
  if (bytes === null) return 'is longer than 1 MiB';
  let value: unknown;
  try {
    value = JSON.parse((line > 1 ? UTF8 : UTF8_WITHOUT_MARK).decode(bytes));
  } catch (error) {
    return error instanceof SyntaxError ? 'is not valid JSON' : 'is not valid UTF-8';
  }
  return isRecord(value) ? value : 'is not a JSON object';
}
