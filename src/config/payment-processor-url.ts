import { SettingError } from './setting-error.js';

const SHORTEST_SECRET = 32;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Where cancels of recurring payments are sent, and the secret that signs them. */
export interface PaymentProcessorSettings {
  readonly url: string;
  readonly secret: string;
}

/**
 * Reads PAYMENT_PROCESSOR_URL and PAYMENT_PROCESSOR_SECRET, which go together.
 * @returns null where neither is set: cancels are recorded only
 */
export function readPaymentProcessor(
  address: string | undefined,
  secret: string | undefined,
): PaymentProcessorSettings | null {
  if (address === undefined && secret === undefined) return null;
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : null;
  const isSafe = url?.protocol === 'https:' || LOOPBACK.has(url?.hostname ?? '');
  // fetch takes no address with a user name: every cancel would fail.
  const hasUser = url !== null && url.username + url.password !== '';
  if (url === null || !/^https?:$/.test(url.protocol) || !isSafe || hasUser) {
    throw new SettingError(
      'PAYMENT_PROCESSOR_URL',
      'must be an https address without a user name (http only on this machine)',
      'https://processor.example/cancel',
    );
  }
  if (secret === undefined || secret.length < SHORTEST_SECRET) {
    throw new SettingError(
      'PAYMENT_PROCESSOR_SECRET',
      `must have at least ${SHORTEST_SECRET} characters where PAYMENT_PROCESSOR_URL is set`,
      '"$(openssl rand -base64 32)"',
    );
  }
  return { url: url.href, secret };
}
