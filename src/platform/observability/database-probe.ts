import { realpath, rm, writeFile } from 'node:fs/promises';
import SqliteConnection from 'better-sqlite3';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { codeOf } from '../errors/is-error.js';
import type {
  DatabaseSettings,
  MysqlHost,
  MysqlSettings,
} from '../../config/settings/database-url.js';
import { retryWhileBusy } from '../database/sqlite/sqlite-busy.js';

const ANSWER_MS = 1_000;
/**
 * Connection time limit if there are several hosts: the whole probe must take less than 2 s, even
 * after a connection that does not respond.
 */
const CONNECT_TO_SEVERAL_MS = 500;
/** Time for which a result is reused. */
const CACHE_MS = 500;

interface ProbeResult {
  readonly answers: boolean;
  /**
   * Error code of the driver or the operating system, if the database does not answer or cannot be
   * written.
   */
  readonly fault: string | null;
  /** Number of transactions ever imported, or null if it could not be read. */
  readonly arrivals: number | null;
}

/** Content of the test file, larger than a small transaction. */
const TEST_BYTES = Buffer.alloc(65_536);
const ARRIVALS = 'SELECT CAST(SUM(last_arrival) AS SIGNED) FROM ledger_revisions';

/** Queries the database on a separate connection, so that it works while the pool is busy. */
export class DatabaseProbe {
  private connection: Connection | null = null;
  private latest: { readonly at: number; readonly result: ProbeResult } | null = null;
  private pending: Promise<ProbeResult> | null = null;

  constructor(private readonly settings: DatabaseSettings) {}

  /** Returns a result; concurrent callers share one query. */
  async probe(): Promise<ProbeResult> {
    if (this.latest !== null && performance.now() - this.latest.at < CACHE_MS) {
      return this.latest.result;
    }
    this.pending ??= this.query().finally(() => (this.pending = null));
    return this.pending;
  }

  close(): void {
    this.connection?.destroy();
    this.connection = null;
  }

  private async query(): Promise<ProbeResult> {
    const { settings } = this;
    const arrivals =
      settings.dialect === 'sqlite' ? querySqlite(settings.path) : this.queryMysql(settings);
    const result = await arrivals.then(
      (arrivals) => ({ answers: true, fault: null, arrivals }),
      (error: unknown) => ({ answers: false, fault: codeOf(error) ?? null, arrivals: null }),
    );
    this.latest = { at: performance.now(), result };
    return result;
  }

  /**
   * Queries the host that answered last, and all hosts at once if that fails. The first answer
   * counts.
   */
  private async queryMysql(settings: MysqlSettings): Promise<number> {
    if (this.connection !== null) {
      try {
        return await queryArrivals(this.connection);
      } catch (error) {
        this.close();
        if (settings.hosts.length === 1) throw error;
      }
    }
    return Promise.any(settings.hosts.map((host) => this.queryHost(settings, host)));
  }

  private async queryHost(
    { hosts, user, password, database, tls }: MysqlSettings,
    host: MysqlHost,
  ): Promise<number> {
    const connectTimeout = hosts.length === 1 ? ANSWER_MS : CONNECT_TO_SEVERAL_MS;
    const address = { ...host, user, password, database, ...tls };
    const connection = await createConnection({ ...address, connectTimeout });
    // The next query notices a lost connection.
    connection.on('error', () => undefined);
    try {
      const arrivals = await queryArrivals(connection);
      if (this.connection === null) this.connection = connection;
      else connection.destroy();
      return arrivals;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }
}

async function queryArrivals(connection: Connection): Promise<number> {
  const query = { sql: ARRIVALS, rowsAsArray: true, timeout: ANSWER_MS };
  const [rows] = await connection.query<RowDataPacket[][]>(query);
  return numberIn(rows);
}

/** Queries a SQLite database. It also writes a file in the same folder, to notice a full disk. */
async function querySqlite(path: string): Promise<number> {
  const file = `${await realpath(path)}-probe`;
  await writeFile(file, TEST_BYTES);
  await rm(file, { force: true });
  const options = { readonly: true, fileMustExist: true, timeout: 0 };
  const connection = new SqliteConnection(path, options);
  try {
    const read = () => numberIn(connection.prepare(ARRIVALS).raw().all());
    return await retryWhileBusy(read, ANSWER_MS);
  } finally {
    connection.close();
  }
}

/** Returns the number in a one-row result; 0 if nothing was imported yet. */
function numberIn(rows: readonly unknown[]): number {
  const [row] = rows;
  return Array.isArray(row) && typeof row[0] === 'number' ? row[0] : 0;
}
