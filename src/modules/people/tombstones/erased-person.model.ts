import { codeOf } from '../../../common/errors/is-error.js';

/** The vendor of those whom an operator erased at all vendors. */
export const ALL_VENDORS = 0;

/** What is kept of an erased person: no e-mail, but a keyed hash of it. */
export interface Tombstone {
  /** 0 for all vendors. */
  readonly vendor_id: number;
  /** Hexadecimal. */
  readonly person: string;
  /** In UTC: the person's sales until then are erased, whenever they arrive. */
  readonly erased_at: string;
}

/**
 * How far an erasure is: `before` if an instance of the previous version has ended it, which gives no numbers,
 * `pending` until everything that was stored of the person is erased.
 */
export const ERASURE_STATES = { before: 0, pending: 1, done: 2 } as const;
export type ErasureState = (typeof ERASURE_STATES)[keyof typeof ERASURE_STATES];

export interface StoredTombstone extends Tombstone {
  readonly is_pending: ErasureState;
  /** The number of the transaction that stored the tombstone, in the order of their commits; 0 for none. */
  readonly number: number;
  /** The `erased_at` that has this number: an instance of the previous version changes `erased_at` alone. */
  readonly numbered_at: string | null;
}

/** The place of a tombstone in the order of numbers. */
export type NumberedKey = Pick<StoredTombstone, 'number' | 'vendor_id' | 'person'>;

/** The only row: the key of the hashes, encrypted. */
export interface PersonKey {
  readonly id: number;
  readonly secret: string;
  /** The last number that tombstones got. */
  readonly last_number: number;
}

/** A file of erasures as it was when an instance last compared it with the database. */
export interface ErasureFile {
  readonly id: string;
  /** Tombstones in the first `bytes`, repeated ones too. */
  readonly entries: number;
  /** The tombstones of so many bytes are in the database. */
  readonly bytes: number;
  /** A hash of the last of these bytes, by which another file of the same id is noticed. */
  readonly ending: string;
  /** The last key in these bytes, encrypted. Empty before the first. */
  readonly secret: string;
  /** The tombstones of the database up to this number are in the file. */
  readonly through: number;
  readonly seen: string;
}

/** A record of a vendor, and the e-mails that it names. */
export interface DatedRecord {
  readonly vendor_id: number;
  readonly emails: readonly string[];
  /** In UTC. */
  readonly date: string;
}

/** KEY_ENCRYPTION_SECRET does not decrypt the key of the hashes of people. */
export class UnreadablePersonKeyError extends Error {
  override readonly name = this.constructor.name;

  constructor() {
    super(
      'KEY_ENCRYPTION_SECRET does not decrypt the key that erased people are known by. Set the previous secret, or run `keys rewrap`.',
    );
  }
}

/** The database lacks erasures that the file has: a backup was restored. */
export class UnreplayedErasuresError extends Error {
  override readonly name = this.constructor.name;

  constructor(erasures: number) {
    super(
      `The database lacks ${erasures} of the erasures in ERASURES_FILE, as after a restored backup: run "npm run cli -- people replay" before the start.`,
    );
  }
}

/** The file of erasures was written for another database. */
export class ForeignErasuresError extends Error {
  override readonly name = this.constructor.name;

  constructor() {
    super('ERASURES_FILE: the erasures in it are of another database.');
  }
}

/** The file of erasures cannot be read or written, so nobody can be erased. */
export class UnusableErasuresError extends Error {
  override readonly name = this.constructor.name;

  constructor(use: 'read' | 'written', cause: unknown) {
    super(`ERASURES_FILE: the file cannot be ${use} (${codeOf(cause) ?? 'unknown reason'}).`, {
      cause,
    });
  }
}

/** Another process writes the file of erasures anew, as the first start of this version does. */
export class BusyErasuresError extends Error {
  override readonly name = this.constructor.name;

  constructor() {
    super('ERASURES_FILE: another process writes the file anew. Try again in a minute.');
  }
}
