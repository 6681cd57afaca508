import { isIPv4 } from 'node:net';
import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';

/**
 * Returns the client for the limits per address: an IPv4 address, or the /64 network of an IPv6
 * address, which is what a household gets. The setting TRUST_PROXY names the trusted proxies.
 */
export function clientOf(request: Request): string {
  return normalizeIp(withoutPort(request.ip ?? ''));
}

/** Returns the exact address, for the allow list of a key. IPv4-mapped addresses become IPv4. */
export function addressOf(request: Request): string {
  return normalizeIp(withoutPort(request.ip ?? ''), 128).replace(/\/128$/, '');
}

/**
 * Returns the network of the client: its /24 of IPv4, or /64 of IPv6. Providers give a household
 * another address of the same network from time to time.
 */
export function networkOf(request: Request): string {
  const client = clientOf(request);
  return isIPv4(client) ? `${client.slice(0, client.lastIndexOf('.'))}.0/24` : client;
}

/**
 * Removes the port. Some proxies write `203.0.113.7:51234` or `[2001:db8::7]:51234` into
 * X-Forwarded-For.
 */
function withoutPort(address: string): string {
  const [, ofFour, ofSix] = /^(?:([\d.]+):\d+|\[([^\]]*)\](?::\d+)?)$/.exec(address) ?? [];
  return ofFour ?? ofSix ?? address;
}
