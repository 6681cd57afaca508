import { Injectable } from '@nestjs/common';
import { recordOf } from '../../common/record-of.js';
import { Database, type InTransaction, type Session } from '../../database/database.js';
import { linesOf } from '../../ledger-format/ledger-file.js';
import { RECORD_TYPES, type RecordType } from '../../ledger-format/record-type.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AffiliatesService } from '../affiliates/affiliates.service.js';
import { NO_APPLICATION, OPERATOR } from '../audit/audit.model.js';
import { AuditService } from '../audit/audit.service.js';
import { ProductsService } from '../products/products.service.js';
import { RecurringService } from '../recurring/recurring.service.js';
import { TransactionWritesService } from '../transactions/writes/transaction-writes.service.js';
import type { BatchRun } from './batch-run.js';
import { batchesOf, oneAhead } from './batches.js';
import { DRY_RUN_RECORDS_TABLE, DryRunRecordsRepository } from './dry-run-records.repository.js';
import { ImportBatch, StrictStop } from './import-batch.js';
import { emptySummary, type ImportOptions, type ImportSummary } from './import.model.js';
import { affiliationRecords } from './records/affiliation.records.js';
import { clicksRecords } from './records/clicks.records.js';
import { productRecords } from './records/product.records.js';
import { recurringPaymentRecords } from './records/recurring-payment.records.js';
import { transactionRecords } from './records/transaction.records.js';
import { userRecords } from './records/user.records.js';
import { TypedBatch, type RecordBatch } from './typed-batch.js';

/** Reads a ledger file and applies its records to the modules that own them (ledger format). */
@Injectable()
export class ImportService {
  private readonly begin: Readonly<Record<RecordType, () => RecordBatch>>;

  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    accounts: AccountsService,
    products: ProductsService,
    affiliates: AffiliatesService,
    recurring: RecurringService,
    transactions: TransactionWritesService,
  ) {
    this.begin = {
      user: () => new TypedBatch(userRecords(accounts)),
      product: () => new TypedBatch(productRecords(products)),
      affiliation: () => new TypedBatch(affiliationRecords(affiliates)),
      recurring_payment: () => new TypedBatch(recurringPaymentRecords(recurring)),
      transaction: () => new TypedBatch(transactionRecords(transactions)),
      clicks: () => new TypedBatch(clicksRecords(affiliates)),
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
    // Later batches refer to earlier ones; one transaction for all of them would block every writer.
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
    try {
      for await (const batch of oneAhead(batchesOf(linesOf(bytes), () => this.beginBatch()))) {
        const run = await inTransaction((session) => this.apply(batch, session, options));
        let lastLine = 0;
        for (const [line, type] of batch.types) {
          const { verdict, problem, warning } = batch.verdictOf(line, run);
          summary[type][verdict] += 1;
          if (problem !== undefined) options.onProblem(line, problem);
          if (warning !== undefined) {
            summary[type].warnings += 1;
            options.onWarning(line, warning);
          }
          lastLine = line;
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
    const records = dryRun ? new DryRunRecordsRepository(session) : null;
    const run = await batch.apply(session, strict, records);
    if (dryRun) return run;
    const by = { user_id: OPERATOR, application_id: NO_APPLICATION, source };
    const entries = run.audited.map((change) => ({ ...by, ...change }));
    await this.audit.recordAll(session, entries);
    return run;
  }

  private beginBatch(): ImportBatch {
    return new ImportBatch(recordOf(RECORD_TYPES, (type) => this.begin[type]()));
  }
}
