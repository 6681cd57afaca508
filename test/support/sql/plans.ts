import type { Connection, RowDataPacket } from 'mysql2/promise';
import { tablesOf, type Statement } from './statements.js';

/** A page at most: so many rows may be sorted once they were found by a key. */
const MOST_SORTED = 200;

/** One line of EXPLAIN. */
export interface Step {
  readonly table: string | null;
  readonly type: string | null;
  readonly key: string | null;
  /** Among which keys it had the choice. */
  readonly keys: string | null;
  readonly rows: number;
  readonly extra: string;
}

/** How MariaDB would run a statement with its values. */
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
 * How many rows of tables and indexes MariaDB reads where a prepared statement runs again, as it does
 * in the service: it may then choose otherwise than EXPLAIN tells.
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

/** The tables that are read, each with its key; what a statement puts together by itself is left out. */
export function keysOf(statement: Statement, steps: readonly Step[]): string[] {
  const names = aliasesOf(statement);
  const used = steps.flatMap(({ table, key }) =>
    table === null || isDerived(table)
      ? []
      : `${names.get(table) ?? table} ${key ?? 'without a key'}`,
  );
  return [...new Set(used)].sort();
}

/** A whole table or a whole index, unless it is one that a page was put into. */
export function isScan({ table, type }: Step): boolean {
  return (type === 'ALL' || type === 'index') && table !== null && !isDerived(table);
}

/** What was put into a table of its own is a page at most; elsewhere the rows are an estimate. */
export function isLargeSort({ table, rows, extra }: Step): boolean {
  return extra.includes('filesort') && !(table !== null && isDerived(table)) && rows > MOST_SORTED;
}

/** `<derived2>`, `<union3,5>` */
function isDerived(table: string): boolean {
  return table.startsWith('<');
}

/** An alias of the service's statements is one letter. */
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
