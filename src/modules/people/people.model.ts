import { isErasedAddress } from '../../ledger-format/personal-data.js';
import type { PersonSales } from '../transactions/personal-data/person-sales.model.js';

/** What a vendor's ledger has of a person. */
export interface FoundPerson extends PersonSales {
  readonly vendor_id: number;
  readonly recurring_payments: number;
}

/** How many records an export of a person has. */
export function recordsOf({ sales, recurring_payments }: FoundPerson): number {
  return sales + recurring_payments;
}

/** What was erased of a person at a vendor. */
export interface ErasedPerson {
  readonly vendor_id: number;
  readonly sales: number;
  readonly recurring_payments: number;
}

/** Longer is no e-mail in the ledger. */
const MAX_EMAIL = 255;

/** No e-mail, or the address of somebody who is erased. The text that was given is not repeated. */
export class InvalidPersonError extends Error {
  override readonly name = this.constructor.name;
}

/** @throws InvalidPersonError */
export function checkedEmail(text: string): string {
  const email = text.trim();
  if (!email.includes('@') || email.length > MAX_EMAIL) {
    throw new InvalidPersonError('This is not an e-mail address.');
  }
  return email;
}

/** The same of a person who can be erased. @throws InvalidPersonError */
export function emailToErase(text: string): string {
  const email = checkedEmail(text);
  if (isErasedAddress(email)) throw new InvalidPersonError('This person is erased already.');
  return email;
}
