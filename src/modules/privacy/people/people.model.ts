import { DomainError } from '../../../platform/errors/domain-error.js';
import { isErasedAddress } from '../../../ledger/records/personal-data.js';
import type { PersonSales } from '../../transactions/index.js';

/** Numbers of records of a customer. */
export interface PersonRecords {
  readonly sales: number;
  readonly recurring_payments: number;
  /** Rows in tables of extensions; absent if there are none. */
  readonly extension_rows?: number;
}

/** A found person counts a customer's records in a vendor's ledger. */
export interface FoundPerson extends PersonSales, PersonRecords {
  readonly vendor_id: number;
}

/** Returns the numbers of records, without that of rows of extensions if it is 0. */
export function countsOf(
  sales: number,
  recurring_payments: number,
  extension_rows: number,
): PersonRecords {
  return { sales, recurring_payments, ...(extension_rows > 0 && { extension_rows }) };
}

/** Returns the total number of records. */
export function recordsOf({
  sales,
  recurring_payments,
  extension_rows = 0,
}: PersonRecords): number {
  return sales + recurring_payments + extension_rows;
}

/** An erased person counts the records from which a customer was erased at a vendor. */
export type ErasedPerson = Omit<FoundPerson, 'first_sale' | 'last_sale'>;

/**
 * An erasure leaves a tombstone for one of these reasons. Data of the customer was found, or it may
 * still arrive because an import or the first run of an upstream is unfinished.
 */
export type ErasureReason = 'found' | 'early';

/** This is the outcome of an erasure. */
export interface ErasureOutcome {
  /** Vendors where something was erased. For an erasure at one vendor, always that vendor. */
  readonly erased: readonly ErasedPerson[];
  /**
   * Reason for the tombstone. Null if nothing of the customer was found, in which case later
   * records are kept.
   */
  readonly reason: ErasureReason | null;
}

/** Message for an erasure that finds nothing. */
export const NOTHING_FOUND =
  'Nothing of this person was found, so nothing was erased. If older data of this person arrives later, repeat the erasure.';
export const NOTHING_FOUND_YET =
  'Nothing of this person was found yet. An import is unfinished: what it brings of the person is erased.';

/** Messages about an erasure that has ended, by the word in the address of the page. */
export const ERASURE_MESSAGES: ReadonlyMap<string, string> = new Map([
  ['found', 'The personal data was erased.'],
  ['early', NOTHING_FOUND_YET],
  ['nothing', NOTHING_FOUND],
]);

/** The vendor already has the maximum number of tombstones of customers without stored data. */
export class TooManyEarlyErasuresError extends DomainError {
  constructor(most: number) {
    super(
      `Nothing of this person was found. ${most.toLocaleString('en')} people were already erased before their data arrived, which is the most. Repeat the erasure when the import has ended.`,
    );
  }
}

/** Maximum length of an e-mail in the ledger. */
const MAX_EMAIL = 255;

/**
 * The text is not an e-mail address, or it is the address of an erased customer. The message does
 * not repeat the text.
 */
export class InvalidPersonError extends DomainError {}

/**
 * Returns the e-mail without surrounding spaces.
 * @throws InvalidPersonError if the text is not an e-mail address
 */
export function checkedEmail(text: string): string {
  const email = text.trim();
  if (!email.includes('@') || email.length > MAX_EMAIL) {
    throw new InvalidPersonError('This is not an e-mail address.');
  }
  return email;
}

/**
 * Returns the e-mail of a customer who can be erased.
 * @throws InvalidPersonError if it is not an e-mail address, or the customer is already erased
 */
export function emailToErase(text: string): string {
  const email = checkedEmail(text);
  if (isErasedAddress(email)) throw new InvalidPersonError('This person is erased already.');
  return email;
}

/** Returns the subject of the audit entries on the erasures of a vendor's customers. */
export function erasuresSubject(vendor_id: number): string {
  return `person at user ${vendor_id}`;
}
