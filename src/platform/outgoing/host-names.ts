import { isIP } from 'node:net';
import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promises } from 'node:dns';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Turns } from '../limits/memory/turns.js';
import { OutgoingError, UNKNOWN_HOST } from './outgoing-request.js';
import { codeOf } from '../errors/is-error.js';

/** Time after which a name server is queried again, or the next one is queried. */
const TRY_MS = 1_500;
const TRIES = 3;
/** Time limit for all addresses of a name together. */
const TOTAL_MS = 5_000;
/** Time to wait for the other family of addresses once one is known (RFC 8305). */
const OTHER_MS = 250;

const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);

/**
 * Queries name servers directly. `dns.lookup` would occupy one of the few threads that Node.js also
 * uses for files while a name server does not answer.
 */
export class NameServers {
  private readonly resolvers = new Set<promises.Resolver>();

  /** @param servers addresses, with a port if needed; empty for the name servers of the system */
  constructor(private readonly servers: readonly string[]) {}

  /**
   * Returns the addresses of a name, or none if the name does not exist.
   * @throws OutgoingError if no name server answers in time
   */
  async addressesOf(name: string): Promise<readonly string[]> {
    const resolver = new promises.Resolver({ timeout: TRY_MS, tries: TRIES });
    if (this.servers.length > 0) resolver.setServers(this.servers);
    const timer = setTimeout(() => {
      resolver.cancel();
    }, TOTAL_MS);
    this.resolvers.add(resolver);
    try {
      return await bothFamilies(resolver, name);
    } finally {
      clearTimeout(timer);
      resolver.cancel();
      this.resolvers.delete(resolver);
    }
  }

  /** Cancels all lookups. */
  stop(): void {
    for (const resolver of this.resolvers) resolver.cancel();
  }
}

async function bothFamilies(resolver: promises.Resolver, name: string): Promise<string[]> {
  const found: string[] = [];
  const queries = [resolver.resolve6(name), resolver.resolve4(name)].map(async (addresses) => {
    found.push(...(await addresses));
  });
  const both = Promise.allSettled(queries);
  await Promise.any(queries).catch(() => undefined);
  await Promise.race([both, wait(OTHER_MS, undefined, { ref: false })]);
  // A late answer must not add addresses to a list that the caller has already checked.
  if (found.length > 0) return [...found];
  const failures = (await both).filter((query) => query.status === 'rejected');
  if (failures.every(({ reason }) => ABSENT.has(codeOf(reason) ?? ''))) return [];
  throw new OutgoingError('the name servers do not answer');
}

const KEPT_MS = 5_000;

/**
 * Reads a text file of the operating system, and reads it again after some seconds. A file that
 * cannot be read counts as empty.
 */
class SystemFile<Content> {
  private content: Promise<Content> | null = null;
  /** Time of the last read by the monotonic clock, in ms. */
  private readAt = 0;

  constructor(
    private readonly path: string,
    private readonly parse: (text: string) => Content,
  ) {}

  read(): Promise<Content> {
    const now = performance.now();
    if (this.content !== null && now - this.readAt < KEPT_MS) return this.content;
    this.readAt = now;
    this.content = readFile(this.path, 'utf8')
      .catch(() => '')
      .then(this.parse);
    return this.content;
  }
}

/** Account of a call: the id of a user, or the operator. */
export type CallAccount = number | 'operator';

/** Finds the addresses of host names. */
export interface NameLookup {
  /** @throws OutgoingError if the name has no addresses, or none are found in time */
  addressesOf(name: string, account: CallAccount): Promise<readonly string[]>;
}

/**
 * Maximum number of names of one user that are resolved at the same time, so that no user fills the
 * memory or the queue of a name server.
 */
const MAX_OF_USER = 4;
const MAX_WAIT_MS = 5_000;
const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Resolves host names like the system: in the hosts file, then at the name servers, completed with
 * the search list. Lookups of one user never delay those of other users or of the operator.
 */
export class HostNames implements NameLookup, OnApplicationShutdown {
  private readonly hosts = new SystemFile('/etc/hosts', parseHosts);
  private readonly search = new SystemFile('/etc/resolv.conf', parseSearchList);
  private readonly turns = new Turns({
    max: MAX_OF_USER,
    waitMs: MAX_WAIT_MS,
    refusal: () => new OutgoingError('too many names are looked up at a time'),
  });
  /** Lookups in progress, by account and name. */
  private readonly running = new Map<string, Promise<readonly string[]>>();
  /** Number of lookups so far, by outcome. */
  readonly counts = { found: 0, not_found: 0, failed: 0 };

  constructor(private readonly servers: NameServers) {}

  addressesOf(name: string, account: CallAccount): Promise<readonly string[]> {
    if (isIP(name) !== 0) return Promise.resolve([name]);
    const key = `${account} ${name}`;
    const found = this.running.get(key) ?? this.counted(name.toLowerCase(), account);
    if (!this.running.has(key)) {
      const end = () => this.running.delete(key);
      this.running.set(key, found);
      found.then(end, end);
    }
    return found;
  }

  /** Cancels all lookups. */
  onApplicationShutdown(): void {
    this.servers.stop();
  }

  private async counted(name: string, account: CallAccount): Promise<readonly string[]> {
    const addresses = await this.inTurn(name, account).catch((error: unknown) => {
      this.counts.failed += 1;
      throw error;
    });
    this.counts[addresses.length > 0 ? 'found' : 'not_found'] += 1;
    if (addresses.length === 0) throw new OutgoingError(UNKNOWN_HOST);
    return addresses;
  }

  private async inTurn(name: string, account: CallAccount): Promise<readonly string[]> {
    const bare = name.replace(/\.$/, '');
    const known = (await this.hosts.read()).get(bare);
    if (known !== undefined) return known;
    if (bare === 'localhost' || bare.endsWith('.localhost')) return LOOPBACK;
    if (account === 'operator') return this.asked(name);
    return this.turns.take(account, () => this.asked(name));
  }

  private async asked(name: string): Promise<readonly string[]> {
    for (const each of completedNames(name, await this.search.read())) {
      const found = await this.servers.addressesOf(each);
      if (found.length > 0) return found;
    }
    return [];
  }
}

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

const MAX_DOMAINS = 6;
const MAX_DOTS = 15;

/**
 * Reads the part of resolv.conf that defines how short names are completed. A name with `dots` dots
 * or more is looked up unchanged before it is completed.
 */
export function parseSearchList(text: string) {
  let [domains, dots]: [readonly string[], number] = [[], 1];
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line.split(/\s+/).filter((word) => word !== '');
    if (keyword === 'search' || keyword === 'domain') domains = words.slice(0, MAX_DOMAINS);
    if (keyword !== 'options') continue;
    for (const word of words) {
      const [, wanted] = /^ndots:(\d{1,3})$/.exec(word) ?? [];
      if (wanted !== undefined) dots = Math.min(Number(wanted), MAX_DOTS);
    }
  }
  return { domains, dots };
}

type SearchList = ReturnType<typeof parseSearchList>;

/** Returns the full names that a name may stand for, in the order of their lookups. */
export function completedNames(name: string, { domains, dots }: SearchList): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const completed = domains.map((domain) => `${name}.${domain.replace(/\.$/, '')}`);
  return name.split('.').length > dots ? [name, ...completed] : [...completed, name];
}
