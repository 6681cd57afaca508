import { Injectable } from '@nestjs/common';
import { Database, type InTransaction, type Session } from '../../platform/database/database.js';
import { linesOf } from '../../ledger/files/ledger-file.js';
import { named, type RecordType } from '../../ledger/records/record-type.js';
import { OpenImportsService } from '../privacy/index.js';
import { BY_OPERATOR } from '../../platform/values/author.js';
import type { BatchRun } from './batches/batch-run.js';
import {
  DRY_RUN_RECORDS_TABLE,
  DryRunRecordsRepository,
} from './batches/dry-run-records.repository.js';
import { batchesOf, oneAhead, type ImportBatch, type LineOutcome } from './batches/import-batch.js';
import { emptySummary, type ImportOptions, type ImportSummary } from './import.model.js';
import { RecordBatches } from './batches/record-batches.js';

/**
 * The limit in bytes bounds memory, because a long line is held several times while it is written.
 */
const BATCH = { lines: 2_000, bytes: 3 * 1024 * 1024 };

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
   * Applies a ledger in batches, each in one transaction with everything derived from it. If the
   * same ledger is imported again, even after a crash, it ends in the same state.
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
    const batches = batchesOf(linesOf(bytes), () => this.batches.begin(BATCH));
    try {
      for await (const batch of oneAhead(batches)) {
        const run = await inTransaction((session) => this.apply(batch, session, options));
        let lastLine = 0;
        for (const outcome of batch.outcomes(run)) {
          count(outcome, summary, options);
          lastLine = outcome.line;
        }
        options.onProgress(lastLine);
      }
    } catch (error) {
      if (!(error instanceof StrictStop)) throw error;
      summary[error.type].rejected += 1;
      options.onProblem(error.line, error.problem);
    }
    return summary;
  }

  private async apply(
    batch: ImportBatch,
    session: Session,
    { dryRun, strict, source }: ImportOptions,
  ): Promise<BatchRun> {
    const origin = { ...BY_OPERATOR, source };
    const rights = { onlyVendor: null, outranksApi: false };
    const run = dryRun
      ? await batch.apply(session, { ...rights, dryRun: new DryRunRecordsRepository(session) })
      : await this.batches.apply(batch, session, { ...rights, origin });
    if (strict) throwAtBadLine(batch, run);
    return run;
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
