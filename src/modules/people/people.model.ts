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

/**
 * Why an erasure leaves a tombstone: something of the person was stored, or an import or the first run of an upstream
 * is unfinished, which may bring something.
 */
export type ErasureReason = 'found' | 'early';

/** The outcome of an erasure. */
export interface ErasureOutcome {
  /** The vendors at which something was erased; the one vendor if the erasure is at one. */
  readonly erased: readonly ErasedPerson[];
  /** Null if nothing of the person was found: what arrives later is kept. */
  readonly reason: ErasureReason | null;
}

/** Says what to do if nothing of a person was found. */
export const NOTHING_FOUND =
  'Nothing of this person was found, so nothing was erased. If older data of this person arrives later, repeat the erasure.';
export const NOTHING_FOUND_YET =
  'Nothing of this person was found yet. An import is unfinished: what it brings of the person is erased.';

/** A vendor has as many tombstones of people of whom nothing was stored as it may have. */
export class TooManyEarlyErasuresError extends Error {
  override readonly name = this.constructor.name;

  constructor(most: number) {
    super(
      `Nothing of this person was found. ${most.toLocaleString('en')} people were already erased before their data arrived, which is the most. Repeat the erasure when the import has ended.`,
    );
  }
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
