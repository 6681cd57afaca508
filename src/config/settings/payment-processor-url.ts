import type { SettingSource } from '../read-value.js';

const MIN_SECRET_LENGTH = 32;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** URL that receives cancellations of subscriptions, and the secret that signs them. */
export interface PaymentProcessorSettings {
  readonly url: string;
  readonly secret: string;
}

/**
 * Reads PAYMENT_PROCESSOR_URL and PAYMENT_PROCESSOR_SECRET.
 * @returns null if neither is set, so that cancellations are only recorded
 */
export function readPaymentProcessor(source: SettingSource): PaymentProcessorSettings | null {
  const address = source.valueOf('PAYMENT_PROCESSOR_URL');
  const secret = source.valueOf('PAYMENT_PROCESSOR_SECRET');
  if (address === undefined && secret === undefined) return null;
  const [url, checked] = [readAddress(source, address), readSecret(source, secret)];
  return url === null || checked === null ? null : { url, secret: checked };
}

function readAddress(source: SettingSource, address: string | undefined): string | null {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : null;
  const isSafe = url?.protocol === 'https:' || LOOPBACK.has(url?.hostname ?? '');
  // fetch rejects URLs with credentials.
  const hasUser = url !== null && url.username + url.password !== '';
  if (url !== null && /^https?:$/.test(url.protocol) && isSafe && !hasUser) return url.href;
  const problem = 'must be an https URL without a user name (http only for localhost)';
  const example = 'https://processor.example/cancel';
  return source.invalid('PAYMENT_PROCESSOR_URL', problem, example, null);
}

function readSecret(source: SettingSource, secret: string | undefined): string | null {
  if (secret !== undefined && secret.length >= MIN_SECRET_LENGTH) return secret;
  const problem = `must have at least ${MIN_SECRET_LENGTH} characters if PAYMENT_PROCESSOR_URL is set`;
  const example = '"$(openssl rand -base64 32)"';
  return source.invalid('PAYMENT_PROCESSOR_SECRET', problem, example, null);
}
