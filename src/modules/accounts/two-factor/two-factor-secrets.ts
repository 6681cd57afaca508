import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { SecretStore } from '../../../platform/secrets/secret-store.js';
import { UnreadableKeyError } from '../account.model.js';

/** Encrypts the secrets of authenticator apps. Each is bound to its user. */
@Injectable()
export class TwoFactorSecrets extends SecretStore {
  constructor(settings: Settings) {
    super(settings, {
      position: 4,
      title: 'Secrets of two-factor sign-in',
      purpose: 'vendor-reporting-api two-factor',
      table: 'user_two_factor',
      key: 'user_id',
      columns: ['encrypted_secret'],
      contextOf: ({ user_id }) => user_id,
      audited: (rows) =>
        rows.map(({ user_id }) => ({
          action: 'two_factor.rewrap',
          subject: `user ${user_id}`,
          after: {},
        })),
      unreadable: (cause) =>
        new UnreadableKeyError('a secret of two-factor sign-in cannot be decrypted', { cause }),
    });
  }
}
