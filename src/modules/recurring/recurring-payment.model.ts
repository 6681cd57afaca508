import type { Stored } from '../../ledger-format/overruled-fields.js';
import type { RecordChange } from '../../ledger-format/record-version.js';
import type { RecurringPaymentRecord } from '../../ledger-format/recurring-payment.record.js';

/** A recurring payment. */
export type RecurringPayment = RecurringPaymentRecord;

/** What the interface can change of a recurring payment. */
export type PaymentStatus = Pick<RecurringPayment, 'status'>;

/** A recurring payment by its key, and whether it has ended. */
export type PaymentState = Pick<RecurringPayment, 'pre_key' | 'status'>;

/** A recurring payment that is saved, with the vendor of its product. */
export interface SavedPayment extends Stored<RecurringPayment>, RecordChange<RecurringPayment> {
  readonly vendor_id: number;
}
