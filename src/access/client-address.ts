import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';

/**
 * The client for the limits per address: an IPv4 address, or the /64 network of an IPv6 address, which
 * is what a household gets. TRUST_PROXY says which proxies are trusted.
 */
export function clientOf(request: Request): string {
  return normalizeIp(withoutPort(request.ip ?? ''));
}

/** The exact address, for the allow list of a key. IPv4-mapped addresses become IPv4. */
export function addressOf(request: Request): string {
  return normalizeIp(withoutPort(request.ip ?? ''), 128).replace(/\/128$/, '');
}

/** Some proxies write `203.0.113.7:51234` or `[2001:db8::7]:51234` into X-Forwarded-For. */
function withoutPort(address: string): string {
  const [, ofFour, ofSix] = /^(?:([\d.]+):\d+|\[([^\]]*)\](?::\d+)?)$/.exec(address) ?? [];
  return ofFour ?? ofSix ?? address;
}
