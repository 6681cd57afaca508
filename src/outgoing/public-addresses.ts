import { isIPv6 } from 'node:net';
import { AddressList } from '../common/address-list.js';

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
