import type { LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressList } from '../common/address-list.js';
import { OutgoingError } from './outgoing-error.js';
import { isPublic } from './public-addresses.js';

const PUBLIC_PORTS = new Set(['', '443', '8443']);
const MAX_URL_LENGTH = 2_048;

/** Finds all addresses of a name, as `dns.lookup` does with `all`. */
export type Resolve = (
  name: string,
  done: (error: Error | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Which servers may be called: public ones, and those in networks that the operator allows. */
export class AllowedHosts {
  constructor(
    private readonly networks: AddressList | null,
    private readonly resolve: Resolve,
  ) {}

  /** Null if a URL can be called, as far as it tells by itself; a name is looked up at each call. */
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
   * A lookup for a socket, which connects to what it returns: so an answer that differs the next time
   * changes nothing. @param port that is asked for; others than the public ones only in own networks
   */
  lookupFor(port: string): LookupFunction {
    return (name, options, callback) => {
      this.resolve(name, (error, found) => {
        if (error !== null) {
          callback(error, []);
          return;
        }
        const allowed = found.filter(({ address }) =>
          PUBLIC_PORTS.has(port) ? this.isAllowed(address) : this.isOwn(address),
        );
        const [first] = allowed;
        if (first === undefined) callback(new OutgoingError('the address is not public'), []);
        else if (options.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      });
    };
  }

  private isOwn(address: string): boolean {
    return this.networks?.holds(address) === true;
  }
}

/** The address that a URL has instead of a name; null for a name. */
export function addressOf({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : bare;
}
