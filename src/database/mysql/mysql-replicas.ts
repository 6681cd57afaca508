import { Logger } from '@nestjs/common';
import { StatementTimeoutError } from '../../common/errors/database-unavailable.js';
import type { MysqlSettings } from '../../config/settings/database-url.js';
import type { Reader } from '../database.js';
import type { MysqlConnection } from './mysql-connection.js';
import { countsOf, FailoverHost, type HostPolicy } from './mysql-host.js';
import type { PoolLimits } from './mysql-pool.js';

/** Servers that follow the database at some distance. */
export class MysqlReplicas {
  private readonly logger = new Logger('Database');
  private readonly hosts: readonly FailoverHost[];
  private last = 0;

  constructor(replicas: readonly MysqlSettings[], limits: PoolLimits) {
    const care: HostPolicy = { isFit: answers, onUnresponsive: passOver };
    this.hosts = replicas.flatMap((settings) =>
      settings.hosts.map(
        (address) => new FailoverHost(settings, address, limits, care, this.logger),
      ),
    );
  }

  get counts(): Readonly<Record<string, number>> {
    return countsOf(this.hosts);
  }

  /**
   * Reads from the next replica in turn that is well and recent enough. Question and work share a
   * connection, so that both are asked of one server whatever stands behind its address.
   * @returns null where no replica is
   * @throws StatementTimeoutError where the work itself takes too long, which it would elsewhere, too
   */
  async read<Result>(
    isRecent: (reader: Reader) => Promise<boolean>,
    work: (reader: Reader) => Promise<Result>,
  ): Promise<{ readonly result: Result } | null> {
    this.last += 1;
    for (let tried = 0; tried < this.hosts.length; tried += 1) {
      const host = this.hosts[(this.last + tried) % this.hosts.length];
      if (host?.isWell !== true) continue;
      try {
        const read = await host.pool.withConnection(async (connection) => {
          const reader = oneAfterAnother(connection);
          return (await isRecent(reader)) ? { result: await work(reader) } : null;
        });
        if (read !== null) return read;
      } catch (error) {
        if (error instanceof StatementTimeoutError) throw error;
        passOver(host, error);
      }
    }
    return null;
  }

  async close(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.close()));
  }
}

function passOver(host: FailoverHost, reason: unknown): void {
  host.passOver(reason, 'its reads are done elsewhere');
}

/** A connection does one thing at a time: what is asked meanwhile waits, and fails with what failed. */
function oneAfterAnother(connection: MysqlConnection): Reader {
  let last: Promise<unknown> = Promise.resolve();
  const next = <Row>(read: () => Promise<Row[]>) => {
    const rows = last.then(read);
    last = rows;
    return rows;
  };
  return {
    select: (sql, values) => next(() => connection.select(sql, values)),
  };
}

async function answers(connection: MysqlConnection): Promise<boolean> {
  await connection.select('SELECT MAX(last_arrival) FROM ledger_arrivals', []);
  return true;
}
