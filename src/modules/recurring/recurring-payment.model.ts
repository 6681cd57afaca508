import type { RecurringPaymentRecord } from '../../ledger-format/recurring-payment.record.js';

/** A recurring payment (interface 2.8). */
export type RecurringPayment = RecurringPaymentRecord;

/** What the interface can change of a recurring payment. */
export type PaymentStatus = Pick<RecurringPayment, 'status'>;
