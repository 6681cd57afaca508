import type { RecordChange } from '../../ledger/records/overruled-fields.js';
import type { RecurringPaymentRecord } from '../../ledger/records/recurring-payment.record.js';

/** Describes a subscription, as a ledger file contains it. */
export type RecurringPayment = RecurringPaymentRecord;

/** Contains the part of a subscription that the API can change. */
export type PaymentStatus = Pick<RecurringPayment, 'status'>;

/** Contains the key of a subscription and its status, which shows whether it has ended. */
export type PaymentState = Pick<RecurringPayment, 'pre_key' | 'status'>;

/** Describes a subscription to be saved, with the vendor of its product. */
export interface SavedPayment extends RecordChange<RecurringPayment> {
  readonly vendor_id: number;
}
