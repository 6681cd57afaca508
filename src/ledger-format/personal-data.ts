import { recordOf } from '../common/record-of.js';
import type { RecurringPaymentRecord } from './recurring-payment.record.js';
import { DELIVERY_COLUMNS } from './transaction-fields.js';
import type { TransactionRecord } from './transaction.record.js';

/** The personal data of a transaction, each field with what stands in its place where it is left out. */
export const PERSONAL_OF_TRANSACTION = {
  customer_email: '',
  customer_first_name: '',
  customer_last_name: '',
  customer_ip: null,
  customer_phone: null,
  customer_processor_email: null,
  ...recordOf(DELIVERY_COLUMNS, () => null),
  vtid: null,
  custom: null,
  other_params: null,
} as const satisfies Partial<TransactionRecord>;

/** The same of a recurring payment. */
export const PERSONAL_OF_RECURRING_PAYMENT = {
  processor_email: '',
  contact_email: '',
  sender_email: '',
  ip: '',
  referrer: '',
  vtid: null,
} as const satisfies Partial<RecurringPaymentRecord>;
