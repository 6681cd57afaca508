import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';

/**
 * Who sent a request, for the limits of addresses: an IPv4 address, or the network /64 of an IPv6
 * one, since that is what one household gets. Which proxies are believed, TRUST_PROXY says.
 */
export function clientOf(request: Request): string {
  return normalizeIp(withoutPort(request.ip ?? ''));
}

/** The address itself, an IPv4 address written as such, for the allow list of a key. */
export function addressOf(request: Request): string {
  return normalizeIp(withoutPort(request.ip ?? ''), 128).replace(/\/128$/, '');
}

/** Some proxies write `203.0.113.7:51234` or `[2001:db8::7]:51234` into X-Forwarded-For. */
function withoutPort(address: string): string {
  const [, ofFour, ofSix] = /^(?:([\d.]+):\d+|\[([^\]]*)\](?::\d+)?)$/.exec(address) ?? [];
  return ofFour ?? ofSix ?? address;
}
