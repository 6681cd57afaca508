import type { Connection, RowDataPacket } from 'mysql2/promise';
import { tablesOf, type Statement } from './statements.js';

/** Number of rows that may be sorted after they are found by a key; a page has at most as many. */
const MOST_SORTED = 200;

/** One line of EXPLAIN. */
export interface Step {
  readonly table: string | null;
  readonly type: string | null;
  readonly key: string | null;
  /** The keys that MariaDB considered. */
  readonly keys: string | null;
  readonly rows: number;
  readonly extra: string;
}

/** Returns MariaDB's plan for a statement with its values. */
export async function stepsOf(connection: Connection, statement: Statement): Promise<Step[]> {
  const explain = `EXPLAIN ${connection.format(statement.sql, [...statement.values])}`;
  const [lines] = await connection.query<RowDataPacket[]>(explain);
  return lines.map((line) => ({
    table: textOf(line.table),
    type: textOf(line.type),
    key: textOf(line.key),
    keys: textOf(line.possible_keys),
    rows: Number(line.rows ?? 0),
    extra: textOf(line.Extra) ?? '',
  }));
}

/**
 * Returns the number of rows that MariaDB reads when a prepared statement runs again, as in the
 * service. The plan can then differ from that of EXPLAIN.
 */
export async function rowsRead(connection: Connection, statement: Statement): Promise<number> {
  const run = () => connection.execute(statement.sql, [...statement.values]);
  await run();
  await run();
  await connection.query('FLUSH STATUS');
  await run();
  const status = "SHOW SESSION STATUS LIKE 'Handler_read%'";
  const [lines] = await connection.query<RowDataPacket[]>(status);
  return lines.reduce((sum, { Value }) => sum + Number(Value), 0);
}

/** Returns the tables that are read, each with its key. Derived tables are left out. */
export function keysOf(statement: Statement, steps: readonly Step[]): string[] {
  const names = aliasesOf(statement);
  const used = steps.flatMap(({ table, key }) =>
    table === null || isDerived(table)
      ? []
      : `${names.get(table) ?? table} ${key ?? 'without a key'}`,
  );
  return [...new Set(used)].sort();
}

/**
 * Returns true if a step reads a whole table or index, other than a derived table, which has at
 * most a page.
 */
export function isScan({ table, type }: Step): boolean {
  return (type === 'ALL' || type === 'index') && table !== null && !isDerived(table);
}

/**
 * Returns true if a step sorts more rows than a page has. Derived tables have at most a page; for
 * others, the number of rows is an estimate.
 */
export function isLargeSort({ table, rows, extra }: Step): boolean {
  return extra.includes('filesort') && !(table !== null && isDerived(table)) && rows > MOST_SORTED;
}

/** Recognizes derived tables such as `<derived2>` and `<union3,5>`. */
function isDerived(table: string): boolean {
  return table.startsWith('<');
}

/** Returns the tables by alias. Aliases in the service's statements are single letters. */
function aliasesOf(statement: Statement): Map<string, string> {
  const named = statement.sql.matchAll(/\b(?:FROM|JOIN)\s+([a-z_]+)\s+([a-z])\b/g);
  return new Map([
    ...tablesOf(statement).map((table): [string, string] => [table, table]),
    ...Array.from(named, ([, table = '', alias = '']): [string, string] => [alias, table]),
  ]);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
