import { createConnection, type Connection } from 'mysql2/promise';
import { findServer } from '../../../scripts/throwaway-mysql.mjs';
import { OwnDatabase } from './own-database.js';

/**
 * Returns true if the server is MariaDB, because the statements that set up replication are
 * MariaDB's.
 */
export function hasMariaDb(): boolean {
  return findServer()?.endsWith('mariadbd') ?? false;
}

/** A database and a replica of it, each a real server behind a proxy of its own. */
export class ReplicatedDatabase {
  private constructor(
    readonly primary: OwnDatabase,
    readonly replica: OwnDatabase,
    /** Direct connection to the replica. */
    readonly onReplica: Connection,
  ) {}

  static async start(): Promise<ReplicatedDatabase> {
    const primary = await OwnDatabase.start(['--server-id=1', '--log-bin=changes']);
    const replica = await OwnDatabase.start(['--server-id=2']);
    const onReplica = await createConnection(replica.directUrl);
    const { hostname, port, username, password } = new URL(primary.directUrl);
    // The replica receives the database from the primary.
    await onReplica.query('DROP DATABASE faults');
    await onReplica.query(
      `CHANGE MASTER TO MASTER_HOST = '${hostname}', MASTER_PORT = ${port}, MASTER_USER = '${username}',
        MASTER_PASSWORD = '${password}', MASTER_CONNECT_RETRY = 1, MASTER_USE_GTID = slave_pos`,
    );
    await onReplica.query('START SLAVE');
    return new ReplicatedDatabase(primary, replica, onReplica);
  }

  /** Stops the replica from applying changes, so that it falls behind. */
  async holdBack(): Promise<void> {
    await this.onReplica.query('STOP SLAVE SQL_THREAD');
  }

  async letGo(): Promise<void> {
    await this.onReplica.query('START SLAVE SQL_THREAD');
  }

  /** Waits until the replica has applied everything that the primary has committed so far. */
  async inStep(): Promise<void> {
    const onPrimary = await createConnection(this.primary.directUrl);
    const [[position]] = (await onPrimary.query({
      sql: 'SELECT @@gtid_binlog_pos',
      rowsAsArray: true,
    })) as unknown as [[[string]]];
    await onPrimary.end();
    await this.onReplica.query('SELECT MASTER_GTID_WAIT(?, 30)', position);
  }

  async end(): Promise<void> {
    this.onReplica.destroy();
    await this.replica.end();
    await this.primary.end();
  }
}
