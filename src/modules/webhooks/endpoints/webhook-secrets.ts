import { Injectable } from '@nestjs/common';
import { Settings } from '../../../config/settings.js';
import { SecretStore } from '../../../platform/secrets/secret-store.js';
import { newSecret } from '../signing/signature.js';
import { UnreadableSecretError } from '../webhook.model.js';

/** Encrypts the secrets of endpoints, each bound to its vendor. */
@Injectable()
export class WebhookSecrets extends SecretStore {
  constructor(settings: Settings) {
    super(settings, {
      position: 2,
      title: 'Secrets of webhooks',
      purpose: 'vendor-reporting-api webhooks',
      table: 'webhook_endpoints',
      key: 'id',
      columns: ['secret', 'old_secret'],
      contextOf: ({ vendor_id }) => vendor_id,
      audited: (rows) =>
        rows.map(({ id, vendor_id }) => ({
          action: 'webhook.rewrap',
          subject: `webhook endpoint ${id} of user ${vendor_id}`,
          after: {},
        })),
      unreadable: () =>
        new UnreadableSecretError('KEY_ENCRYPTION_SECRET does not decrypt the secret'),
    });
  }

  /** Returns a new secret, encrypted. */
  create(vendor_id: number): string {
    return this.encrypt(newSecret(), vendor_id);
  }
}
