import SqliteConnection from 'better-sqlite3';
import type { DataSource } from 'typeorm';
import type { DatabaseFailures } from './database-failures.js';
import { Database, type Session, type SqlRow, type SqlValue } from './database.js';
import { SQLITE } from './dialect.js';
import { retrying } from './retry.js';
import { TransactionEnd } from './transaction-end.js';

/**
 * SQLite has one connection that writes, one transaction at a time, and another that reads, so that
 * a reader never sees half a transaction. The file is in WAL mode: neither waits for the other.
 */
export class SqliteDatabase extends Database {
  readonly dialect = SQLITE;
  private lastWrite: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly dataSource: DataSource,
    private readonly writer: Statements,
    private readonly reader: Statements,
    private readonly failures: DatabaseFailures,
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
    const reader = new SqliteConnection(path, { readonly: true, fileMustExist: true });
    const [writes, reads] = [new Statements(connection), new Statements(reader)];
    return new SqliteDatabase(dataSource, writes, reads, failures);
  }

  rows<Row extends SqlRow>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.failures.noting(promised(() => this.reader.rows<Row>(sql, values)));
  }

  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const written = this.afterLastWrite(() => retrying(() => this.transaction(work, 'COMMIT')));
    return this.failures.noting(written);
  }

  rehearse<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    return this.afterLastWrite(() => this.transaction(work, 'ROLLBACK'));
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

  private async transaction<Result>(
    work: (session: Session) => Promise<Result>,
    end: 'COMMIT' | 'ROLLBACK',
  ): Promise<Result> {
    // IMMEDIATE takes the lock now: a transaction that reads first and writes later could not.
    this.writer.execute('BEGIN IMMEDIATE');
    const ending = new TransactionEnd();
    try {
      const result = await work({
        dialect: SQLITE,
        rows: <Row extends SqlRow>(sql: string, values: readonly SqlValue[]) =>
          promised(() => this.writer.rows<Row>(sql, values)),
        run: (sql, values) => promised(() => this.writer.run(sql, values)),
        onEnd: ending.onEnd,
      });
      this.writer.execute(end);
      if (end === 'COMMIT') ending.tell('committed');
      return result;
    } catch (error) {
      this.writer.rollBack();
      throw error;
    }
  }
}

/** A connection with the statements it has prepared so far. */
class Statements {
  private readonly prepared = new Map<string, SqliteConnection.Statement<SqlValue[]>>();

  constructor(private readonly connection: SqliteConnection.Database) {}

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

/** Turns the driver's synchronous call into a promise, its exception into a rejection. */
function promised<Result>(call: () => Result): Promise<Result> {
  return new Promise((resolve) => {
    resolve(call());
  });
}
