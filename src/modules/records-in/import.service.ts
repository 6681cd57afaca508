import { Injectable } from '@nestjs/common';
import { linesOf } from '../../ledger/files/ledger-file.js';
import { named, RECORD_TYPES, type RecordType } from '../../ledger/records/record-type.js';
import { ImportedLedgers, type LedgerStep } from '../../ledger/writes/ledger-step.js';
import { Database, type InTransaction, type Session } from '../../platform/database/database.js';
import { BY_OPERATOR } from '../../platform/values/author.js';
import { recordOf } from '../../platform/values/record-of.js';
import { OpenImportsService } from '../privacy/index.js';
import { type BatchRun, type Verdict, VERDICTS } from './batches/batch-run.js';
import {
  DRY_RUN_RECORDS_TABLE,
  DryRunRecordsRepository,
} from './batches/dry-run-records.repository.js';
import {
  batchesOf,
  type ImportBatch,
  type LineOutcome,
  RecordBatches,
} from './batches/record-batches.js';
import { ImportSteps } from './import-steps.js';

export interface ImportOptions {
  /** The name of the file, which the audit log records as the source of each change. */
  readonly source: string;
  /** If true, everything is checked and nothing is written. */
  readonly dryRun: boolean;
  /** If true, the import stops at the first bad line and applies nothing of that line's batch. */
  readonly strict: boolean;
  /**
   * Called for each rejected line. The problem contains the wrong value, which may be personal
   * data: show it to the person who imports, and do not log it.
   */
  readonly onProblem: (line: number, problem: string) => void;
  /** Called for each accepted line with a warning. Warnings contain values, too. */
  readonly onWarning: (line: number, warning: string) => void;
  /** Called after each step with the number of the last line. */
  readonly onProgress: (lines: number) => void;
}

/**
 * Counts, for each record type, the lines with each result and the accepted lines with a warning.
 * `unreadable` counts lines whose type is unknown.
 */
export type ImportSummary = Record<RecordType | 'unreadable', Record<Verdict | 'warnings', number>>;

function emptySummary(): ImportSummary {
  const none = () => recordOf([...VERDICTS, 'warnings'], () => 0);
  return recordOf([...RECORD_TYPES, 'unreadable'], none);
}

export function rejectedOf(summary: ImportSummary): number {
  return Object.values(summary).reduce((sum, { rejected }) => sum + rejected, 0);
}

/**
 * The limit in bytes bounds memory, because a long line is held several times while it is written.
 */
const BATCH = { lines: 2_000, bytes: 3 * 1024 * 1024 };

/** The records of a file are the operator's. */
const RIGHTS = { onlyVendor: null, outranksApi: false };

/** Ends a strict import inside the transaction of its last batch, which is rolled back. */
class StrictStop extends Error {
  constructor(
    readonly line: number,
    readonly problem: string,
    readonly type: RecordType | 'unreadable',
  ) {
    super('a line of a strict import is bad');
  }
}

/**
 * Reads a ledger file and applies its records to the modules that own them. docs/ledger-file.md
 * describes the format.
 */
@Injectable()
export class ImportService {
  constructor(
    private readonly database: Database,
    private readonly batches: RecordBatches,
    private readonly open: OpenImportsService,
  ) {}

  /**
   * Applies a ledger in steps of one or more batches, each in one transaction with everything
   * derived from it. If the same ledger is imported again, even after a crash, it ends in the same
   * state.
   */
  async import(bytes: AsyncIterable<Buffer>, options: ImportOptions): Promise<ImportSummary> {
    if (!options.dryRun) {
      return this.open.during(null, () =>
        this.importBatches(bytes, options, (work) => this.database.write(work)),
      );
    }
    // Later batches refer to earlier ones, but one transaction for all of them would block every
    // writer.
    return this.database.dryRun(DRY_RUN_RECORDS_TABLE, (inTransaction) =>
      this.importBatches(bytes, options, inTransaction),
    );
  }

  private async importBatches(
    bytes: AsyncIterable<Buffer>,
    options: ImportOptions,
    inTransaction: InTransaction,
  ): Promise<ImportSummary> {
    const summary = emptySummary();
    const emptyBatch = () => this.batches.begin(BATCH);
    const steps = new ImportSteps(batchesOf(linesOf(bytes), emptyBatch), emptyBatch);
    const ledgers = new ImportedLedgers();
    try {
      while (await steps.hasMore()) {
        const outcomes = await this.importStep(steps, ledgers, options, inTransaction);
        for (const outcome of outcomes) count(outcome, summary, options);
        options.onProgress(outcomes.at(-1)?.line ?? 0);
      }
    } catch (error) {
      if (!(error instanceof StrictStop)) throw error;
      summary[error.type].rejected += 1;
      options.onProblem(error.line, error.problem);
    } finally {
      steps.close();
    }
    return summary;
  }

  /** Writes the next batches in one transaction. */
  private async importStep(
    steps: ImportSteps,
    ledgers: ImportedLedgers,
    options: ImportOptions,
    inTransaction: InTransaction,
  ): Promise<LineOutcome[]> {
    let isFirstAttempt = true;
    const outcomes = await inTransaction(async (session) => {
      steps.begin();
      if (options.dryRun) return this.check(await steps.take(), session, options);
      if (!isFirstAttempt) ledgers.known.clear();
      // A step that others disturb is repeated in smaller parts. A strict import keeps all batches
      // before that of the bad line. On SQLite, a transaction locks out all other writers.
      const locksAll = session.dialect.name === 'sqlite';
      const isLarge = isFirstAttempt && !options.strict && !locksAll;
      isFirstAttempt = false;
      return this.apply(steps, this.batches.beginStep(session, ledgers), isLarge, options);
    });
    steps.commit();
    return outcomes;
  }

  private async check(
    batch: ImportBatch,
    session: Session,
    { strict }: ImportOptions,
  ): Promise<LineOutcome[]> {
    const dryRun = new DryRunRecordsRepository(session);
    const run = await batch.apply(session, { ...RIGHTS, step: null, dryRun });
    if (strict) throwAtBadLine(batch, run);
    return [...batch.outcomes(run)];
  }

  private async apply(
    steps: ImportSteps,
    step: LedgerStep,
    isLarge: boolean,
    { strict, source }: ImportOptions,
  ): Promise<LineOutcome[]> {
    const origin = { ...BY_OPERATOR, source };
    const outcomes: LineOutcome[] = [];
    try {
      do {
        const batch = await steps.take();
        const run = await this.batches.apply(batch, step.session, { ...RIGHTS, origin, step });
        if (strict) throwAtBadLine(batch, run);
        outcomes.push(...batch.outcomes(run));
      } while (isLarge && step.mayGrow && (await steps.canGrow()));
      await this.batches.finish(step, await steps.isLast());
    } finally {
      await step.settled();
    }
    return outcomes;
  }
}

function throwAtBadLine(batch: ImportBatch, run: BatchRun): void {
  for (const { line, type, key, problem } of batch.outcomes(run)) {
    if (problem !== undefined) throw new StrictStop(line, named(problem, type, key), type);
  }
}

function count(
  { line, type, key, verdict, problem, warning }: LineOutcome,
  summary: ImportSummary,
  options: ImportOptions,
): void {
  summary[type][verdict] += 1;
  if (problem !== undefined) options.onProblem(line, named(problem, type, key));
  if (warning === undefined) return;
  summary[type].warnings += 1;
  options.onWarning(line, named(warning, type, key));
}
