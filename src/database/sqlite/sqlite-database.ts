import { setTimeout as wait } from 'node:timers/promises';
import SqliteConnection from 'better-sqlite3';
import type { DataSource, EntityManager, EntitySchema } from 'typeorm';
import type { DatabaseFailures } from '../database-failures.js';
import { Database, type InTransaction, type Session, type SqlValue } from '../database.js';
import { SQLITE } from '../dialect.js';
import { openSqliteEntities } from '../entities/sqlite-entities.js';
import { retrying } from '../retry.js';
import { GAP_MS, onceFree } from './sqlite-busy.js';
import { SqliteStatements } from './sqlite-statements.js';
import { TransactionEnd } from '../transaction-end.js';

/** For so long one process may write without a gap in which others come in. */
const LONGEST_TURN_MS = 200;

/** What the database is made of. */
export interface SqliteParts {
  /** Owns the connection that writes; its migrations are applied. */
  readonly dataSource: DataSource;
  readonly path: string;
  readonly entities: readonly EntitySchema[];
  readonly failures: DatabaseFailures;
}

interface SessionConnection {
  readonly statements: SqliteStatements;
  readonly manager: EntityManager;
}

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
    private readonly parts: SqliteParts,
    private readonly writer: SessionConnection,
    private readonly reader: SqliteStatements,
    readonly manager: EntityManager,
  ) {
    super();
  }

  static async open(parts: SqliteParts): Promise<SqliteDatabase> {
    const { dataSource, path, entities, failures } = parts;
    const connection: unknown = await dataSource.createQueryRunner().connect();
    if (!(connection instanceof SqliteConnection)) throw new Error('better-sqlite3 is expected');
    connection.pragma('busy_timeout = 0');
    const writer = await sessionsOn(new SqliteStatements(connection), entities);
    const reader = readerOf(path);
    const { manager } = await openSqliteEntities(reader.connection, entities, (ask) =>
      failures.noting(onceFree(ask)),
    );
    return new SqliteDatabase(parts, writer, reader, manager);
  }

  select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.parts.failures.noting(onceFree(() => this.reader.select<Row>(sql, values)));
  }

  write<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
    const written = this.afterLastWrite(() => retrying(() => this.transaction(work)));
    return this.parts.failures.noting(written);
  }

  async dryRun<Result>(
    table: string,
    work: (inTransaction: InTransaction) => Promise<Result>,
  ): Promise<Result> {
    const reader = readerOf(this.parts.path);
    try {
      reader.execute(table);
      const sessions = await sessionsOn(reader, this.parts.entities);
      // The first read takes the moment that the others of the transaction see; no lock is asked for.
      return await work((part) => transactionOn(sessions, 'BEGIN', part));
    } finally {
      reader.close();
    }
  }

  async close(): Promise<void> {
    await this.lastWrite;
    this.reader.close();
    await this.parts.dataSource.destroy();
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

async function sessionsOn(
  statements: SqliteStatements,
  entities: readonly EntitySchema[],
): Promise<SessionConnection> {
  const source = await openSqliteEntities(statements.connection, entities, onceFree);
  return { statements, manager: (await source.sessionRunner()).manager };
}

function readerOf(path: string): SqliteStatements {
  return new SqliteStatements(
    new SqliteConnection(path, { readonly: true, fileMustExist: true, timeout: 0 }),
  );
}

async function transactionOn<Result>(
  { statements, manager }: SessionConnection,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  await onceFree(() => {
    statements.execute(begin);
  });
  const ending = new TransactionEnd();
  try {
    const result = await work({
      ...{ dialect: SQLITE, manager },
      select: (sql, values) => onceFree(() => statements.select(sql, values)),
      run: (sql, values) => onceFree(() => statements.run(sql, values)),
      onEnd: ending.onEnd,
    });
    await onceFree(() => {
      statements.execute('COMMIT');
    });
    ending.tell('committed');
    return result;
  } catch (error) {
    statements.rollBack();
    throw error;
  }
}
