import { normalizeIp } from '@nestjs/throttler';
import type { Request } from 'express';

/**
 * Who sent a request, for the limits of addresses: an IPv4 address, or the network /64 of an IPv6
 * one, since that is what one household gets. Which proxies are believed, TRUST_PROXY says.
 */
export function clientOf(request: Request): string {
  return normalizeIp(request.ip ?? '');
}

/** The address itself, an IPv4 address written as such, for the allow list of a key. */
export function addressOf(request: Request): string {
  return normalizeIp(request.ip ?? '', 128).replace(/\/128$/, '');
}
