import type { Work } from '../database.js';
import {
  NodeNotWritableError,
  DatabaseUnreachableError,
  NoHostError,
} from '../../errors/database-unavailable.js';
import type { MysqlSettings } from '../../../config/settings/database-url.js';
import type { MysqlConnection } from './mysql-connection.js';
import { countsOf, FailoverHost, type HostPolicy } from './mysql-host.js';
import type { ConnectionProvider, PoolLimits } from './mysql-pool.js';

/**
 * Uses one host of a cluster at a time, at first the first in the list. If it fails, the next host
 * that is up takes over, and stays in use when the failed one is up again. The last host is never
 * skipped.
 */
export class MysqlCluster implements ConnectionProvider {
  private readonly hosts: readonly FailoverHost[];
  private current: FailoverHost;

  constructor(
    settings: MysqlSettings,
    private readonly limits: PoolLimits,
  ) {
    const policy: HostPolicy = {
      isUsable: isWritable,
      onUnresponsive: (host, reason) => {
        if (host === this.current) this.failOver(host, reason);
        else host.markDown(reason, `${this.current.name} stays in use`);
      },
    };
    const [first, ...others] = settings.hosts.map(
      (address) => new FailoverHost(settings, address, limits, policy),
    );
    if (first === undefined) throw new Error('a cluster has a host');
    this.hosts = [first, ...others];
    this.current = first;
  }

  get usage(): { readonly busy: number; readonly waiting: number } {
    const usages = this.hosts.map(({ pool }) => pool.usage);
    const sum = (key: 'busy' | 'waiting') => usages.reduce((all, usage) => all + usage[key], 0);
    return { busy: sum('busy'), waiting: sum('waiting') };
  }

  get counts(): Readonly<Record<string, number>> {
    return countsOf(this.hosts);
  }

  /**
   * Runs work on a connection of the current host. It retries only before `work` has begun, since
   * only the caller knows whether `work` may be repeated.
   */
  async withConnection<Result>(work: Work<MysqlConnection, Result>): Promise<Result> {
    const startedAt = performance.now();
    for (;;) {
      const host = this.current;
      const attempt = { hasBegun: false };
      try {
        return await host.pool.withConnection((connection) => {
          attempt.hasBegun = true;
          return work(connection);
        });
      } catch (error) {
        if (isHostFailure(error)) this.failOver(host, error);
        const isTimeUp = performance.now() - startedAt > this.limits.maxWaitMs;
        if (attempt.hasBegun || isTimeUp) throw error;
        // The retry also follows a failover that another caller triggered.
        if (host !== this.current) continue;
        throw error instanceof DatabaseUnreachableError ? new NoHostError(error.cause) : error;
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.close()));
  }

  private failOver(host: FailoverHost, reason: unknown): void {
    if (host !== this.current) return;
    const index = this.hosts.indexOf(host);
    const others = [...this.hosts.slice(index + 1), ...this.hosts.slice(0, index)];
    const next = others.find(({ isUp }) => isUp);
    if (next === undefined) return;
    this.current = next;
    host.markDown(reason, `${next.name} takes over`);
  }
}

/**
 * Returns true if an error shows that a host is down. A lost connection does not: the next attempt
 * to connect shows whether the host is down.
 */
function isHostFailure(error: unknown): boolean {
  return error instanceof DatabaseUnreachableError || error instanceof NodeNotWritableError;
}

/**
 * Returns true if the host accepts writes. A node that has lost its cluster fails every statement.
 */
async function isWritable(connection: MysqlConnection): Promise<boolean> {
  // MAX() is in a subquery: beside it, MariaDB returns 0 for read_only if the table is empty.
  const [row] = await connection.select<{ readonly read_only: number | string }>(
    'SELECT @@global.read_only AS read_only, (SELECT MAX(vendor_id) FROM ledger_revisions) AS vendor',
    [],
  );
  // Recent versions of MariaDB return a word instead of a number.
  return row !== undefined && [0, 'OFF'].includes(row.read_only);
}
