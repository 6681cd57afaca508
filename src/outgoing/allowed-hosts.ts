import { isIP } from 'node:net';
import type { AddressList } from '../common/address-list.js';
import { isPublic } from './public-addresses.js';

const PUBLIC_PORTS = new Set(['', '443', '8443']);
const MAX_URL_LENGTH = 2_048;

/**
 * Decides which servers may be called: public ones, and those in networks that the operator allows.
 */
export class AllowedHosts {
  constructor(private readonly networks: AddressList | null) {}

  /**
   * Returns null if the URL itself may be called, or else the problem. A host name is checked at
   * each call, after it was resolved.
   */
  problemOf(text: string): string | null {
    if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol !== 'https:') return 'must be a URL that begins with https://';
    if (url.username !== '' || url.password !== '') return 'must have no user and no password';
    if (url.hash !== '') return 'must have no fragment';
    const address = addressOf(url);
    if (address !== null && !this.isAllowed(address))
      return 'must not have an address that is not public';
    const isOwn = address !== null && this.isOwn(address);
    if (isOwn || PUBLIC_PORTS.has(url.port) || (address === null && this.networks !== null))
      return null;
    return 'must have no port other than 443 and 8443';
  }

  isAllowed(address: string): boolean {
    return isPublic(address) || this.isOwn(address);
  }

  /**
   * Returns true if a connection may be made. Ports other than the public ones are allowed only in
   * the operator's networks.
   */
  isAllowedAt(address: string, port: number): boolean {
    return PUBLIC_PORTS.has(String(port)) ? this.isAllowed(address) : this.isOwn(address);
  }

  private isOwn(address: string): boolean {
    return this.networks?.holds(address) === true;
  }
}

/** Returns the address that a URL has instead of a host name; null for a host name. */
export function addressOf({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
}
