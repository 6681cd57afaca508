import { StatementTimeoutError } from '../../errors/database-unavailable.js';
import type { MysqlSettings } from '../../../config/settings/database-url.js';
import type { IsRecent, Reader, SqlValue, Work } from '../database.js';
import type { MysqlConnection } from './mysql-connection.js';
import { countsOf, FailoverHost, type HostPolicy } from './mysql-host.js';
import type { PoolLimits } from './mysql-pool.js';

/** Runs a series of reads on a connection. */
type ReadsOn = <Result>(connection: MysqlConnection, work: Work<Reader, Result>) => Promise<Result>;

/** Runs reads that each see what was committed before them. */
export const readOn: ReadsOn = (connection, work) => work(sequentialReader(connection));

/** Runs reads that all see one state. */
export const readSnapshotOn: ReadsOn = async (connection, work) => {
  await connection.beginSnapshot();
  try {
    const result = await work(sequentialReader(connection));
    await connection.end('COMMIT');
    return result;
  } catch (error) {
    await connection.end('ROLLBACK').catch(() => {
      // Closing the connection also ends the snapshot. The caller gets the first error.
      connection.discard();
    });
    throw error;
  }
};

/**
 * Returns a reader that runs one statement at a time. After an error, all queued statements fail
 * with it.
 */
function sequentialReader(connection: MysqlConnection): Reader {
  let last: Promise<unknown> = Promise.resolve();
  return {
    select: <Row extends object>(sql: string, values: readonly SqlValue[]) => {
      const rows = last.then(() => connection.select<Row>(sql, values));
      last = rows;
      return rows;
    },
  };
}

/** Reads from replicas. */
export class MysqlReplicas {
  private readonly hosts: readonly FailoverHost[];
  private last = 0;

  constructor(replicas: readonly MysqlSettings[], limits: PoolLimits) {
    const policy: HostPolicy = { isUsable: canRead, onUnresponsive: markDown };
    this.hosts = replicas.flatMap((settings) =>
      settings.hosts.map((address) => new FailoverHost(settings, address, limits, policy)),
    );
  }

  get counts(): Readonly<Record<string, number>> {
    return countsOf(this.hosts);
  }

  /**
   * Reads from the next replica in turn that is up and recent enough. `isRecent` and `work` share a
   * connection, so that both run on the same server even behind a load balancer.
   * @returns null if there is no such replica
   * @throws StatementTimeoutError if `work` takes too long, as it would on any server
   */
  async read<Result>(
    readsOn: ReadsOn,
    isRecent: IsRecent,
    work: Work<Reader, Result>,
  ): Promise<{ readonly result: Result } | null> {
    this.last += 1;
    for (let tried = 0; tried < this.hosts.length; tried += 1) {
      const host = this.hosts[(this.last + tried) % this.hosts.length];
      if (host?.isUp !== true) continue;
      try {
        const read = await host.pool.withConnection((connection) =>
          readsOn(connection, async (reader) =>
            (await isRecent(reader)) ? { result: await work(reader) } : null,
          ),
        );
        if (read !== null) return read;
      } catch (error) {
        if (error instanceof StatementTimeoutError) throw error;
        markDown(host, error);
      }
    }
    return null;
  }

  async close(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.close()));
  }
}

function markDown(host: FailoverHost, reason: unknown): void {
  host.markDown(reason, 'reads go to other hosts');
}

async function canRead(connection: MysqlConnection): Promise<boolean> {
  await connection.select('SELECT MAX(vendor_id) FROM ledger_revisions', []);
  return true;
}
