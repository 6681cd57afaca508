import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookMessage } from '../webhook.model.js';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

export interface SignedMessage extends WebhookMessage {
  /** Seconds since 1970. */
  readonly timestamp: number;
}

/** Returns a new secret in the format of Standard Webhooks: `whsec_` and base64. */
export function newSecret(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;
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
