import type { Settings } from '../../config/settings.js';
import { SecretCipher } from './secret-cipher.js';

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
  /** The encryption key is derived for this purpose, so a changed purpose makes values unreadable. */
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
