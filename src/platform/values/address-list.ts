import { BlockList, isIP } from 'node:net';

const FAMILY = { 4: 'ipv4', 6: 'ipv6' } as const;
const BITS = { 4: 32, 6: 128 } as const;

/**
 * Holds a list of addresses and networks, such as `203.0.113.7, 198.51.100.0/24, 2001:db8::/32`.
 */
export class AddressList {
  private readonly list = new BlockList();

  private constructor(readonly text: string) {}

  /**
   * Parses a list with commas between the entries.
   * @returns null if an entry is neither an address nor a network in CIDR notation
   */
  static parse(text: string): AddressList | null {
    const entries = entriesOf(text);
    const parsed = new AddressList(entries.join(','));
    return entries.every((entry) => parsed.add(entry)) ? parsed : null;
  }

  /** Returns the entries that are neither an address nor a network in CIDR notation. */
  static invalidEntries(text: string): string[] {
    const scratch = new AddressList('');
    return entriesOf(text).filter((entry) => !scratch.add(entry));
  }

  /**
   * Returns true if the list contains the address.
   * @param address as text; an IPv4-mapped IPv6 address matches as IPv4
   */
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
