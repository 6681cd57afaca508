import { createPool, type Pool, type PoolConnection } from 'mysql2';
import { isError } from '../../common/errors/is-error.js';
import {
  DatabaseUnavailableError,
  DatabaseTimeoutError,
  DatabaseUnreachableError,
} from '../../common/errors/database-unavailable.js';
import type { MysqlHost, MysqlSettings } from '../../config/settings/database-url.js';
import { startTimer } from '../../common/start-timer.js';
import { MysqlConnection } from './mysql-connection.js';

/** How long making a connection may take. */
const CONNECT_MS = 1_000;
/** Who comes when so many wait already would wait in vain. */
const MOST_WAITING_A_CONNECTION = 50;
/** The least that servers know; a transaction that waited for so long is begun anew. */
const LOCK_WAIT_SECONDS = 1;

export interface PoolLimits {
  readonly connections: number;
  /** What the server allows a statement; null where there is no limit, and no haste either. */
  readonly statementMs: number | null;
  /** How long one may wait for a connection. */
  readonly patienceMs: number;
}

/** Lends connections: of one server, or of whichever of a cluster is well. */
export interface ConnectionProvider {
  /**
   * Lends one connection to `work`.
   * @throws DatabaseUnavailableError where none is to be had in time
   */
  withConnection<Result>(work: (connection: MysqlConnection) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** The connections to one server of MySQL or MariaDB that the service shares out. */
export class MysqlPool implements ConnectionProvider {
  private readonly pool: Pool;
  private readonly known = new WeakMap<PoolConnection, MysqlConnection>();
  /** Lent, or being made ready to be. */
  private readonly inUse = new Set<MysqlConnection>();
  /** Who waits for a connection, to be told that there will be none. */
  private readonly waiting = new Set<(error: Error) => void>();
  /** How many connections are lent, and how many who want one wait. */
  readonly usage = { busy: 0, waiting: 0 };
  /** Since then a connection has to prove itself, by `performance.now()`. */
  private doubtedAt = 0;
  /** When somebody last waited for a connection in vain. */
  private lastInVainAt = -Infinity;

  /** @param connectMs how long making a connection may take */
  constructor(
    { user, password, database, tls }: MysqlSettings,
    { host, port }: MysqlHost,
    private readonly limits: PoolLimits,
    connectMs = CONNECT_MS,
  ) {
    this.pool = createPool({
      ...{ host, port, user, password, database },
      ...tls,
      charset: 'utf8mb4',
      // Dates stay the text they are and whole numbers become numbers: no zone, no rounding.
      dateStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: false,
      rowsAsArray: true,
      connectionLimit: limits.connections,
      connectTimeout: connectMs,
    });
  }

  async withConnection<Result>(
    work: (connection: MysqlConnection) => Promise<Result>,
  ): Promise<Result> {
    if (this.isCrowded()) {
      throw new DatabaseUnavailableError('Too many wait for a connection to the database.');
    }
    this.usage.waiting += 1;
    const connection = await this.acquire().finally(() => (this.usage.waiting -= 1));
    this.usage.busy += 1;
    this.inUse.add(connection);
    try {
      return await work(connection);
    } catch (error) {
      // The silence of one is a reason to doubt all that were not heard of since.
      if (error instanceof DatabaseTimeoutError) this.doubt();
      throw error;
    } finally {
      this.usage.busy -= 1;
      this.inUse.delete(connection);
      connection.release();
    }
  }

  /** Every connection has to prove itself: what was idle until now is not used again. */
  doubt(): void {
    this.doubtedAt = performance.now();
  }

  /** Nobody waits for a connection any longer. */
  turnAway(reason: unknown): void {
    for (const refuse of this.waiting) refuse(new DatabaseUnreachableError(reason));
  }

  /** Nobody waits for an answer any longer: the server is not there. */
  abandon(): void {
    for (const connection of this.inUse) connection.abandon();
  }

  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pool.end((error: unknown) => {
        if (isError(error)) reject(error);
        else resolve();
      });
    });
  }

  /**
   * True where whoever joins the queue would wait in vain, to be told so at once: a request needs one
   * connection after another, and is to be told in time that there is none.
   */
  private isCrowded(): boolean {
    const { busy, waiting } = this.usage;
    const { connections, patienceMs } = this.limits;
    if (busy + waiting < connections) return false;
    if (waiting >= MOST_WAITING_A_CONNECTION * connections) return true;
    return waiting > 0 && performance.now() - this.lastInVainAt < patienceMs;
  }

  private async acquire(): Promise<MysqlConnection> {
    for (;;) {
      const raw = await this.free();
      const connection = this.known.get(raw) ?? (await this.prepared(raw));
      if (connection.answeredAt >= this.doubtedAt) return connection;
      connection.discard();
    }
  }

  private free(): Promise<PoolConnection> {
    return new Promise((resolve, reject) => {
      let late = false;
      const refuse = (error: Error) => {
        late = true;
        end();
        reject(error);
      };
      const limit = startTimer(this.limits.patienceMs, () => {
        this.lastInVainAt = performance.now();
        refuse(new DatabaseUnavailableError('No connection to the database was free in time.'));
      });
      const end = () => {
        limit.cancel();
        this.waiting.delete(refuse);
      };
      this.waiting.add(refuse);
      this.pool.getConnection((error, connection) => {
        end();
        if (error !== null) reject(new DatabaseUnreachableError(error));
        else if (late) connection.release();
        else resolve(connection);
      });
    });
  }

  /** Makes a new connection what every transaction counts on. */
  private async prepared(raw: PoolConnection): Promise<MysqlConnection> {
    const { statementMs } = this.limits;
    const connection = new MysqlConnection(raw, statementMs);
    this.inUse.add(connection);
    try {
      // Each statement sees what is committed by then, above all after the wait for a lock.
      await connection.command('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
      if (statementMs !== null) await connection.command(sessionLimits(statementMs));
      // A node of Galera first applies what the others have committed by then.
      if (await isOfGalera(connection)) await connection.command('SET SESSION wsrep_sync_wait = 1');
    } catch (error) {
      connection.discard();
      throw error;
    } finally {
      this.inUse.delete(connection);
    }
    this.known.set(raw, connection);
    return connection;
  }
}

async function isOfGalera(connection: MysqlConnection): Promise<boolean> {
  const [row] = await connection.command<[string, string]>("SHOW VARIABLES LIKE 'wsrep_on'");
  return row?.[1] === 'ON';
}

/** MariaDB and MySQL name the limit of a statement differently; the other's part is a comment to each. */
function sessionLimits(statementMs: number): string {
  return `SET SESSION innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}
    /*M!100101 , max_statement_time = ${statementMs / 1000} */
    /*!80000 , max_execution_time = ${statementMs} */`;
}
