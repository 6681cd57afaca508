import { promises, type LookupAddress } from 'node:dns';
import { codeOf } from '../../errors/is-error.js';
import { OutgoingError } from '../outgoing-error.js';

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
  async addressesOf(name: string): Promise<readonly LookupAddress[]> {
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

function bothFamilies(resolver: promises.Resolver, name: string): Promise<LookupAddress[]> {
  const queries = [
    { family: 6, answer: resolver.resolve6(name) },
    { family: 4, answer: resolver.resolve4(name) },
  ];
  return new Promise((resolve, reject) => {
    const found: LookupAddress[] = [];
    let [open, hasFailed] = [queries.length, false];
    let timer: NodeJS.Timeout | undefined;
    const finish = () => {
      clearTimeout(timer);
      if (found.length > 0 || !hasFailed) resolve(found);
      else reject(new OutgoingError('the name servers do not answer'));
    };
    const end = () => {
      open -= 1;
      if (open === 0) finish();
      else if (found.length > 0) timer = setTimeout(finish, OTHER_MS);
    };
    for (const { family, answer } of queries) {
      answer.then(
        (addresses) => {
          found.push(...addresses.map((address) => ({ address, family })));
          end();
        },
        (error: unknown) => {
          hasFailed ||= !ABSENT.has(codeOf(error) ?? '');
          end();
        },
      );
    }
  });
}
