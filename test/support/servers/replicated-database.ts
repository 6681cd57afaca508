import { createConnection, type Connection } from 'mysql2/promise';
import { findServer } from '../../../scripts/throwaway-mysql.mjs';
import { OwnDatabase } from './own-database.js';

/** Replication is set up in MariaDB's words. */
export function hasMariaDb(): boolean {
  return findServer()?.endsWith('mariadbd') ?? false;
}

/** A database and a server that follows it, each real and behind a network of its own. */
export class ReplicatedDatabase {
  private constructor(
    readonly primary: OwnDatabase,
    readonly replica: OwnDatabase,
    /** Straight to the replica. */
    readonly onReplica: Connection,
  ) {}

  static async start(): Promise<ReplicatedDatabase> {
    const primary = await OwnDatabase.start(['--server-id=1', '--log-bin=changes']);
    const replica = await OwnDatabase.start(['--server-id=2']);
    const onReplica = await createConnection(replica.directUrl);
    const { hostname, port, username, password } = new URL(primary.directUrl);
    // It comes from the primary, with everything else.
    await onReplica.query('DROP DATABASE faults');
    await onReplica.query(
      `CHANGE MASTER TO MASTER_HOST = '${hostname}', MASTER_PORT = ${port}, MASTER_USER = '${username}',
        MASTER_PASSWORD = '${password}', MASTER_CONNECT_RETRY = 1, MASTER_USE_GTID = slave_pos`,
    );
    await onReplica.query('START SLAVE');
    return new ReplicatedDatabase(primary, replica, onReplica);
  }

  /** The replica stops doing what it is sent, and falls behind. */
  async holdBack(): Promise<void> {
    await this.onReplica.query('STOP SLAVE SQL_THREAD');
  }

  async letGo(): Promise<void> {
    await this.onReplica.query('START SLAVE SQL_THREAD');
  }

  /** Waits until the replica has all that the primary has committed by now. */
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
