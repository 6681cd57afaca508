import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Settings } from '../../config/settings.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Earlier versions treated the line break at the end of a secret as a part of it. */
const ENDINGS = ['', '\n', '\r\n'] as const;

/**
 * Encrypts stored secrets with AES-256-GCM, under a key that is derived for one purpose. Each text
 * is bound to its row, so that the cipher text of one row cannot be used in another.
 */
export class SecretCipher {
  /** The first key encrypts; all keys decrypt. */
  private readonly keys: readonly [Buffer, ...Buffer[]];

  constructor(secret: string, purpose: string) {
    const [key, ...earlier] = ENDINGS.map((ending) =>
      Buffer.from(hkdfSync('sha256', secret + ending, '', purpose, KEY_BYTES)),
    );
    if (key === undefined) throw new Error('a secret has a key');
    this.keys = [key, ...earlier];
  }

  /**
   * Encrypts a text.
   * @param row the name of the row
   * @returns the cipher text in base64url
   */
  encrypt(text: string, row: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.keys[0], nonce).setAAD(Buffer.from(row));
    const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString('base64url');
  }

  /**
   * Decrypts the cipher text of a row.
   * @throws Error if the secret or the text has changed
   */
  decrypt(encrypted: string, row: string): string {
    let problem: unknown;
    for (const key of this.keys) {
      try {
        return decryptWith(key, encrypted, row);
      } catch (error) {
        problem ??= error;
      }
    }
    throw problem;
  }

  /** Returns true if the secret decrypts the cipher text of a row. */
  reads(encrypted: string, row: string): boolean {
    try {
      this.decrypt(encrypted, row);
      return true;
    } catch {
      return false;
    }
  }
}

function decryptWith(key: Buffer, encrypted: string, row: string): string {
  const bytes = Buffer.from(encrypted, 'base64url');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(row)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString('utf8');
}

/** A row of a table by its columns. */
export type StoredRow = Readonly<Record<string, string | number | null>>;

/** Describes for the audit log what was re-encrypted. */
export interface AuditedRewrap {
  readonly action: string;
  readonly subject: string;
  readonly after: object;
}

/** Declares where the encrypted values of one kind are stored. */
export interface EncryptedValues {
  /** Place of the kind in the output of `keys rewrap`. */
  readonly position: number;
  /** Name of the kind in the output of `keys rewrap`. */
  readonly title: string;
  /**
   * The encryption key is derived for this purpose, so a changed purpose makes values unreadable.
   */
  readonly purpose: string;
  readonly table: string;
  /** Name of the primary key, which is a single column. */
  readonly key: string;
  /** Names of the encrypted columns, which may be null. */
  readonly columns: readonly string[];
  /** Returns the context that binds the values to their row. */
  contextOf(row: StoredRow): string | number | null | undefined;
  /** Returns the entries of the audit log for rows that were re-encrypted together. */
  audited(rows: readonly StoredRow[]): readonly AuditedRewrap[];
  /** Names the owner of a row that no secret decrypts. By default, such a row is only counted. */
  ownerOf?(row: StoredRow): string;
  /** Returns the error of a value that cannot be decrypted. */
  unreadable(cause: unknown): Error;
}

/**
 * Encrypts stored values of one kind under KEY_ENCRYPTION_SECRET. Each module with such values
 * provides a subclass, and `keys rewrap` re-encrypts the values of all of them.
 */
export abstract class SecretStore {
  private readonly cipher: SecretCipher;

  constructor(
    { keyEncryptionSecret }: Settings,
    readonly values: EncryptedValues,
  ) {
    this.cipher = new SecretCipher(keyEncryptionSecret, values.purpose);
  }

  encrypt(text: string, context: string | number): string {
    return this.cipher.encrypt(text, String(context));
  }

  /** @throws the error of the kind if KEY_ENCRYPTION_SECRET, the text or its context has changed */
  decrypt(encrypted: string, context: string | number): string {
    try {
      return this.cipher.decrypt(encrypted, String(context));
    } catch (cause) {
      throw this.values.unreadable(cause);
    }
  }

  /**
   * Re-encrypts the values of a row.
   * @param old the cipher with the previous secret
   * @returns the columns to change, none if all values are current, or null if neither secret
   *   decrypts one of them
   */
  rewrapped(row: StoredRow, old: SecretCipher): StoredRow | null {
    const context = String(this.values.contextOf(row));
    const changes: Record<string, string> = {};
    for (const column of this.values.columns) {
      const encrypted = row[column];
      if (typeof encrypted !== 'string' || this.cipher.reads(encrypted, context)) continue;
      if (!old.reads(encrypted, context)) return null;
      changes[column] = this.cipher.encrypt(old.decrypt(encrypted, context), context);
    }
    return changes;
  }

  /** Runs before re-encrypted values are stored. */
  beforeRewrap(_changes: readonly StoredRow[]): Promise<void> {
    return Promise.resolve();
  }
}
