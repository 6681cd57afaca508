import { LRUCache } from 'lru-cache';
import type {
  FieldPacket,
  PoolConnection,
  PrepareStatementInfo,
  QueryError,
  ResultSetHeader,
  RowDataPacket,
} from 'mysql2';
import {
  DatabaseLostError,
  DatabaseTimeoutError,
  StatementTimeoutError,
  NodeNotWritableError,
} from '../../common/errors/database-unavailable.js';
import { startTimer } from '../../common/start-timer.js';
import type { SqlRow, SqlValue } from '../database.js';
import { namedRows } from '../named-rows.js';

/** Kept far below the server's limit of prepared statements, which all connections share. */
const PREPARED_STATEMENTS = 200;
/** How much longer than the server's own limit an answer may take before it is taken for lost. */
const GRACE_MS = 200;

type Callback<Result> = (error: QueryError | null, result: Result) => void;
type Results = RowDataPacket[][] | ResultSetHeader;

interface Executed<Result> {
  readonly result: Result;
  readonly columns: readonly FieldPacket[];
}

/** A connection with the statements that it has prepared. It does one thing at a time. */
export class MysqlConnection {
  /** When the server last answered on it, by `performance.now()`. */
  answeredAt = performance.now();
  /** Ends the wait for the answer that is under way, if there is one. */
  private giveUp: (error: Error) => void = () => undefined;
  private isInTransaction = false;
  private readonly prepared: LRUCache<string, PrepareStatementInfo>;

  /** @param statementMs what the server allows a statement; null where there is no limit */
  constructor(
    private readonly connection: PoolConnection,
    private readonly statementMs: number | null,
  ) {
    this.prepared = new LRUCache({
      max: PREPARED_STATEMENTS,
      disposeAfter: (_, sql) => connection.unprepare(sql),
    });
    // The loss of an idle connection is told to nobody but the pool, which then forgets it.
    connection.on('error', () => undefined);
  }

  /** Runs one of the few statements that can not be prepared, or are not worth it. */
  command<Row extends SqlRow>(sql: string): Promise<Row[]> {
    return this.answer<unknown>((done) => this.connection.query(sql, done)) as Promise<Row[]>;
  }

  async select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    const { result, columns } = await this.execute<RowDataPacket[][]>(sql, values);
    return namedRows<Row>(sql, result as unknown as SqlRow[], () => columns);
  }

  async run(sql: string, values: readonly SqlValue[]): Promise<number> {
    return (await this.execute<ResultSetHeader>(sql, values)).result.affectedRows;
  }

  /** @returns rows as objects, or what the statement wrote */
  async query(sql: string, values: readonly SqlValue[]): Promise<unknown> {
    const { result, columns } = await this.execute<Results>(sql, values);
    return Array.isArray(result)
      ? namedRows<object>(sql, result as unknown as SqlRow[], () => columns)
      : result;
  }

  async begin(): Promise<void> {
    await this.command('START TRANSACTION');
    this.isInTransaction = true;
  }

  async end(how: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await this.command(how);
    this.isInTransaction = false;
  }

  /** Gives it back to the pool. */
  release(): void {
    this.connection.release();
  }

  /** Closes it: its state is unknown. */
  discard(): void {
    this.connection.destroy();
  }

  /** Closes it where nobody is there any more to answer; whoever waits for that is told. */
  abandon(): void {
    this.discard();
    this.giveUp(new DatabaseLostError(new Error('the server has fallen silent')));
  }

  private execute<Result extends Results>(
    sql: string,
    values: readonly SqlValue[],
  ): Promise<Executed<Result>> {
    const statement = this.prepared.get(sql);
    return this.answer<Executed<Result>>((done) => {
      if (statement === undefined) this.prepareAndExecute(sql, values, done);
      else executePrepared(statement, values, done);
    });
  }

  private prepareAndExecute<Result extends Results>(
    sql: string,
    values: readonly SqlValue[],
    done: Callback<Executed<Result>>,
  ): void {
    this.connection.prepare(sql, (error, statement) => {
      if (error !== null) {
        done(error, undefined as never);
        return;
      }
      this.prepared.set(sql, statement);
      executePrepared(statement, values, done);
    });
  }

  /**
   * @throws DatabaseTimeoutError where the answer does not come in time; the connection is then closed
   * @throws DatabaseLostError where the connection is lost before it comes
   */
  private answer<Result>(ask: (done: Callback<Result>) => void): Promise<Result> {
    return new Promise((resolve, reject) => {
      const limit =
        this.statementMs === null
          ? undefined
          : startTimer(this.statementMs + GRACE_MS, () => {
              this.discard();
              reject(new DatabaseTimeoutError());
            });
      this.giveUp = (error) => {
        limit?.cancel();
        reject(error);
      };
      ask((error, result) => {
        limit?.cancel();
        if (error === null) {
          this.answeredAt = performance.now();
          resolve(result);
        } else reject(mapDriverError(error, this.isInTransaction));
      });
    });
  }
}

function executePrepared<Result extends Results>(
  statement: PrepareStatementInfo,
  values: readonly SqlValue[],
  done: Callback<Executed<Result>>,
): void {
  statement.execute<Result>([...values], (error, result, columns) => {
    done(error, { result, columns });
  });
}

/** ER_STATEMENT_TIMEOUT of MariaDB and ER_QUERY_TIMEOUT of MySQL, for which the driver has no names. */
const ENDED_BY_THE_SERVER = new Set([1969, 3024]);

/**
 * ER_UNKNOWN_COM_ERROR of a node that has lost its cluster, and ER_OPTION_PREVENTS_STATEMENT and
 * ER_READ_ONLY_MODE of a server that can only be read.
 */
const UNFIT = new Set([1047, 1290, 1836]);

/**
 * ER_LOCK_WAIT_TIMEOUT: what is only read waits for no lock, but on a node of Galera for what the others
 * have committed, and is told this where the node has lost them.
 */
const WAITED_IN_VAIN = 1205;

/** What an error of the driver means for whoever asked, in a transaction or for a single answer. */
export function mapDriverError(
  error: NodeJS.ErrnoException & { readonly fatal?: boolean },
  isInTransaction = false,
): Error {
  if (error.fatal === true) return new DatabaseLostError(error);
  const number = error.errno ?? 0;
  if (UNFIT.has(number)) return new NodeNotWritableError(error);
  if (number === WAITED_IN_VAIN && !isInTransaction) return new NodeNotWritableError(error);
  return ENDED_BY_THE_SERVER.has(number) ? new StatementTimeoutError(error) : error;
}
