import { Resolver } from 'node:dns';
import { AddressList } from '../../common/address-list.js';
import type { SettingSource } from '../read-value.js';

const MIN_SECRET_LENGTH = 32;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** URL that receives cancellations of subscriptions, and the secret that signs them. */
export type PaymentProcessorSettings = NonNullable<ReturnType<typeof readPaymentProcessor>>;

/**
 * Reads PAYMENT_PROCESSOR_URL and PAYMENT_PROCESSOR_SECRET.
 * @returns null if neither is set, so that cancellations are only recorded
 */
export function readPaymentProcessor(source: SettingSource) {
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

/**
 * Reads NAME_SERVERS, the name servers for calls to other servers; empty for those of the system.
 */
export function readNameServers(source: SettingSource): readonly string[] {
  const text = source.valueOf('NAME_SERVERS');
  if (text === undefined) return [];
  const servers = text.split(',').map((server) => server.trim());
  try {
    new Resolver().setServers(servers);
    return servers;
  } catch {
    const problem = 'must be addresses of name servers, with a port if needed, with commas between';
    return source.invalid('NAME_SERVERS', problem, '10.0.0.53,[fd00::53]:5353', []);
  }
}

/**
 * Reads WEBHOOK_NETWORKS, which webhooks and upstreams may reach in addition to public addresses;
 * null for none.
 */
export function readWebhookNetworks(source: SettingSource): AddressList | null {
  const text = source.valueOf('WEBHOOK_NETWORKS');
  if (text === undefined) return null;
  const problem = 'must be addresses and networks with commas between';
  return (
    AddressList.parse(text) ?? source.invalid('WEBHOOK_NETWORKS', problem, '10.20.0.0/16', null)
  );
}
