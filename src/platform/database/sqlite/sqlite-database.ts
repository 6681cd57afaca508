import { setTimeout as wait, setImmediate as nextTurn } from 'node:timers/promises';
import SqliteConnection from 'better-sqlite3';
import pLimit from 'p-limit';
import type { DataSource, EntityManager, EntitySchema } from 'typeorm';
import { LRUCache } from 'lru-cache';
import type { DatabaseFailures } from '../database-failures.js';
import {
  Database,
  type InTransaction,
  type IsRecent,
  type Reader,
  type Session,
  type SqlValue,
  TransactionEnd,
  type Work,
  type SqlRow,
} from '../database.js';
import { SQLITE } from '../dialect.js';
import { withRetries } from '../retry.js';
import { GAP_MS, retryWhileBusy } from './sqlite-busy.js';
import { EntitySource, withoutConversions } from '../entities/entity-source.js';
import { shownSql } from '../extensions/statement-scope.js';
import { namedRows } from '../named-rows.js';

/**
 * Maximum number of prepared statements. It is large, since INSERT leaves out columns that are NULL
 * in all rows.
 */
const MAX_PREPARED_STATEMENTS = 500;

/** Runs statements on a connection, and keeps its prepared statements. */
class SqliteStatements {
  private readonly prepared = new LRUCache<string, SqliteConnection.Statement<SqlValue[]>>({
    max: MAX_PREPARED_STATEMENTS,
  });

  constructor(readonly connection: SqliteConnection.Database) {}

  select<Row extends object>(given: string, values: readonly SqlValue[]): Row[] {
    const sql = shownSql(given);
    const statement = this.statement(sql);
    // Rows come as arrays, see `statement`; only the caller knows the types of their values.
    const rows = statement.all(...values) as SqlRow[];
    return namedRows<Row>(sql, rows, () => statement.columns());
  }

  run(sql: string, values: readonly SqlValue[]): number {
    return this.statement(shownSql(sql)).run(...values).changes;
  }

  /** Returns a statement in the form that TypeORM's driver uses: its rows are objects. */
  forDriver(sql: string) {
    return {
      reader: this.statement(sql).reader,
      all: (...values: SqlValue[]) => this.select(sql, values),
      run: (...values: SqlValue[]) => this.statement(shownSql(sql)).run(...values),
    };
  }

  rollBack(): void {
    if (this.connection.inTransaction) this.connection.exec('ROLLBACK');
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

/**
 * Maximum milliseconds of statements in one turn of the event loop. They run in its thread, and
 * requests wait for them.
 */
const LONGEST_MS = 8;

/** Spreads the statements of transactions, which may be many, over turns of the event loop. */
class SqliteTurns {
  private isBegun = false;
  private begunAt = 0;

  /**
   * Runs a statement. If statements have run for some milliseconds in this turn, other work runs
   * first.
   * @throws the driver's error, also if the file stays locked for too long
   */
  async run<Result>(statement: () => Result): Promise<Result> {
    if (!this.isBegun) this.begin();
    else if (performance.now() - this.begunAt > LONGEST_MS) await nextTurn();
    return retryWhileBusy(statement);
  }

  private begin(): void {
    this.isBegun = true;
    this.begunAt = performance.now();
    setImmediate(() => {
      this.isBegun = false;
    });
  }
}

/**
 * Maximum number of snapshots at a time. An export keeps one while its client downloads it; further
 * readers wait.
 */
const MAX_CONNECTIONS = 12;
/** Maximum size of the cache of each connection, in KiB. */
const CACHE_KIB = 2_048;

/**
 * Runs series of reads that each see one state of the database, on connections of their own. In WAL
 * mode they do not block the writer, but the log cannot be reset before the last of them has ended.
 */
class SqliteSnapshots {
  private readonly limit = pLimit(MAX_CONNECTIONS);
  private readonly idle: SqliteStatements[] = [];

  constructor(
    private readonly path: string,
    private readonly turns: SqliteTurns,
  ) {}

  read<Result>(work: Work<Reader, Result>): Promise<Result> {
    return this.limit(async () => {
      const statements = this.idle.pop() ?? this.opened();
      try {
        statements.connection.exec('BEGIN');
        return await work({
          select: (sql, values) => this.turns.run(() => statements.select(sql, values)),
        });
      } finally {
        statements.rollBack();
        this.idle.push(statements);
      }
    });
  }

  private opened(): SqliteStatements {
    const statements = readerOf(this.path);
    statements.connection.pragma(`cache_size = -${CACHE_KIB}`);
    return statements;
  }

  close(): void {
    for (const statements of this.idle.splice(0)) statements.connection.close();
  }
}

/** Milliseconds for which a process may keep the file locked before it leaves a gap for others. */
const MAX_TURN_MS = 200;

interface SqliteParts {
  /** Owns the connection that writes, to a database whose migrations have been applied. */
  readonly dataSource: DataSource;
  readonly path: string;
  readonly entities: readonly EntitySchema[];
  readonly failures: DatabaseFailures;
}

type SessionConnection = Awaited<ReturnType<typeof sessionsOn>>;

/**
 * Accesses SQLite with one connection for writes, one transaction at a time, and another for reads,
 * so that readers never see uncommitted data. In WAL mode neither blocks the other.
 */
export class SqliteDatabase extends Database {
  readonly dialect = SQLITE;
  private readonly snapshots: SqliteSnapshots;
  private lastWrite: Promise<unknown> = Promise.resolve();
  /** Milliseconds for which the file was locked since the last gap. */
  private turnMs = 0;
  private lockedUntil = 0;

  private constructor(
    private readonly parts: SqliteParts,
    private readonly writer: SessionConnection,
    private readonly reader: SqliteStatements,
    readonly manager: EntityManager,
  ) {
    super();
    this.snapshots = new SqliteSnapshots(parts.path, writer.turns);
  }

  static async open(parts: SqliteParts): Promise<SqliteDatabase> {
    const { dataSource, path, entities, failures } = parts;
    const connection: unknown = await dataSource.createQueryRunner().connect();
    if (!(connection instanceof SqliteConnection)) throw new Error('unexpected connection');
    connection.pragma('busy_timeout = 0');
    const writer = await sessionsOn(new SqliteStatements(connection), entities);
    const reader = readerOf(path);
    const { manager } = await openSqliteEntities(reader, entities, (query) =>
      failures.track(retryWhileBusy(query)),
    );
    return new SqliteDatabase(parts, writer, reader, manager);
  }

  select<Row extends object>(sql: string, values: readonly SqlValue[]): Promise<Row[]> {
    return this.parts.failures.track(retryWhileBusy(() => this.reader.select<Row>(sql, values)));
  }

  write<Result>(work: Work<Session, Result>): Promise<Result> {
    return this.inTurn(() => withRetries(() => this.transaction(work)));
  }

  override writeErasing<Result>(work: Work<Session, Result>): Promise<Result> {
    const { connection } = this.writer.statements;
    return this.inTurn(async () => {
      // SQLite overwrites the space that deleted or changed rows leave in pages with zeros.
      connection.pragma('secure_delete = ON');
      try {
        return await withRetries(() => this.transaction(work));
      } finally {
        connection.pragma('secure_delete = OFF');
        // The log holds older versions of pages. A reader of an older state only delays the
        // checkpoint.
        connection.pragma('wal_checkpoint(TRUNCATE)');
      }
    });
  }

  async dryRun<Result>(table: string, work: Work<InTransaction, Result>): Promise<Result> {
    const reader = readerOf(this.parts.path);
    try {
      reader.connection.exec(table);
      const sessions = await sessionsOn(reader, this.parts.entities);
      // All reads of the transaction see the snapshot of the first one, so no locks are needed.
      return await work((part) => transactionOn(sessions, 'BEGIN', part));
    } finally {
      reader.connection.close();
    }
  }

  readSnapshot<Result>(_isRecent: IsRecent, work: Work<Reader, Result>): Promise<Result> {
    return this.parts.failures.track(this.snapshots.read(work));
  }

  async close(): Promise<void> {
    await this.lastWrite;
    this.snapshots.close();
    this.reader.connection.close();
    await this.parts.dataSource.destroy();
  }

  /** Writes after all earlier writes. */
  private inTurn<Result>(write: () => Promise<Result>): Promise<Result> {
    const result = this.lastWrite.then(write);
    this.lastWrite = result.catch(() => undefined);
    return this.parts.failures.track(result);
  }

  private async transaction<Result>(work: Work<Session, Result>): Promise<Result> {
    await this.leaveGap();
    let lockedAt = 0;
    try {
      // IMMEDIATE locks the file now: after a read, a transaction could not upgrade to a write
      // lock.
      return await transactionOn(this.writer, 'BEGIN IMMEDIATE', (session) => {
        lockedAt = performance.now();
        return work(session);
      });
    } finally {
      this.lockedUntil = performance.now();
      if (lockedAt > 0) this.turnMs += this.lockedUntil - lockedAt;
    }
  }

  /**
   * Leaves a gap in which other processes can lock the file. They only poll for the lock, so a
   * process that writes all the time would starve them.
   */
  private async leaveGap(): Promise<void> {
    const wasFree = performance.now() - this.lockedUntil > GAP_MS;
    if (!wasFree && this.turnMs < MAX_TURN_MS) return;
    if (!wasFree) await wait(GAP_MS);
    this.turnMs = 0;
  }
}

async function sessionsOn(statements: SqliteStatements, entities: readonly EntitySchema[]) {
  const source = await openSqliteEntities(statements, entities, retryWhileBusy);
  const { manager } = await source.sessionRunner();
  return { statements, manager, turns: new SqliteTurns() };
}

function readerOf(path: string): SqliteStatements {
  return new SqliteStatements(
    new SqliteConnection(path, { readonly: true, fileMustExist: true, timeout: 0 }),
  );
}

async function transactionOn<Result>(
  { statements, manager, turns }: SessionConnection,
  begin: 'BEGIN' | 'BEGIN IMMEDIATE',
  work: Work<Session, Result>,
): Promise<Result> {
  const { connection } = statements;
  await retryWhileBusy(() => connection.exec(begin));
  const ending = new TransactionEnd();
  try {
    const result = await work({
      dialect: SQLITE,
      manager,
      select: (sql, values) => turns.run(() => statements.select(sql, values)),
      run: (sql, values) => turns.run(() => statements.run(sql, values)),
      onEnd: ending.onEnd,
    });
    await retryWhileBusy(() => connection.exec('COMMIT'));
    ending.notify('committed');
    return result;
  } catch (error) {
    statements.rollBack();
    throw error;
  }
}

/**
 * Opens TypeORM on an existing connection. Its driver gets the part of the connection that it uses
 * in place of the connection class.
 */
async function openSqliteEntities(
  statements: SqliteStatements,
  entities: readonly EntitySchema[],
  runQuery: ConstructorParameters<typeof EntitySource>[1],
): Promise<EntitySource> {
  const source = new EntitySource(
    {
      type: 'better-sqlite3',
      database: statements.connection.name,
      entities: withoutConversions(entities),
      driver: function given() {
        return {
          pragma: (text: string) => statements.connection.pragma(text),
          prepare: (sql: string) => statements.forDriver(sql),
        };
      },
    },
    runQuery,
  );
  return source.initialize();
}
