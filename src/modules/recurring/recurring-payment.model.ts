import type { RecurringPaymentRecord } from '../../ledger-format/recurring-payment.record.js';

/** A recurring payment (interface 2.8), as the ledger format has it. */
export type RecurringPayment = RecurringPaymentRecord;
export type RecurringStatus = RecurringPayment['status'];

/** What the interface can change of a recurring payment. */
export type PaymentStatus = Pick<RecurringPayment, 'status'>;
