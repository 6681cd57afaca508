import type SqliteConnection from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { SqlRow, SqlValue } from '../database.js';
import { namedRows } from '../named-rows.js';

/**
 * Maximum number of prepared statements. It is large, since INSERT leaves out columns that are NULL
 * in all rows.
 */
const MAX_PREPARED_STATEMENTS = 500;

/** Runs statements on a connection, and keeps its prepared statements. */
export class SqliteStatements {
  private readonly prepared = new LRUCache<string, SqliteConnection.Statement<SqlValue[]>>({
    max: MAX_PREPARED_STATEMENTS,
  });

  constructor(readonly connection: SqliteConnection.Database) {}

  select<Row extends object>(sql: string, values: readonly SqlValue[]): Row[] {
    return namedRows<Row>(sql, this.rows(sql, values), () => this.statement(sql).columns());
  }

  rows<Row extends SqlRow>(sql: string, values: readonly SqlValue[]): Row[] {
    // Rows come as arrays, see `statement`; only the caller knows the types of their values.
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
