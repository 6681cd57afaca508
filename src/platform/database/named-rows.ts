import { LRUCache } from 'lru-cache';
import type { SqlRow } from './database.js';

type ToObject = (row: SqlRow) => object;

const MAX_STATEMENTS = 500;
// oxlint-disable-next-line house/nothing-lasts -- the same statement always gives the same function
const compiled = new LRUCache<string, ToObject>({ max: MAX_STATEMENTS });

/**
 * Turns rows into objects with a function compiled once per statement, which is faster than a loop
 * over the names, or than objects of the driver.
 * @typeParam Row names and types of the selected columns, which are not checked
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
    throw new Error(`duplicate column names: ${names.join()}`);
  const properties = names.map((name, index) => `${JSON.stringify(name)}: row[${index}]`);
  // oxlint-disable-next-line typescript/no-implied-eval -- only our own column names
  return new Function('row', `return { ${properties.join(', ')} };`) as ToObject;
}

/** Returns qualified column names for a SELECT. */
export function columnsOf(table: string, columns: readonly string[]): string {
  return columns.map((column) => `${table}.${column}`).join(', ');
}
