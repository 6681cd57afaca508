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

export interface StoredTombstone extends Tombstone {
  /** 1 until everything that was stored of the person is erased. */
  readonly is_pending: number;
}

/** The only row: the key of the hashes, encrypted. */
export interface PersonKey {
  readonly id: number;
  readonly secret: string;
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
