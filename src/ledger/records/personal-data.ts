import { recordOf } from '../../platform/values/record-of.js';
import { dayOf } from '../../platform/values/time.js';
import type { RecurringPaymentRecord } from './recurring-payment.record.js';
import { recurringStatusOf } from './recurring-status.js';
import { columnsWith } from '../columns.js';
import type { TransactionRecord } from './transaction.record.js';

/**
 * Lists the fields of a transaction with personal data. Each has the value that replaces the data
 * when it is left out.
 */
export const PERSONAL_OF_TRANSACTION = {
  ...recordOf(columnsWith({ personal: '' }), () => ''),
  ...recordOf(columnsWith({ personal: null }), () => null),
} satisfies Partial<TransactionRecord>;

/**
 * Lists the fields of a subscription with personal data. Each has the value that replaces the data
 * when it is left out.
 */
export const PERSONAL_OF_RECURRING_PAYMENT = {
  processor_email: '',
  contact_email: '',
  sender_email: '',
  ip: '',
  referrer: '',
  vtid: null,
} as const satisfies Partial<RecurringPaymentRecord>;

/** Defines how records of one type contain personal data. */
export interface PersonalRecords<Content extends object> {
  /**
   * Returns the e-mail addresses that identify the record's customer. Empty addresses are left out.
   */
  emailsOf(record: Content): string[];
  /**
   * Returns the date-time of the sale or of the subscription's creation. An erasure applies to
   * records up to its own time.
   */
  dateOf(record: Content): string;
  /**
   * Returns true if the record's personal data has expired: none of its dates is on that day or
   * later.
   * @param before the record's previous state; absent if it is new
   */
  isBefore(record: Content, day: string, before?: Content): boolean;
  /** Returns the record without personal data. */
  emptied(record: Content): Content;
  /**
   * Returns the record without personal data. Its e-mail addresses are replaced by an address that
   * still shows which records belonged to one person.
   */
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
  /**
   * A subscription counts as active only if it was active before, too. One that the API has
   * canceled stays canceled, although the ledger still reports it as active.
   */
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

/**
 * Returns the address that replaces the e-mail addresses of an erased person.
 * @param hash hexadecimal
 */
export function erasedAddress(hash: string): string {
  return `erased-${hash.slice(0, DIGITS)}@erased.invalid`;
}

/** Pattern of LIKE that matches all these addresses. */
export const ERASED_ADDRESSES = 'erased-%@erased.invalid';

export function isErasedAddress(email: string): boolean {
  return ERASED.test(email);
}
