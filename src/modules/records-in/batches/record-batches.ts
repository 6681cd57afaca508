import { Injectable } from '@nestjs/common';
import { recordOf } from '../../../platform/values/record-of.js';
import type { Session } from '../../../platform/database/database.js';
import { RECORD_TYPES, type RecordType } from '../../../ledger/records/record-type.js';
import { type AuditEntry, AuditService } from '../../audit/index.js';
import type { BatchRun, RunOptions } from './batch-run.js';
import { ImportBatch, type BatchSize } from './import-batch.js';
import { affiliationRecords, clicksRecords } from '../records/affiliation.records.js';
import { productRecords } from '../records/product.records.js';
import { RecordServices } from '../records/record-services.js';
import { recurringPaymentRecords } from '../records/recurring-payment.records.js';
import { transactionRecords } from '../records/transaction.records.js';
import { userRecords } from '../records/user.records.js';
import { TypedBatch, type RecordBatch } from './typed-batch.js';

/**
 * Identifies the user, the application and the source that the audit log records for the changes.
 */
export type Origin = Pick<AuditEntry, 'user_id' | 'application_id' | 'source'>;

export interface ApplyOptions extends Omit<RunOptions, 'dryRun'> {
  readonly origin: Origin;
}

/** Applies batches of records to the modules that own them, whether they come from a file or over HTTP. */
@Injectable()
export class RecordBatches {
  private readonly kinds: Readonly<Record<RecordType, () => RecordBatch>>;

  constructor(
    private readonly audit: AuditService,
    services: RecordServices,
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

  /** Writes a batch and everything derived from it, in the transaction of the session. */
  async apply(
    batch: ImportBatch,
    session: Session,
    { origin, ...options }: ApplyOptions,
  ): Promise<BatchRun> {
    const run = await batch.apply(session, { dryRun: null, ...options });
    await this.audit.recordAll(
      session,
      run.audited.map((change) => ({ ...origin, ...change })),
    );
    return run;
  }
}
