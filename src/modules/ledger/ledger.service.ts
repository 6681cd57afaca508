import { Injectable } from '@nestjs/common';
import { isRecord, RecordFields } from '../../common/record-fields.js';
import { Database, type Session } from '../../database/database.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AffiliatesService } from '../affiliates/affiliates.service.js';
import { ProductsService } from '../products/products.service.js';
import { RecurringService } from '../recurring/recurring.service.js';
import { TransactionsService } from '../transactions/transactions.service.js';
import { emptySummary, type ImportOptions, type ImportSummary } from './import-summary.model.js';
import { linesOf, type RawLine } from './ledger-file.js';
import {
  BatchRun,
  RECORD_TYPES,
  Wanted,
  type RecordBatch,
  type RecordType,
} from './ledger.model.js';

/** Lines a batch. Each is one transaction, so this is also how much a crash can cost. */
const BATCH_LINES = 500;
/** Fewer lines where they are long, so that memory stays flat. */
const BATCH_BYTES = 8 * 1024 * 1024;

/** One batch as it was read: what each module got of it, and what no module can take. */
interface ReadBatch {
  readonly wanted: Wanted;
  readonly records: ReadonlyMap<RecordType, RecordBatch>;
  readonly types: ReadonlyMap<number, RecordType | 'unreadable'>;
  readonly faults: ReadonlyMap<number, string>;
}

/** Ends a strict import from within the transaction of its last batch, which is so undone. */
class StrictStop extends Error {
  constructor(
    readonly line: number,
    readonly problem: string,
    readonly type: RecordType | 'unreadable',
  ) {
    super(problem);
  }
}

/** Reads a ledger file and hands each record to the module that owns it (ledger format). */
@Injectable()
export class LedgerService {
  private readonly begin: Readonly<Record<RecordType, () => RecordBatch>>;

  constructor(
    private readonly database: Database,
    accounts: AccountsService,
    products: ProductsService,
    affiliates: AffiliatesService,
    recurring: RecurringService,
    transactions: TransactionsService,
  ) {
    this.begin = {
      user: () => accounts.userBatch(),
      product: () => products.productBatch(),
      affiliation: () => affiliates.affiliationBatch(),
      recurring_payment: () => recurring.recurringPaymentBatch(),
      transaction: () => transactions.transactionBatch(),
      clicks: () => affiliates.clicksBatch(),
    };
  }

  /**
   * Applies a ledger in batches, each in one transaction with everything derived from it. Running the
   * same ledger again, after a crash too, ends in the same state.
   */
  async import(bytes: AsyncIterable<Buffer>, options: ImportOptions): Promise<ImportSummary> {
    if (!options.dryRun) {
      return this.importBatches(bytes, options, (work) => this.database.write(work));
    }
    // Later batches refer to earlier ones, so all of them are tried in one transaction.
    return this.database.rehearse((session) =>
      this.importBatches(bytes, options, (work) => work(session)),
    );
  }

  private async importBatches(
    bytes: AsyncIterable<Buffer>,
    options: ImportOptions,
    inTransaction: (work: (session: Session) => Promise<BatchRun>) => Promise<BatchRun>,
  ): Promise<ImportSummary> {
    const summary = emptySummary();
    try {
      for await (const lines of batchesOf(linesOf(bytes))) {
        const batch = this.readBatch(lines);
        const run = await inTransaction((session) => applyBatch(session, batch, options.strict));
        for (const [line, type] of batch.types) {
          const { verdict, problem } = verdictOf(line, batch, run);
          summary[type][verdict] += 1;
          if (problem !== undefined) options.onProblem(line, problem);
        }
        options.onProgress(lines.at(-1)?.line ?? 0);
      }
    } catch (error) {
      if (!(error instanceof StrictStop)) throw error;
      summary[error.type].rejected += 1;
      options.onProblem(error.line, error.problem);
    }
    return summary;
  }

  private readBatch(lines: readonly RawLine[]): ReadBatch {
    const wanted = new Wanted();
    const records = new Map(RECORD_TYPES.map((type) => [type, this.begin[type]()]));
    const types = new Map<number, RecordType | 'unreadable'>();
    const faults = new Map<number, string>();
    for (const raw of lines) {
      types.set(raw.line, 'unreadable');
      const parsed = parseLine(raw);
      if (typeof parsed === 'string') {
        faults.set(raw.line, parsed);
        continue;
      }
      const fields = new RecordFields(parsed);
      const type = fields.choice('type', RECORD_TYPES);
      if (fields.faults.length === 0) {
        types.set(raw.line, type);
        records.get(type)?.read(raw.line, fields, wanted);
      }
      if (fields.faults.length > 0) faults.set(raw.line, fields.faults.join('; '));
    }
    return { wanted, records, types, faults };
  }
}

async function applyBatch(session: Session, batch: ReadBatch, strict: boolean): Promise<BatchRun> {
  const run = new BatchRun(session, batch.wanted);
  for (const type of RECORD_TYPES) await batch.records.get(type)?.apply(run);
  if (!strict) return run;
  for (const [line, type] of batch.types) {
    const { problem } = verdictOf(line, batch, run);
    if (problem !== undefined) throw new StrictStop(line, problem, type);
  }
  return run;
}

function verdictOf(line: number, batch: ReadBatch, run: BatchRun) {
  const fault = batch.faults.get(line);
  if (fault !== undefined) return { verdict: 'rejected', problem: fault } as const;
  const verdict = run.verdicts.get(line);
  if (verdict === undefined) throw new Error(`line ${line} was read but not judged`);
  return verdict;
}

/** @returns the record's fields, or what is wrong with the line */
function parseLine({ line, bytes }: RawLine): Readonly<Record<string, unknown>> | string {
  if (bytes === null) return 'is longer than 1 MiB';
  let value: unknown;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: line > 1 }).decode(bytes);
    value = JSON.parse(text);
  } catch (error) {
    return error instanceof SyntaxError ? 'is not valid JSON' : 'is not valid UTF-8';
  }
  return isRecord(value) ? value : 'is not a JSON object';
}

async function* batchesOf(lines: AsyncIterable<RawLine>): AsyncGenerator<RawLine[]> {
  let batch: RawLine[] = [];
  let bytes = 0;
  for await (const line of lines) {
    batch.push(line);
    bytes += line.bytes?.length ?? 0;
    if (batch.length === BATCH_LINES || bytes >= BATCH_BYTES) {
      yield batch;
      batch = [];
      bytes = 0;
    }
  }
  if (batch.length > 0) yield batch;
}
