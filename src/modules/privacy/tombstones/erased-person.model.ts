import { DomainError, StartError } from '../../../platform/errors/domain-error.js';
import { codeOf } from '../../../platform/errors/is-error.js';
import type { ErasedPersonRow } from '../privacy.entity.js';

export type { ErasureFile } from '../privacy.entity.js';

/** Tombstones of erasures at all vendors, which only an operator requests, have this vendor. */
export const ALL_VENDORS = 0;

/**
 * The states of an erasure. `before` means that an instance of the previous version, which assigns
 * no numbers, has finished it. `pending` lasts until all stored data of the customer is erased.
 */
export const ERASURE_STATES = { before: 0, pending: 1, done: 2 } as const;
type ErasureState = (typeof ERASURE_STATES)[keyof typeof ERASURE_STATES];

export interface StoredTombstone extends ErasedPersonRow {
  readonly is_pending: ErasureState;
}

/** A tombstone is what is kept of an erased customer: no e-mail, but a keyed hash of it. */
export type Tombstone = Pick<StoredTombstone, 'vendor_id' | 'person' | 'erased_at'>;

/** A numbered key is the position of a tombstone in the order of numbers. */
export type NumberedKey = Pick<StoredTombstone, 'number' | 'vendor_id' | 'person'>;

/** A dated record belongs to a vendor and has e-mails. */
export interface DatedRecord {
  readonly vendor_id: number;
  readonly emails: readonly string[];
  /** Date-time of the record, in UTC. */
  readonly date: string;
}

/** The key of the hashes cannot be decrypted with KEY_ENCRYPTION_SECRET. */
export class UnreadablePersonKeyError extends DomainError {
  constructor() {
    super(
      'KEY_ENCRYPTION_SECRET does not decrypt the key that erased people are known by. Set the previous secret, or run `keys rewrap`.',
    );
  }
}

/** The database lacks erasures that are in the file, because a backup was restored. */
export class UnreplayedErasuresError extends StartError {
  constructor(erasures: number) {
    super(
      `The database lacks ${erasures} of the erasures in ERASURES_FILE, as after a restored backup: run "npm run cli -- people replay" before the start.`,
    );
  }
}

/** The file of erasures was written for another database. */
export class ForeignErasuresError extends DomainError {
  constructor() {
    super('ERASURES_FILE: the erasures in it are of another database.');
  }
}

/** The file of erasures cannot be read or written, so nobody can be erased. */
export class UnusableErasuresError extends DomainError {
  constructor(use: 'read' | 'written', cause: unknown) {
    super(`ERASURES_FILE: the file cannot be ${use} (${codeOf(cause) ?? 'unknown reason'}).`, {
      cause,
    });
  }
}

/**
 * Another process is replacing the file of erasures, which happens at the first start of this
 * version.
 */
export class BusyErasuresError extends DomainError {
  constructor() {
    super('ERASURES_FILE: another process writes the file anew. Try again in a minute.');
  }
}
