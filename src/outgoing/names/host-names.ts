import { isIP } from 'node:net';
import { Turns } from '../../common/turns.js';
import { OutgoingError } from '../outgoing-error.js';
import { parseHosts } from './hosts-file.js';
import type { NameServers } from './name-servers.js';
import { completedNames, parseSearchList } from './search-list.js';
import { SystemFile } from './system-file.js';

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
export class HostNames implements NameLookup {
  private readonly hosts = new SystemFile('/etc/hosts', parseHosts);
  private readonly search = new SystemFile('/etc/resolv.conf', parseSearchList);
  private readonly turns = new Map<number, Turns>();
  /** Lookups in progress, by account and name. */
  private readonly running = new Map<string, Promise<readonly string[]>>();
  private readonly outcomes = { found: 0, not_found: 0, failed: 0 };

  constructor(private readonly servers: NameServers) {}

  /** Number of lookups so far, by outcome. */
  get counts(): Readonly<Record<string, number>> {
    return this.outcomes;
  }

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
  stop(): void {
    this.servers.stop();
  }

  private async counted(name: string, account: CallAccount): Promise<readonly string[]> {
    try {
      const addresses = await this.inTurn(name, account);
      this.outcomes[addresses.length > 0 ? 'found' : 'not_found'] += 1;
      if (addresses.length > 0) return addresses;
    } catch (error) {
      this.outcomes.failed += 1;
      throw error;
    }
    throw new OutgoingError('the name was not found');
  }

  private async inTurn(name: string, account: CallAccount): Promise<readonly string[]> {
    const bare = name.replace(/\.$/, '');
    const known = (await this.hosts.read()).get(bare);
    if (known !== undefined) return known;
    if (bare === 'localhost' || bare.endsWith('.localhost')) return LOOPBACK;
    if (account === 'operator') return this.asked(name);
    const turns = this.turns.get(account) ?? newTurns();
    this.turns.set(account, turns);
    try {
      return await turns.take(() => this.asked(name));
    } finally {
      if (turns.isIdle) this.turns.delete(account);
    }
  }

  private async asked(name: string): Promise<readonly string[]> {
    for (const each of completedNames(name, await this.search.read())) {
      const found = await this.servers.addressesOf(each);
      if (found.length > 0) return found.map(({ address }) => address);
    }
    return [];
  }
}

function newTurns(): Turns {
  const refusal = () => new OutgoingError('too many names are looked up at a time');
  return new Turns({ max: MAX_OF_USER, waitMs: MAX_WAIT_MS, refusal });
}
