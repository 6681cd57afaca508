import { BlockList, isIP } from 'node:net';

const FAMILY = { 4: 'ipv4', 6: 'ipv6' } as const;
const BITS = { 4: 32, 6: 128 } as const;

/** Addresses and networks: `203.0.113.7, 198.51.100.0/24, 2001:db8::/32`. */
export class AddressList {
  private readonly list = new BlockList();

  private constructor(readonly text: string) {}

  /** @returns null where an entry is no address and no network in CIDR notation, or there is none */
  static parse(text: string): AddressList | null {
    const entries = entriesOf(text);
    const parsed = new AddressList(entries.join(','));
    return entries.every((entry) => parsed.add(entry)) ? parsed : null;
  }

  /** The entries for which `parse` returns null. */
  static wrongEntries(text: string): string[] {
    const tried = new AddressList('');
    return entriesOf(text).filter((entry) => !tried.add(entry));
  }

  /** @param address as text; an IPv4 address that is written as IPv6 counts as what it is */
  holds(address: string): boolean {
    const version = isIP(address);
    return (version === 4 || version === 6) && this.list.check(address, FAMILY[version]);
  }

  private add(entry: string): boolean {
    const [address = '', bits] = entry.split('/');
    const version = isIP(address);
    if (version !== 4 && version !== 6) return false;
    if (bits === undefined && !entry.includes('/')) {
      this.list.addAddress(address, FAMILY[version]);
      return true;
    }
    if (!/^\d{1,3}$/.test(bits ?? '') || entry.split('/').length > 2) return false;
    const prefix = Number(bits);
    if (prefix > BITS[version]) return false;
    this.list.addSubnet(address, prefix, FAMILY[version]);
    return true;
  }
}

function entriesOf(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}
