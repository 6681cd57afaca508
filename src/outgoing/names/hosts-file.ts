import { isIP } from 'node:net';

/** Returns the addresses of each name in a hosts file, in the order of the file. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const hosts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [content = ''] = line.split('#');
    const [address = '', ...names] = content.split(/\s+/).filter((word) => word !== '');
    if (isIP(address) === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), address]);
    }
  }
  return hosts;
}
