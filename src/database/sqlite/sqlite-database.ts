import { setTimeout as wait } from 'node:timers/promises';
import SqliteConnection from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { DataSource } from 'typeorm';
import type { DatabaseFailures } from '../database-failures.js';
import {
  Database,
  type InTransaction,
  type Session,
  type SqlRow,
  type SqlValue,
} from '../database.js';
import { SQLITE } from '../dialect.js';
import { namedRows } from '../named-rows.js';
import { retrying } from '../retry.js';
import { GAP_MS, onceFree } from './sqlite-busy.js';
import { TransactionEnd } from '../transaction-end.js';

/** For so long one process may write without a gap in which others come in. */
const LONGEST_TURN_MS = 200;
/** An INSERT has another text for each choice of columns that are NULL in all of its rows. */
const PREPARED_STATEMENTS = 500;

/**
 * SQLite has one connection that writes, one transaction at a time, and another that reads, so that
 * a reader never sees half a transaction. The file is in WAL mode: neither waits for the other. What
 * another process holds is waited for without blocking this one.
 */
export class SqliteDatabase extends Database {
  readonly dialect = SQLITE;
  private lastWrite: Promise<unknown> = Promise.resolve();
  /** For how long the file was held since the last gap. */
  private turnMs = 0;
  private heldUntil = 0;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly writer: Statements,
    private readonly reader: Statements,
    private readonly failures: DatabaseFailures,
    private readonly path: string,
  ) {
    super();
  }

  /** @param dataSource connected, its migrations applied */
  static async open(
    dataSource: DataSource,
    path: string,
    failures: DatabaseFailures,
  ): Promise<SqliteDatabase> {
    const connection: unknown = await dataSource.createQueryRunner().connect();
    if (!(connection instanceof SqliteConnection)) throw new Error('better-sqlite3 is expected');
    connection.pragma('busy_timeout = 0');
    const writes = new Statements(connection);
    return new SqliteDatabase(dataSource, writes, readerOf(path), failures, path);
  }

  select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.failures.noting(onceFree(() => this.reader.select<Row>(sql, values)));
  }

  rows<Row extends SqlRow>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.failures.noting(onceFree(() => this.reader.rows<Row>(sql, values)));
  }

  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const written = this.afterLastWrite(() => retrying(() => this.transaction(work)));
    return this.failures.noting(written);
  }

  async dryRun<Result>(
    table: string,
    work: (inTransaction: InTransaction) => Promise<Result>,
  ): Promise<Result> {
    const reader = readerOf(this.path);
    try {
      reader.execute(table);
      // The first read takes the moment that the others of the transaction see; no lock is asked for.
      return await work((part) => transactionOn(reader, 'BEGIN', part));
    } finally {
      reader.close();
    }
  }

  async close(): Promise<void> {
    await this.lastWrite;
    this.reader.close();
    await this.dataSource.destroy();
  }

  private afterLastWrite<Result>(write: () => Promise<Result>): Promise<Result> {
    const result = this.lastWrite.then(write);
    this.lastWrite = result.catch(() => undefined);
    return result;
  }

  private async transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    await this.leaveGap();
    let begun = 0;
    try {
      // IMMEDIATE takes the lock now: a transaction that reads first and writes later could not.
      return await transactionOn(this.writer, 'BEGIN IMMEDIATE', (session) => {
        begun = performance.now();
        return work(session);
      });
    } finally {
      this.heldUntil = performance.now();
      if (begun > 0) this.turnMs += this.heldUntil - begun;
    }
  }

  /** Another process tries only now and then: beside one that writes all the time it would not get in. */
  private async leaveGap(): Promise<void> {
    const wasFree = performance.now() - this.heldUntil > GAP_MS;
    if (!wasFree && this.turnMs < LONGEST_TURN_MS) return;
    if (!wasFree) await wait(GAP_MS);
    this.turnMs = 0;
  }
}

function readerOf(path: string): Statements {
  return new Statements(
    new SqliteConnection(path, { readonly: true, fileMustExist: true, timeout: 0 }),
  );
}

async function transactionOn<Result>(
  connection: Statements,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  await onceFree(() => {
    connection.execute(begin);
  });
  const ending = new TransactionEnd();
  try {
    const result = await work({
      dialect: SQLITE,
      select: (sql, values) => onceFree(() => connection.select(sql, values)),
      rows: (sql, values) => onceFree(() => connection.rows(sql, values)),
      run: (sql, values) => onceFree(() => connection.run(sql, values)),
      onEnd: ending.onEnd,
    });
    await onceFree(() => {
      connection.execute('COMMIT');
    });
    ending.tell('committed');
    return result;
  } catch (error) {
    connection.rollBack();
    throw error;
  }
}

/** A connection with the statements it has prepared lately. */
class Statements {
  private readonly prepared = new LRUCache<string, SqliteConnection.Statement<SqlValue[]>>({
    max: PREPARED_STATEMENTS,
  });

  constructor(private readonly connection: SqliteConnection.Database) {}

  select<Row extends object>(sql: string, values: readonly SqlValue[]): Row[] {
    return namedRows<Row>(sql, this.rows(sql, values), () => this.statement(sql).columns());
  }

  rows<Row extends SqlRow>(sql: string, values: readonly SqlValue[]): Row[] {
    // Rows come as arrays, see `statement`; of which types, only the caller's statement knows.
    return this.statement(sql).all(...values) as Row[];
  }

  run(sql: string, values: readonly SqlValue[]): number {
    return this.statement(sql).run(...values).changes;
  }

  execute(sql: string): void {
    this.connection.exec(sql);
  }

  rollBack(): void {
    if (this.connection.inTransaction) this.connection.exec('ROLLBACK');
  }

  close(): void {
    this.connection.close();
  }

  private statement(sql: string): SqliteConnection.Statement<SqlValue[]> {
    let statement = this.prepared.get(sql);
    if (statement === undefined) {
      statement = this.connection.prepare<SqlValue[]>(sql);
      if (statement.reader) statement.raw();
      this.prepared.set(sql, statement);
    }
    return statement;
  }
}
