import { LRUCache } from 'lru-cache';
import type {
  FieldPacket,
  PoolConnection,
  PrepareStatementInfo,
  ResultSetHeader,
  RowDataPacket,
} from 'mysql2';
import {
  DatabaseLostError,
  DatabaseTimeoutError,
  StatementTimeoutError,
  NodeNotWritableError,
} from '../../errors/database-unavailable.js';
import { startTimer } from '../../observability/start-timer.js';
import type { SqlRow, SqlValue } from '../database.js';
import { shownSql } from '../extensions/statement-scope.js';
import { namedRows } from '../named-rows.js';
import { LostTransactionError } from '../retry.js';

/**
 * ER_MAX_PREPARED_STMT_COUNT_REACHED. All connections of all clients share the limit of the server.
 */
const NOT_PREPARED = 1461;
/**
 * Milliseconds for which a connection sends new statements as text after the server has refused to
 * prepare one.
 */
const AS_TEXT_MS = 60_000;
/** Milliseconds added to the server's own time limit, after which a response is considered lost. */
const GRACE_MS = 200;

/** Flag of a response which says that a transaction is in progress. */
const SERVER_STATUS_IN_TRANS = 1;

type Results = RowDataPacket[][] | ResultSetHeader;

interface Answer<Result> {
  readonly result: Result;
  readonly columns: readonly FieldPacket[];
}

type Answered<Result> = (
  error: NodeJS.ErrnoException | null,
  result: Result,
  columns: readonly FieldPacket[],
) => void;

/** Runs statements on a connection, one after another, and keeps its prepared statements. */
export class MysqlConnection {
  /** Time of the server's last response, by `performance.now()`. */
  answeredAt = performance.now();
  /** Rejects the pending statement, if any. */
  private giveUp: (error: Error) => void = () => undefined;
  private isInTransaction = false;
  private isBusy = false;
  /** Statements that wait for the one that is running, oldest first. */
  private readonly waiting: {
    readonly start: () => void;
    readonly fail: (error: Error) => void;
  }[] = [];
  private isOnGalera = false;
  private prepared: LRUCache<string, PrepareStatementInfo> | null = null;
  /** Time until which new statements are sent as text, by `performance.now()`. */
  private asTextUntil = -Infinity;

  /**
   * Wraps a connection of a pool.
   * @param statementMs the time limit of a statement; null for none
   */
  constructor(
    private readonly connection: PoolConnection,
    private readonly statementMs: number | null,
  ) {
    // The pool itself removes an idle connection that is lost.
    connection.on('error', () => undefined);
  }

  /** Prepares statements from now on, and keeps at most `max` of them. */
  prepareUpTo(max: number): void {
    const disposeAfter = (_: PrepareStatementInfo, sql: string) => this.connection.unprepare(sql);
    this.prepared = new LRUCache({ max, disposeAfter });
  }

  /** Runs a statement that cannot be prepared, or is not worth it. */
  async command<Row extends SqlRow>(sql: string): Promise<Row[]> {
    const { result } = await this.answer<unknown>((done) => this.connection.query(sql, done));
    return result as Row[];
  }

  async select<Row extends object>(given: string, values: readonly SqlValue[]): Promise<Row[]> {
    const sql = shownSql(given);
    const { result, columns } = await this.execute<RowDataPacket[][]>(sql, values);
    return namedRows<Row>(sql, result as unknown as SqlRow[], () => columns);
  }

  async run(sql: string, values: readonly SqlValue[]): Promise<number> {
    return (await this.execute<ResultSetHeader>(shownSql(sql), values)).result.affectedRows;
  }

  /**
   * Runs a statement of any kind.
   * @returns rows as objects, or the result of a write
   */
  async query(given: string, values: readonly SqlValue[]): Promise<unknown> {
    const sql = shownSql(given);
    const { result, columns } = await this.execute<Results>(sql, values);
    return Array.isArray(result)
      ? namedRows<object>(sql, result as unknown as SqlRow[], () => columns)
      : result;
  }

  /**
   * Prepares a connection to a node of a Galera cluster: each read first waits for the commits of
   * other nodes.
   */
  async joinGalera(): Promise<void> {
    await this.command('SET SESSION wsrep_sync_wait = 1');
    this.isOnGalera = true;
  }

  async begin(): Promise<void> {
    await this.command('START TRANSACTION');
    this.isInTransaction = true;
  }

  /**
   * Begins a transaction in which all statements see the current state until `end`. It only reads.
   */
  async beginSnapshot(): Promise<void> {
    await this.command('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await this.command('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
    this.isInTransaction = true;
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await this.command(how);
    this.isInTransaction = false;
  }

  release(): void {
    this.connection.release();
  }

  /** Closes the connection, because its state is unknown. */
  discard(): void {
    this.connection.destroy();
  }

  /** Closes the connection to a dead server, and rejects the pending statement. */
  abandon(): void {
    this.discard();
    this.giveUp(new DatabaseLostError(new Error('the server does not respond')));
  }

  private execute<Result extends Results>(
    sql: string,
    values: readonly SqlValue[],
  ): Promise<Answer<Result>> {
    const statement = this.prepared?.get(sql);
    const isText = this.prepared === null || performance.now() < this.asTextUntil;
    return this.answer<Result>((done) => {
      if (statement !== undefined) statement.execute<Result>([...values], done);
      else if (isText) this.connection.query<Result>(sql, [...values], done);
      else this.prepareAndExecute(sql, values, done);
    });
  }

  private prepareAndExecute<Result extends Results>(
    sql: string,
    values: readonly SqlValue[],
    done: Answered<Result>,
  ): void {
    this.connection.prepare(sql, (error, statement) => {
      if (error?.errno === NOT_PREPARED) {
        this.asTextUntil = performance.now() + AS_TEXT_MS;
        this.connection.query<Result>(sql, [...values], done);
        return;
      }
      if (error !== null) {
        done(error, undefined as never, []);
        return;
      }
      this.prepared?.set(sql, statement);
      this.checkTransaction((lost) => {
        if (lost === null) statement.execute<Result>([...values], done);
        else done(lost, undefined as never, []);
      });
    });
  }

  /**
   * Checks that the transaction still exists. A Galera node reports no error if it rolls back a
   * transaction, in favour of one of another node, while it prepares a SELECT of it. Each following
   * statement would then be committed on its own.
   */
  private checkTransaction(done: (lost: NodeJS.ErrnoException | null) => void): void {
    if (!this.isOnGalera || !this.isInTransaction) {
      done(null);
      return;
    }
    this.connection.query<ResultSetHeader>('DO 1', (error, result) => {
      if (error !== null) done(error);
      else if ((result.serverStatus & SERVER_STATUS_IN_TRANS) === 0)
        done(new LostTransactionError());
      else done(null);
    });
  }

  /**
   * Sends a statement and waits for the response.
   * @throws DatabaseTimeoutError if there is no response in time; the connection is then closed
   * @throws DatabaseLostError if the connection is lost
   */
  private answer<Result>(send: (done: Answered<Result>) => void): Promise<Answer<Result>> {
    return this.isBusy ? this.answerLater(send) : this.answerNow(send);
  }

  private async answerLater<Result>(
    send: (done: Answered<Result>) => void,
  ): Promise<Answer<Result>> {
    await new Promise<void>((start, fail) => {
      this.waiting.push({ start, fail });
    });
    return this.answerNow(send);
  }

  private answerNow<Result>(send: (done: Answered<Result>) => void): Promise<Answer<Result>> {
    this.isBusy = true;
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        timer?.cancel();
        reject(error);
        this.startNext(error);
      };
      const timer =
        this.statementMs === null
          ? undefined
          : startTimer(this.statementMs + GRACE_MS, () => {
              this.discard();
              fail(new DatabaseTimeoutError());
            });
      // `fail` is not written directly into the property: V8 would immediately allocate it as old,
      // and it would keep the rows of this statement in memory until the next full garbage
      // collection.
      this.giveUp = fail;
      send((error, result, columns) => {
        if (error !== null) {
          fail(mapDriverError(error, this.isInTransaction));
          return;
        }
        timer?.cancel();
        this.answeredAt = performance.now();
        resolve({ result, columns });
        this.startNext(null);
      });
    });
  }

  /**
   * Starts the next statement that waits. After an error, all of them fail: the server may have
   * rolled the transaction back, so they would take effect by themselves.
   */
  private startNext(error: Error | null): void {
    if (error !== null) for (const { fail } of this.waiting.splice(0)) fail(error);
    const next = this.waiting.shift();
    this.isBusy = next !== undefined;
    next?.start();
  }
}

/**
 * ER_STATEMENT_TIMEOUT of MariaDB and ER_QUERY_TIMEOUT of MySQL, for which the driver has no names.
 */
const STATEMENT_TIMEOUTS = new Set([1969, 3024]);

/**
 * Numbers of errors of a server that cannot be written: ER_UNKNOWN_COM_ERROR of a node that has
 * lost its cluster; ER_OPTION_PREVENTS_STATEMENT, ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION and
 * ER_READ_ONLY_MODE of a read-only server; ER_SERVER_SHUTDOWN and ER_SERVER_OFFLINE_MODE of a
 * server that is shutting down.
 */
const NOT_WRITABLE = new Set([1047, 1053, 1290, 1792, 1836, 3032]);

/**
 * ER_LOCK_WAIT_TIMEOUT. Reads take no locks, but on Galera they wait for the commits of other
 * nodes, and get this error if the node has lost its cluster.
 */
const LOCK_WAIT_TIMEOUT = 1205;

export function mapDriverError(
  error: NodeJS.ErrnoException & { readonly fatal?: boolean },
  isInTransaction = false,
): Error {
  if (error.fatal === true) return new DatabaseLostError(error);
  const number = error.errno ?? 0;
  if (NOT_WRITABLE.has(number)) return new NodeNotWritableError(error);
  if (number === LOCK_WAIT_TIMEOUT && !isInTransaction) return new NodeNotWritableError(error);
  return STATEMENT_TIMEOUTS.has(number) ? new StatementTimeoutError(error) : error;
}
