import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets that are stored: AES-256-GCM under a key that is derived for one purpose. Each text is
 * bound to its row, so that the cipher text of one row cannot be used in another.
 */
export class SecretCipher {
  private readonly key: Buffer;

  constructor(secret: string, purpose: string) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', purpose, KEY_BYTES));
  }

  /** @param row what names the row */
  encrypt(text: string, row: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, nonce).setAAD(Buffer.from(row));
    const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString('base64url');
  }

  /** @throws Error if the secret or the text has changed */
  decrypt(encrypted: string, row: string): string {
    const bytes = Buffer.from(encrypted, 'base64url');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(row)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }
}
