import { DomainError } from '../../../common/errors/domain-error.js';
import { codeOf } from '../../../common/errors/is-error.js';

/** Tombstones of erasures at all vendors, which only an operator requests, have this vendor. */
export const ALL_VENDORS = 0;

/** A tombstone is what is kept of an erased customer: no e-mail, but a keyed hash of it. */
export interface Tombstone {
  /** Id of the vendor, or 0 for all vendors. */
  readonly vendor_id: number;
  /** Keyed hash of the e-mail, in hexadecimal. */
  readonly person: string;
  /**
   * Time of the erasure, in UTC. Sales of the customer until then are erased, no matter when they
   * arrive.
   */
  readonly erased_at: string;
}

/**
 * The states of an erasure. `before` means that an instance of the previous version, which assigns
 * no numbers, has finished it. `pending` lasts until all stored data of the customer is erased.
 */
export const ERASURE_STATES = { before: 0, pending: 1, done: 2 } as const;
export type ErasureState = (typeof ERASURE_STATES)[keyof typeof ERASURE_STATES];

export interface StoredTombstone extends Tombstone {
  readonly is_pending: ErasureState;
  /** Number of the database transaction that stored the tombstone, in commit order. 0 for none. */
  readonly number: number;
  /**
   * The `erased_at` to which the number belongs. An instance of the previous version changes only
   * `erased_at`.
   */
  readonly numbered_at: string | null;
}

/** A numbered key is the position of a tombstone in the order of numbers. */
export type NumberedKey = Pick<StoredTombstone, 'number' | 'vendor_id' | 'person'>;

/** The only row of `person_keys` has the encrypted key of the hashes. */
export interface PersonKey {
  readonly id: number;
  readonly secret: string;
  /** Last number that was given to tombstones. */
  readonly last_number: number;
}

/** This row describes a file of erasures when an instance last compared it with the database. */
export interface ErasureFile {
  readonly id: string;
  /** Number of tombstones in the first `bytes`, including repeated ones. */
  readonly entries: number;
  /** The database has the tombstones of this many bytes. */
  readonly bytes: number;
  /** Hash of the last of these bytes, which detects another file with the same id. */
  readonly ending: string;
  /** Last encrypted key in these bytes. Empty if there is none. */
  readonly secret: string;
  /** The file has the database's tombstones up to this number. */
  readonly through: number;
  readonly seen: string;
}

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
export class UnreplayedErasuresError extends Error {
  override readonly name = this.constructor.name;

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
