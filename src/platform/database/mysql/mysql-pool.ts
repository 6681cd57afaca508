import type { Work } from '../database.js';
import { createPool, type Pool, type PoolConnection, type Connection } from 'mysql2';
import {
  DatabaseUnavailableError,
  DatabaseTimeoutError,
  DatabaseUnreachableError,
  NodeNotWritableError,
  UnknownOutcomeError,
} from '../../errors/database-unavailable.js';
import type { MysqlHost, MysqlSettings } from '../../../config/settings/database-url.js';
import { startTimer } from '../../observability/start-timer.js';
import { MysqlConnection } from './mysql-connection.js';

/** The minimum that servers support. A transaction that exceeds it is repeated. */
const LOCK_WAIT_SECONDS = 1;
const ALL_ROWS = '18446744073709551615';

/**
 * Returns statements that set everything a session can set for itself: a server may have other
 * defaults, or ignore the character set that the driver requests. Each server runs only its own
 * conditional comment.
 * @param statementMs the time limit of a statement and of a wait for a lock; null for commands,
 *   which have none
 */
function sessionSettings(statementMs: number | null): readonly string[] {
  const lockWait = statementMs === null ? '' : `, innodb_lock_wait_timeout = ${LOCK_WAIT_SECONDS}`;
  const limitMs = statementMs ?? 0;
  return [
    `SET SESSION sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
      character_set_client = utf8mb4, character_set_connection = utf8mb4, character_set_results = utf8mb4,
      autocommit = 1, completion_type = 0, foreign_key_checks = 1, unique_checks = 1, sql_auto_is_null = 0,
      sql_safe_updates = 0, sql_big_selects = 1, sql_select_limit = ${ALL_ROWS}, div_precision_increment = 4,
      time_zone = '+00:00'${lockWait}
      /*M!100101 , max_statement_time = ${limitMs / 1000}, default_regex_flags = '' */
      /*!80000 , max_execution_time = ${limitMs} */`,
    // A statement must see what was committed while it waited for a lock.
    'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ WRITE',
  ];
}

/**
 * Migrations change tables in ways that need a copy. A version without the variable rejects this
 * statement, which changes nothing.
 */
const ALTER_ANYHOW = "/*M!100307 SET SESSION alter_algorithm = 'DEFAULT' */";

/**
 * Applies the settings to a new connection of a command or a migration. Statements that are sent
 * later run after them.
 */
export function setSession(connection: Connection): void {
  for (const sql of [...sessionSettings(null), ALTER_ANYHOW]) {
    // If the connection is lost, the next statement fails, too.
    connection.query(sql, () => undefined);
  }
}

const CONNECT_MS = 1_000;
/** Maximum number of prepared statements of a connection. */
const MAX_PREPARED_STATEMENTS = 200;
const MIN_PREPARED_STATEMENTS = 10;
/** Value assumed if the server has no such variable: the default of MySQL and MariaDB. */
const UNKNOWN_LIMIT = '16382';
/** Maximum queue length per connection; further callers are rejected. */
const MAX_WAITING_PER_CONNECTION = 50;
/**
 * Milliseconds between two times at which all idle connections are closed because a server can only
 * be read.
 */
const LEFT_INTERVAL_MS = 1_000;

export interface PoolLimits {
  readonly connections: number;
  /** The number of processes that have a pool of this size each. */
  readonly processes: number;
  /** The time limit of a statement; null for none. */
  readonly statementMs: number | null;
  /** Milliseconds that a caller may wait for a connection. */
  readonly maxWaitMs: number;
}

/** Provides connections of a single server, or of the current host of a cluster. */
export interface ConnectionProvider {
  /**
   * Runs work on a free connection.
   * @throws DatabaseUnavailableError if there is no connection in time
   */
  withConnection<Result>(work: Work<MysqlConnection, Result>): Promise<Result>;
  /** Numbers of connections in use, and of callers that wait for one. */
  readonly usage: { readonly busy: number; readonly waiting: number };
  close(): Promise<void>;
}

/** Manages the connections to one server of MySQL or MariaDB. */
export class MysqlPool implements ConnectionProvider {
  private readonly pool: Pool;
  private readonly known = new WeakMap<PoolConnection, MysqlConnection>();
  /** Connections in use, including those that are being initialised. */
  private readonly inUse = new Set<MysqlConnection>();
  /** Functions that each reject a waiting caller. */
  private readonly waiting = new Set<(error: Error) => void>();
  readonly usage = { busy: 0, waiting: 0 };
  /** Connections without a response since this time are discarded. By `performance.now()`. */
  private validSince = 0;
  /** Time at which a caller last timed out waiting for a connection, by `performance.now()`. */
  private lastTimeoutAt = -Infinity;

  constructor(
    { user, password, database, tls }: MysqlSettings,
    { host, port }: MysqlHost,
    private readonly limits: PoolLimits,
    connectMs = CONNECT_MS,
  ) {
    this.pool = createPool({
      host,
      port,
      user,
      password,
      database,
      ...tls,
      charset: 'utf8mb4',
      // Dates stay text and integers become numbers, so there are no time zones and no rounding.
      dateStrings: true,
      supportBigNumbers: true,
      bigNumberStrings: false,
      rowsAsArray: true,
      connectionLimit: limits.connections,
      connectTimeout: connectMs,
    });
  }

  async withConnection<Result>(work: Work<MysqlConnection, Result>): Promise<Result> {
    if (this.isQueueFull()) {
      throw new DatabaseUnavailableError('Too many requests wait for a database connection.');
    }
    this.usage.waiting += 1;
    const connection = await this.acquire().finally(() => (this.usage.waiting -= 1));
    this.usage.busy += 1;
    this.inUse.add(connection);
    try {
      return await work(connection);
    } catch (error) {
      this.leave(connection, error);
      throw error;
    } finally {
      this.usage.busy -= 1;
      this.inUse.delete(connection);
      connection.release();
    }
  }

  /** Makes connections that are idle now unusable. */
  discardIdle(): void {
    this.validSince = performance.now();
  }

  rejectWaiting(reason: unknown): void {
    for (const reject of this.waiting) reject(new DatabaseUnreachableError(reason));
  }

  /** Rejects all pending statements, because the server is dead. */
  abandon(): void {
    for (const connection of this.inUse) connection.abandon();
  }

  close(): Promise<void> {
    return this.pool.promise().end();
  }

  /**
   * Closes a connection on which the next statement would fail as well, so that a new one may reach
   * another server.
   */
  private leave(connection: MysqlConnection, error: unknown): void {
    // The other connections may be dead, too.
    if (error instanceof DatabaseTimeoutError) this.discardIdle();
    if (!saysNotWritable(error)) return;
    connection.discard();
    // While no server can be written, readers keep the connections that they have made since.
    if (performance.now() - this.validSince > LEFT_INTERVAL_MS) this.discardIdle();
  }

  /** Returns true if a caller is rejected immediately, since it would most likely time out. */
  private isQueueFull(): boolean {
    const { busy, waiting } = this.usage;
    const { connections, maxWaitMs } = this.limits;
    if (busy + waiting < connections) return false;
    if (waiting >= MAX_WAITING_PER_CONNECTION * connections) return true;
    return waiting > 0 && performance.now() - this.lastTimeoutAt < maxWaitMs;
  }

  private async acquire(): Promise<MysqlConnection> {
    for (;;) {
      const raw = await this.nextFree();
      const connection = this.known.get(raw) ?? (await this.initialised(raw));
      if (connection.answeredAt >= this.validSince) return connection;
      connection.discard();
    }
  }

  private nextFree(): Promise<PoolConnection> {
    return new Promise((resolve, reject) => {
      let isTooLate = false;
      const fail = (error: Error) => {
        isTooLate = true;
        settle();
        reject(error);
      };
      const timer = startTimer(this.limits.maxWaitMs, () => {
        this.lastTimeoutAt = performance.now();
        fail(new DatabaseUnavailableError('No database connection was free in time.'));
      });
      const settle = () => {
        timer.cancel();
        this.waiting.delete(fail);
      };
      this.waiting.add(fail);
      this.pool.getConnection((error, connection) => {
        settle();
        if (error !== null) reject(new DatabaseUnreachableError(error));
        else if (isTooLate) connection.release();
        else resolve(connection);
      });
    });
  }

  private async initialised(raw: PoolConnection): Promise<MysqlConnection> {
    const { statementMs } = this.limits;
    const connection = new MysqlConnection(raw, statementMs);
    this.inUse.add(connection);
    try {
      for (const sql of sessionSettings(statementMs)) await connection.command(sql);
      const variables = await serverVariables(connection);
      if (variables.get('wsrep_on') === 'ON') await connection.joinGalera();
      const allowed = Number(variables.get('max_prepared_stmt_count') ?? UNKNOWN_LIMIT);
      connection.prepareUpTo(preparedPerConnection(allowed, this.limits));
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

async function serverVariables(connection: MysqlConnection): Promise<ReadonlyMap<string, string>> {
  const rows = await connection.command<[string, string]>(
    "SHOW VARIABLES WHERE Variable_name IN ('wsrep_on', 'max_prepared_stmt_count')",
  );
  return new Map(rows);
}

/**
 * Returns the number of prepared statements of a connection. Half of the server's limit is left for
 * other instances, and for commands.
 */
function preparedPerConnection(allowed: number, { connections, processes }: PoolLimits): number {
  const share = Math.floor(allowed / 2 / (connections * processes));
  return Math.min(MAX_PREPARED_STATEMENTS, Math.max(MIN_PREPARED_STATEMENTS, share));
}

/** Returns true if the error says that the server can only be read, also at a commit. */
function saysNotWritable(error: unknown): boolean {
  if (error instanceof NodeNotWritableError) return true;
  return error instanceof UnknownOutcomeError && error.cause instanceof NodeNotWritableError;
}
