import { recordOf } from '../common/record-of.js';
import { dayOf } from '../common/time.js';
import type { RecurringPaymentRecord } from './recurring-payment.record.js';
import { recurringStatusOf } from './recurring-status.js';
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

/** How records of one type hold the personal data of people. */
export interface PersonalRecords<Content extends object> {
  /** The e-mails that name whom the record is about; empty ones are left out. */
  emailsOf(record: Content): string[];
  /** When the sale or the agreement was made: what was made before an erasure is erased. */
  dateOf(record: Content): string;
  /**
   * True if the record's personal data has had its time: nothing of it is of that day or later.
   * @param before the state of the record before it; absent if it is new
   */
  isBefore(record: Content, day: string, before?: Content): boolean;
  /** The record without personal data. */
  emptied(record: Content): Content;
  /** The same, with an address in place of e-mails that tells which records were of one person. */
  erased(record: Content, address: string): Content;
}

export const PERSONAL_TRANSACTIONS: PersonalRecords<TransactionRecord> = {
  emailsOf: ({ customer_email, customer_processor_email }) =>
    named([customer_email, customer_processor_email]),
  dateOf: ({ sale_date }) => sale_date,
  isBefore: ({ sale_date }, day) => dayOf(sale_date) < day,
  emptied: (record) => ({ ...record, ...PERSONAL_OF_TRANSACTION }),
  erased: (record, address) => {
    return { ...record, ...PERSONAL_OF_TRANSACTION, customer_email: address };
  },
};

export const PERSONAL_RECURRING_PAYMENTS: PersonalRecords<RecurringPaymentRecord> = {
  emailsOf: ({ processor_email, contact_email, sender_email }) =>
    named([processor_email, contact_email, sender_email]),
  dateOf: ({ created }) => created,
  /** What the interface has canceled stays so, although the ledger still says that it is active. */
  isBefore: ({ status, created, last_date }, day, before) => {
    const isActive = [status, before?.status ?? status].every(
      (word) => recurringStatusOf(word) === 'ACTIVE',
    );
    return !isActive && dayOf(created) < day && (last_date === null || dayOf(last_date) < day);
  },
  emptied: (record) => ({ ...record, ...PERSONAL_OF_RECURRING_PAYMENT }),
  erased: (record, address) => {
    const emails = { processor_email: address, contact_email: address, sender_email: address };
    return { ...record, ...PERSONAL_OF_RECURRING_PAYMENT, ...emails };
  },
};

function named(emails: readonly (string | null)[]): string[] {
  return emails.filter((email) => email !== null).filter((email) => email !== '');
}

const ERASED = /^erased-[0-9a-f]{16}@erased\.invalid$/;
const DIGITS = 16;

/** The address of an erased person. @param hash hexadecimal */
export function erasedAddress(hash: string): string {
  return `erased-${hash.slice(0, DIGITS)}@erased.invalid`;
}

export function isErasedAddress(email: string): boolean {
  return ERASED.test(email);
}
