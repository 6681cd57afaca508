import type { QueryRunner } from 'typeorm';
import { binaryCollation, dialectOf, indexesOf, typeIn } from './create-table.js';
import type { SqlDialect, Table } from './create-table.js';

interface StoredColumn {
  readonly table_name: string;
  readonly column_name: string;
  readonly type: string;
  readonly not_null: number;
  readonly default_value: string | null;
  readonly collation: string | null;
  /** Expression of a derived column; on SQLite, the statement that created the table. */
  readonly derived: string | null;
}

interface StoredKey {
  readonly table_name: string;
  /** The SQL of the key or index, without its table. */
  readonly line: string;
}

const COLUMNS: Readonly<Record<SqlDialect, string>> = {
  sqlite: `SELECT m.name AS table_name, c.name AS column_name, c."notnull" AS not_null,
      CASE WHEN c.pk = 1 AND m.sql LIKE '%AUTOINCREMENT%' THEN 'GENERATED' ELSE c.type END AS type,
      c.dflt_value AS default_value, NULL AS collation,
      CASE c.hidden WHEN 2 THEN m.sql END AS derived
    FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c WHERE m.type = 'table'`,
  mysql: `SELECT table_name AS table_name, column_name AS column_name, is_nullable = 'NO' AS not_null,
      CASE extra WHEN 'auto_increment' THEN 'GENERATED' ELSE column_type END AS type,
      NULLIF(column_default, 'NULL') AS default_value, collation_name AS collation,
      CASE extra WHEN 'VIRTUAL GENERATED' THEN generation_expression END AS derived
    FROM information_schema.columns WHERE table_schema = DATABASE()`,
};
const KEYS: Readonly<Record<SqlDialect, string>> = {
  sqlite: `SELECT tbl_name AS table_name, REPLACE(SUBSTR(sql, 8), ' ON ' || tbl_name, '') AS line
      FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
    UNION ALL SELECT name, 'PRIMARY KEY (' || (SELECT GROUP_CONCAT(c.name, ', ' ORDER BY c.pk)
        FROM pragma_table_info(m.name) c WHERE c.pk > 0) || ')'
      FROM sqlite_schema m WHERE type = 'table'`,
  mysql: `SELECT table_name AS table_name, CONCAT(
      CASE WHEN index_name = 'PRIMARY' THEN 'PRIMARY KEY'
        ELSE CONCAT(CASE non_unique WHEN 0 THEN 'UNIQUE ' ELSE '' END, 'INDEX ', index_name) END,
      ' (', GROUP_CONCAT(column_name ORDER BY seq_in_index SEPARATOR ', '), ')') AS line
    FROM information_schema.statistics WHERE table_schema = DATABASE()
    GROUP BY table_name, index_name, non_unique`,
};

/**
 * Compares the tables of a database with their declarations. It does not look at other tables.
 * @returns the names of the tables that exist, and their differences in words
 */
export async function schemaDifferences(runner: QueryRunner, tables: readonly Table[]) {
  const dialect = dialectOf(runner);
  const stored = await storedLines(runner);
  const existing = tables.filter(({ name }) => stored.has(name));
  return {
    existing: existing.map(({ name }) => name),
    differences: existing.flatMap((table) =>
      differencesOf(table.name, declaredLines(table, dialect), stored.get(table.name) ?? []),
    ),
  };
}

function differencesOf(
  table: string,
  declared: readonly string[],
  stored: readonly string[],
): string[] {
  const [found, wanted] = [new Set(stored.map(bare)), new Set(declared.map(bare))];
  const lacking = declared.filter((line) => !found.has(bare(line)));
  const extra = stored.filter((line) => !wanted.has(bare(line)));
  return [
    ...lacking.map((line) => `the table ${table} lacks ${line}`),
    ...extra.map((line) => `the table ${table} also has ${line}`),
  ];
}

function declaredLines(table: Table, dialect: SqlDialect): string[] {
  const { columns, primaryKey } = table;
  const generated = Object.keys(columns).filter((column) => columns[column] === 'GENERATED');
  return [
    ...Object.entries(columns).map(([column, type]) => `${column} ${typeIn(dialect, type)}`),
    `PRIMARY KEY (${[...primaryKey, ...generated].join(', ')})`,
    ...indexesOf(table, dialect).map((parts) => `${parts.kind} ${parts.index} ${parts.columns}`),
  ];
}

/** Returns the lines of each table of the database. */
async function storedLines(runner: QueryRunner): Promise<Map<string, string[]>> {
  const dialect = dialectOf(runner);
  const collation = dialect === 'mysql' ? await binaryCollation(runner) : null;
  const { dataSource } = runner;
  const columns = await dataSource.query<StoredColumn[]>(COLUMNS[dialect], [], runner);
  const keys = await dataSource.query<StoredKey[]>(KEYS[dialect], [], runner);
  const lines = new Map<string, string[]>();
  for (const { table_name, line } of [
    ...columns.map((column) => ({ ...column, line: columnLine(column, collation) })),
    ...keys,
  ]) {
    lines.set(table_name, [...(lines.get(table_name) ?? []), line]);
  }
  return lines;
}

function columnLine(column: StoredColumn, expected: string | null): string {
  const { column_name, type, not_null, default_value, derived, collation } = column;
  const parts = [column_name, type];
  if (derived !== null)
    parts.push(`GENERATED ALWAYS AS (${expressionIn(derived, column_name)}) VIRTUAL`);
  if (not_null === 1 && type !== 'GENERATED') parts.push('NOT NULL');
  if (default_value !== null) parts.push(`DEFAULT ${default_value}`);
  if (collation !== null && collation !== expected) parts.push(`COLLATE ${collation}`);
  return parts.join(' ');
}

/** Returns the expression of a column, which SQLite has in the statement of its table only. */
function expressionIn(text: string, column: string): string {
  const [, expression = text] =
    new RegExp(`\\b${column} VARCHAR\\(255\\) GENERATED ALWAYS AS \\((.*?)\\) VIRTUAL`).exec(
      text,
    ) ?? [];
  return expression;
}

/**
 * Returns a line without what depends on the database and its version: capitals, quotes, white
 * space, character sets of texts, and the width that MariaDB gives to integers.
 */
function bare(line: string): string {
  return line
    .replaceAll(/\b(bigint|tinyint|int)\(\d+\)/gi, '$1')
    .replaceAll(/_utf8mb4|\\[rn]|[\s'"`\\]/g, '')
    .toLowerCase();
}
