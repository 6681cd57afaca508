import { Logger } from '@nestjs/common';
import {
  NodeNotWritableError,
  DatabaseUnreachableError,
  NoHostError,
} from '../../common/errors/database-unavailable.js';
import type { MysqlSettings } from '../../config/settings/database-url.js';
import type { MysqlConnection } from './mysql-connection.js';
import { countsOf, FailoverHost, type HostPolicy } from './mysql-host.js';
import type { ConnectionProvider, PoolLimits } from './mysql-pool.js';

/**
 * The hosts of a cluster, of which one is used at a time: the first at the start, and the next that is
 * well where the present one fails. One that comes back is not returned to as long as the present one
 * is well, and the last one is never passed over.
 */
export class MysqlCluster implements ConnectionProvider {
  private readonly logger = new Logger('Database');
  private readonly hosts: readonly FailoverHost[];
  private present: FailoverHost;

  constructor(
    settings: MysqlSettings,
    private readonly limits: PoolLimits,
  ) {
    const care: HostPolicy = {
      isFit: isWritable,
      onUnresponsive: (host, reason) => {
        if (host === this.present) this.leave(host, reason);
        else host.passOver(reason, `${this.present.name} is used as before`);
      },
    };
    const [first, ...others] = settings.hosts.map(
      (address) => new FailoverHost(settings, address, limits, care, this.logger),
    );
    if (first === undefined) throw new Error('a cluster has a host');
    this.hosts = [first, ...others];
    this.present = first;
  }

  /** How many connections are lent, and how many who want one wait. */
  get usage(): { readonly busy: number; readonly waiting: number } {
    const usages = this.hosts.map(({ pool }) => pool.usage);
    const sum = (key: 'busy' | 'waiting') => usages.reduce((all, usage) => all + usage[key], 0);
    return { busy: sum('busy'), waiting: sum('waiting') };
  }

  /** How many hosts are in use or ready to be, and how many are passed over. */
  get counts(): Readonly<Record<string, number>> {
    return countsOf(this.hosts);
  }

  /** Work that was begun is never begun anew here: whoever lends knows what may be repeated. */
  async withConnection<Result>(
    work: (connection: MysqlConnection) => Promise<Result>,
  ): Promise<Result> {
    const begun = performance.now();
    for (;;) {
      const host = this.present;
      const attempt = { isBegun: false };
      try {
        return await host.pool.withConnection((connection) => {
          attempt.isBegun = true;
          return work(connection);
        });
      } catch (error) {
        if (isFaultOfHost(error)) this.leave(host, error);
        const isOver = performance.now() - begun > this.limits.patienceMs;
        if (attempt.isBegun || isOver) throw error;
        // Where others have left it meanwhile, whoever waited for it in vain goes on, too.
        if (host !== this.present) continue;
        throw error instanceof DatabaseUnreachableError ? new NoHostError(error.cause) : error;
      }
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.close()));
  }

  private leave(host: FailoverHost, reason: unknown): void {
    if (host !== this.present) return;
    const place = this.hosts.indexOf(host);
    const others = [...this.hosts.slice(place + 1), ...this.hosts.slice(0, place)];
    const next = others.find(({ isWell }) => isWell);
    if (next === undefined) return;
    this.present = next;
    host.passOver(reason, `${next.name} is used from now on`);
  }
}

/** A lost connection alone is none: whether the host is gone shows when the next one is made. */
function isFaultOfHost(error: unknown): boolean {
  return error instanceof DatabaseUnreachableError || error instanceof NodeNotWritableError;
}

/** Any statement fails on a node that has lost its cluster. */
async function isWritable(connection: MysqlConnection): Promise<boolean> {
  // Beside MAX() itself, MariaDB would give 0 for whatever there is where the table is empty.
  const [row] = await connection.select<{ readonly read_only: number | string }>(
    'SELECT @@global.read_only AS read_only, (SELECT MAX(last_arrival) FROM ledger_arrivals) AS newest',
    [],
  );
  // The newest of MariaDB say it in a word.
  return row !== undefined && [0, 'OFF'].includes(row.read_only);
}
