import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { SecretStore } from '../../../platform/secrets/secret-store.js';
import { hashOfApiKey } from './api-key.js';
import { type StoredKey, UnreadableKeyError } from '../account.model.js';

/**
 * Encrypts API keys, so their owners can see them but the database alone does not reveal them. Each
 * encrypted key is bound to its hash.
 */
@Injectable()
export class KeyCipher extends SecretStore {
  constructor(settings: Settings) {
    super(settings, {
      position: 1,
      title: 'Keys',
      purpose: 'vendor-reporting-api keys',
      table: 'api_keys',
      key: 'key_hash',
      columns: ['encrypted_key'],
      contextOf: ({ key_hash }) => key_hash,
      audited: ({ length }) => [
        { action: 'key.rewrap', subject: 'stored keys', after: { rewrapped: length } },
      ],
      ownerOf: ({ application_id }) => `Application ${application_id}`,
      unreadable: (cause) => new UnreadableKeyError('a stored key cannot be decrypted', { cause }),
    });
  }

  /** Returns a new key in its stored form. */
  stored(key: string): StoredKey {
    const key_hash = hashOfApiKey(key);
    return { key_hash, encrypted_key: this.encrypt(key, key_hash) };
  }
}
