import { BlockList, isIP } from 'node:net';

const FAMILY = { 4: 'ipv4', 6: 'ipv6' } as const;
const BITS = { 4: 32, 6: 128 } as const;

/** Addresses and networks: `203.0.113.7, 198.51.100.0/24, 2001:db8::/32`. */
export class AddressList {
  private readonly list = new BlockList();

  private constructor(readonly text: string) {}

  /** @returns null if an entry is neither an address nor a network in CIDR notation */
  static parse(text: string): AddressList | null {
    const entries = entriesOf(text);
    const parsed = new AddressList(entries.join(','));
    return entries.every((entry) => parsed.add(entry)) ? parsed : null;
  }

  /** The entries for which `parse` returns null. */
  static invalidEntries(text: string): string[] {
    const scratch = new AddressList('');
    return entriesOf(text).filter((entry) => !scratch.add(entry));
  }

  /** @param address as text; an IPv4-mapped IPv6 address matches as IPv4 */
  holds(address: string): boolean {
    const version = isIP(address);
    return (version === 4 || version === 6) && this.list.check(address, FAMILY[version]);
  }

  private add(entry: string): boolean {
    const [, address = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const version = isIP(address);
    if (version !== 4 && version !== 6) return false;
    const bits = prefix === undefined ? BITS[version] : Number(prefix);
    if (bits > BITS[version]) return false;
    this.list.addSubnet(address, bits, FAMILY[version]);
    return true;
  }
}

function entriesOf(text: string): string[] {
  return text.split(',').map((entry) => entry.trim());
}
