import {
  readRecurringPayment,
  type RecurringPaymentRecord,
} from '../../../ledger-format/recurring-payment.record.js';
import type { Stored } from '../../../ledger-format/overruled.js';
import type { RecurringService } from '../../recurring/recurring.service.js';
import {
  BEFORE_THE_BATCH,
  type AuditedChange,
  type BatchRun,
  type References,
} from '../batch-run.js';
import type { Change, RecordKind } from '../record-kind.js';
import { missingProduct } from './missing-references.js';

/** Applies `recurring_payment` records. */
export class RecurringPaymentRecords implements RecordKind<RecurringPaymentRecord> {
  readonly type = 'recurring_payment';
  readonly read = readRecurringPayment;

  constructor(private readonly recurring: RecurringService) {}

  identity(payment: RecurringPaymentRecord): string {
    return payment.pre_key;
  }

  noteReferences({ product_id }: RecurringPaymentRecord, references: References): void {
    references.products.add(product_id);
  }

  async stored(
    run: BatchRun,
    payments: readonly RecurringPaymentRecord[],
  ): Promise<readonly Stored<RecurringPaymentRecord>[]> {
    const pre_keys = payments.map(({ pre_key }) => pre_key);
    const stored = await this.recurring.lockedPayments(run.session, pre_keys);
    const known = await this.recurring.knownPreKeys(run.session, run.references.pre_keys);
    for (const pre_key of known) run.pre_keys.set(pre_key, BEFORE_THE_BATCH);
    for (const { content } of stored) this.noteExistence(content, BEFORE_THE_BATCH, run);
    return stored;
  }

  refusal({ product_id }: RecurringPaymentRecord, line: number, run: BatchRun): string | null {
    return missingProduct(product_id, line, run);
  }

  noteExistence(payment: RecurringPaymentRecord, since: number, run: BatchRun): void {
    run.pre_keys.set(payment.pre_key, since);
  }

  referredTo({ pre_keys }: References): Iterable<string> {
    return pre_keys;
  }

  /** Only the status: the rest is the customer's, or counts up. */
  audited(before: RecurringPaymentRecord, after: RecurringPaymentRecord): AuditedChange | null {
    if (before.status === after.status) return null;
    return {
      action: 'recurring_payment.import',
      subject: `recurring payment ${after.id}`,
      before: { status: before.status },
      after: { status: after.status },
    };
  }

  async save(run: BatchRun, changes: readonly Change<RecurringPaymentRecord>[]): Promise<void> {
    const stored = changes.map(({ after, overruled }) => ({ content: after, overruled }));
    await this.recurring.savePayments(run.session, stored);
  }
}
