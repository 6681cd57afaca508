import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../../../common/secret-cipher.js';
import { Settings } from '../../../config/settings.js';
import { hashOfApiKey } from './api-key.js';
import { type StoredKey, UnreadableKeyError } from '../account.model.js';

/**
 * Encrypts API keys with KEY_ENCRYPTION_SECRET, so their owners can see them but the database alone
 * does not reveal them. Each encrypted key is bound to its hash.
 */
@Injectable()
export class KeyCipher {
  private readonly cipher: SecretCipher;

  constructor({ keyEncryptionSecret }: Settings) {
    this.cipher = new SecretCipher(keyEncryptionSecret, 'vendor-reporting-api keys');
  }

  encrypt(key: string, keyHash: string): string {
    return this.cipher.encrypt(key, keyHash);
  }

  /** Returns a new key in its stored form. */
  stored(key: string): StoredKey {
    const key_hash = hashOfApiKey(key);
    return { key_hash, encrypted_key: this.encrypt(key, key_hash) };
  }

  /** @throws UnreadableKeyError if the secret or the text has changed */
  decrypt(encrypted: string, keyHash: string): string {
    try {
      return this.cipher.decrypt(encrypted, keyHash);
    } catch (cause) {
      throw new UnreadableKeyError('a stored key cannot be decrypted', { cause });
    }
  }
}
