import type { QueryRunner } from 'typeorm';

export interface Table {
  readonly name: string;
  /** Column name → its type and what else SQL says of it. `GIVEN` is a number the database gives out. */
  readonly columns: Readonly<Record<string, string>>;
  /** Empty where a column is `GIVEN`: that one is the key. */
  readonly primaryKey: readonly string[];
  readonly indexes?: readonly {
    readonly name: string;
    readonly columns: readonly string[];
    readonly unique?: boolean;
  }[];
}

/**
 * Creates tables on either database, and passes over those that are there: MySQL can't roll a
 * CREATE TABLE back, so a migration that was cut off must be able to run again.
 */
export async function createTables(runner: QueryRunner, tables: readonly Table[]): Promise<void> {
  if (runner.dataSource.options.type === 'better-sqlite3') {
    for (const table of tables) await createOnSqlite(runner, table);
    return;
  }
  const collation = await binaryCollation(runner);
  for (const table of tables) await runner.query(mysqlStatement(table, collation));
}

async function createOnSqlite(runner: QueryRunner, table: Table): Promise<void> {
  const { name, indexes = [] } = table;
  const columns = columnLines(
    table,
    (column) => `"${column}" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL`,
  );
  await runner.query(`CREATE TABLE IF NOT EXISTS ${name} (\n  ${columns.join(',\n  ')}\n)`);
  for (const index of indexes) {
    const kind = index.unique === true ? 'UNIQUE INDEX' : 'INDEX';
    await runner.query(
      `CREATE ${kind} IF NOT EXISTS ${index.name} ON ${name} (${index.columns.join(', ')})`,
    );
  }
}

function mysqlStatement(table: Table, collation: string): string {
  const lines = columnLines(table, (column) => `${column} INT NOT NULL AUTO_INCREMENT PRIMARY KEY`);
  for (const index of table.indexes ?? []) {
    const kind = index.unique === true ? 'UNIQUE INDEX' : 'INDEX';
    lines.push(`${kind} ${index.name} (${index.columns.join(', ')})`);
  }
  return `CREATE TABLE IF NOT EXISTS ${table.name} (\n  ${lines.join(',\n  ')}\n)
    ENGINE=InnoDB ROW_FORMAT=DYNAMIC DEFAULT CHARSET=utf8mb4 COLLATE=${collation}`;
}

function columnLines(table: Table, given: (column: string) => string): string[] {
  const lines = Object.entries(table.columns).map(
    // In SQLite TypeORM knows such a number only by its name in quotation marks.
    ([column, type]) => (type === 'GIVEN' ? given(column) : `${column} ${type}`),
  );
  if (table.primaryKey.length > 0) lines.push(`PRIMARY KEY (${table.primaryKey.join(', ')})`);
  return lines;
}

/**
 * Keys compare byte for byte, a trailing space included. SQLite does so by itself; MySQL and MariaDB
 * each have one collation for it, under different names (utf8mb4_bin would ignore trailing spaces).
 */
async function binaryCollation(runner: QueryRunner): Promise<string> {
  const rows: unknown = await runner.query('SELECT VERSION() AS version');
  return /mariadb/i.test(JSON.stringify(rows)) ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
}
