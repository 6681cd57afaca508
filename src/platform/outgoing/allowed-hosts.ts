import { isIP, isIPv6 } from 'node:net';
import { AddressList } from '../values/address-list.js';

/**
 * IPv4 networks that the special-purpose address registry of IANA excludes from the public
 * addresses.
 */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * Networks within `GLOBAL_IPV6` that are not public: protocol assignments with Teredo,
 * documentation, 6to4, AS112.
 */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];
/**
 * Global unicast addresses. All others are loopback, private, link-local, multicast, IPv4 in IPv6,
 * or not assigned.
 */
const GLOBAL_IPV6 = ['2000::/3'];

const special = listOf([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
const global = listOf(GLOBAL_IPV6);

/**
 * Returns true for an address that any host on the internet can have.
 * @param address as text, without a zone
 */
export function isPublic(address: string): boolean {
  return !special.holds(address) && (!isIPv6(address) || global.holds(address));
}

function listOf(entries: readonly string[]): AddressList {
  const list = AddressList.parse(entries.join(','));
  if (list === null) throw new Error('an entry is no network');
  return list;
}

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
