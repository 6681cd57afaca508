import { Injectable } from '@nestjs/common';
import { recordOf } from '../../common/record-of.js';
import { Settings } from '../../config/settings.js';
import type { Session } from '../../database/database.js';
import { RECORD_TYPES, type RecordType } from '../../ledger-format/record-type.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { ProvisionalUsersService } from '../accounts/provisional/provisional-users.service.js';
import { SeenUsersService } from '../accounts/seen/seen-users.service.js';
import { AffiliatesService } from '../affiliates/affiliates.service.js';
import type { AuditEntry } from '../audit/audit.model.js';
import { AuditService } from '../audit/audit.service.js';
import { ProductsService } from '../products/products.service.js';
import { RecurringService } from '../recurring/recurring.service.js';
import { TransactionWritesService } from '../transactions/writes/transaction-writes.service.js';
import type { BatchRun, RunOptions } from './batch-run.js';
import { ImportBatch, type BatchSize } from './import-batch.js';
import { ArrivingPersonalData } from './personal-data/arriving-personal-data.js';
import { affiliationRecords, clicksRecords } from './records/affiliation.records.js';
import { GivenAffiliates } from './records/references.js';
import { productRecords } from './records/product.records.js';
import { recurringPaymentRecords } from './records/recurring-payment.records.js';
import { transactionRecords } from './records/transaction.records.js';
import { userRecords } from './records/user.records.js';
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
    accounts: AccountsService,
    seen: SeenUsersService,
    provisional: ProvisionalUsersService,
    products: ProductsService,
    affiliates: AffiliatesService,
    recurring: RecurringService,
    transactions: TransactionWritesService,
    personal: ArrivingPersonalData,
    { sourceMost: most }: Settings,
  ) {
    const given = new GivenAffiliates(seen, transactions);
    this.kinds = {
      user: () =>
        new TypedBatch(
          userRecords({ accounts, seen, provisional, products, transactions, most: most.users }),
        ),
      product: () =>
        new TypedBatch(
          productRecords({ products, affiliates, recurring, transactions, most: most.products }),
        ),
      affiliation: () => new TypedBatch(affiliationRecords(affiliates, given)),
      recurring_payment: () =>
        new TypedBatch(recurringPaymentRecords({ recurring, products, transactions, personal })),
      transaction: () => new TypedBatch(transactionRecords(transactions, personal, given)),
      clicks: () => new TypedBatch(clicksRecords(affiliates, given)),
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
