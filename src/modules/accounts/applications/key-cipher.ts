import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { hashOfApiKey } from './api-key.js';
import { type StoredKey, UnreadableKeyError } from '../account.model.js';

const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts API keys, so that their owner can see them but the database alone does not reveal them:
 * AES-256-GCM under KEY_ENCRYPTION_SECRET, bound to the key's hash, so that the cipher text of one row
 * cannot be used in another.
 */
@Injectable()
export class KeyCipher {
  private readonly secret: Buffer;

  constructor(settings: Settings) {
    const purpose = 'vendor-reporting-api keys';
    this.secret = Buffer.from(
      hkdfSync('sha256', settings.keyEncryptionSecret, '', purpose, KEY_BYTES),
    );
  }

  encrypt(key: string, keyHash: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.secret, nonce).setAAD(Buffer.from(keyHash));
    const parts = [nonce, cipher.update(key, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString('base64url');
  }

  /** A new key, as it is stored. */
  stored(key: string): StoredKey {
    const key_hash = hashOfApiKey(key);
    return { key_hash, encrypted_key: this.encrypt(key, key_hash) };
  }

  /** @throws UnreadableKeyError if the secret or the text has changed */
  decrypt(encrypted: string, keyHash: string): string {
    try {
      return this.open(encrypted, keyHash);
    } catch (cause) {
      throw new UnreadableKeyError('a stored key cannot be decrypted', { cause });
    }
  }

  private open(encrypted: string, keyHash: string): string {
    const bytes = Buffer.from(encrypted, 'base64url');
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(ALGORITHM, this.secret, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(keyHash)).setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  }
}
