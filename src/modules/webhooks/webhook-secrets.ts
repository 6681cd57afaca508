import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { SecretStore } from '../../platform/secrets/secret-store.js';
import { UnreadableSecretError, type WebhookMessage } from './webhook.model.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

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

  /** Returns a new secret in the format of Standard Webhooks, `whsec_` and base64, encrypted. */
  create(vendor_id: number): string {
    return this.encrypt(PREFIX + randomBytes(SECRET_BYTES).toString('base64'), vendor_id);
  }
}

export interface SignedMessage extends WebhookMessage {
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/**
 * Returns the headers of Standard Webhooks.
 * @param secrets each of them signs; there are two while the old one is still valid
 */
export function signatureHeaders(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Readonly<Record<string, string>> {
  const signed = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => `v1,${signatureOf(signed, secret)}`);
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

function signatureOf(text: string, secret: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(text).digest('base64');
}
