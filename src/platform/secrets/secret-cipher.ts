import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

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
