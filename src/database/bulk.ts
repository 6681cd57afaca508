import type { Change } from './dialect.js';
import type { Reader, Session, SqlRow, SqlValue } from './database.js';

/**
 * Rows a statement: so that any number of rows takes few statements, and their few texts are each
 * prepared once and used again.
 */
const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const;
const MOST_ROWS = 500;

/** Values of a list that a column is looked up in: closer to each other, since each is looked up. */
const LIST_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024] as const;

/** Values a statement: what SQLite takes at most. */
const MOST_VALUES = 32_766;

/** Characters a statement, 4 bytes each at most: below the packet that every server accepts (16 MiB). */
const MOST_CHARACTERS = 2 ** 21;

/**
 * Inserts rows in as few statements as possible; a key that is there already is an error. A column
 * that is NULL in each of them is left out, since a value costs its part even where it is none.
 */
export async function insertRows(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly SqlRow[],
): Promise<void> {
  const isUsed = columns.map((_, index) => rows.some((row) => row[index] !== null));
  const used = [...columns.keys()].filter((index) => isUsed[index]);
  await writeRows(session, table, columns, rows, '', used);
}

/**
 * Inserts rows to which the database gives their numbers.
 * @returns these numbers, in the order of the rows
 */
export async function insertNumberedRows(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly SqlRow[],
): Promise<number[]> {
  const numbers: number[] = [];
  for (let at = 0; at < rows.length;) {
    // One statement each: it alone has its numbers in a row.
    const size = rowsOfNextStatement(rows, at, columns.length);
    await insertRows(session, table, columns, rows.slice(at, at + size));
    numbers.push(...(await givenNumbers(session, size)));
    at += size;
  }
  return numbers;
}

/** The numbers that the database gave to the rows of the session's last INSERT. */
export async function givenNumbers(session: Session, rows: number): Promise<number[]> {
  const [given] = await session.select<{ readonly first: number; readonly step: number }>(
    session.dialect.givenNumbers(rows),
    [],
  );
  if (given === undefined) throw new Error('the database gave no number');
  const { first, step } = given;
  return Array.from({ length: rows }, (_, index) => first + index * step);
}

/** Inserts rows, or applies the changes to those whose primary key is there already. */
export async function upsertRows(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly SqlRow[],
  key: readonly string[],
  changes: readonly Change[],
): Promise<void> {
  await writeRows(session, table, columns, rows, session.dialect.onConflict(key, changes));
}

/** Inserts rows, or replaces those whose primary key is there already. */
export async function replaceRows(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly SqlRow[],
  key: readonly string[],
): Promise<void> {
  const changes = columns
    .filter((column) => !key.includes(column))
    .map((column) => ({ column, by: 'replace' }) as const);
  await upsertRows(session, table, columns, rows, key, changes);
}

/**
 * Reads the rows of any number of keys.
 * @param select a SELECT up to its WHERE
 * @param key the columns that the keys hold values of
 * @param ending what stands behind the WHERE
 */
export async function selectByKeys<Row extends object>(
  reader: Reader,
  select: string,
  key: readonly string[],
  keys: readonly SqlRow[],
  ending = '',
): Promise<Row[]> {
  const found: Row[] = [];
  for (const { condition, values } of conditions(key, keys)) {
    found.push(...(await reader.select<Row>(`${select} WHERE ${condition} ${ending}`, values)));
  }
  return found;
}

/**
 * Runs a statement on the rows of any number of keys.
 * @param statement an UPDATE or DELETE up to its WHERE
 * @param ending what stands behind the condition on the keys
 */
export async function runByKeys(
  session: Session,
  statement: string,
  key: readonly string[],
  keys: readonly SqlRow[],
  ending = '',
): Promise<void> {
  for (const { condition, values } of conditions(key, keys)) {
    await session.run(`${statement} WHERE ${condition} ${ending}`, values);
  }
}

/** That a column holds one of any number of values. */
export function isOneOf(column: string, wanted: readonly SqlValue[]) {
  const values = filledUp(wanted, LIST_SIZES);
  return { sql: `${column} IN (${repeated('?', values.length, ', ')})`, values };
}

/**
 * Fills a list up with its first item, which finds nothing more: so that lists of any length take few
 * texts of statements, each prepared once and used again.
 */
export function filledUp<Item>(
  items: readonly Item[],
  sizes: readonly number[] = SIZES,
): readonly Item[] {
  const [first] = items;
  const size = sizes.find((candidate) => candidate >= items.length);
  if (first === undefined || size === undefined) return items;
  return [...items, ...Array.from({ length: size - items.length }, () => first)];
}

async function writeRows(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly SqlRow[],
  ending: string,
  used: readonly number[] = [...columns.keys()],
): Promise<void> {
  const names = used.map((index) => columns[index]).join(', ');
  const row = `(${repeated('?', used.length, ', ')})`;
  for (let at = 0; at < rows.length;) {
    const size = rowsOfNextStatement(rows, at, used.length);
    const values = repeated(row, size, ', ');
    const sql = `INSERT INTO ${table} (${names}) VALUES ${values} ${ending}`;
    await session.run(sql, valuesOf(rows, at, size, used));
    at += size;
  }
}

/** Conditions that hold for some of the keys each, and for all of them together. */
function* conditions(key: readonly string[], keys: readonly SqlRow[]) {
  const isThisKey = `(${key.map((column) => `${column} = ?`).join(' AND ')})`;
  for (let at = 0; at < keys.length; at += MOST_ROWS) {
    const some = filledUp(keys.slice(at, at + MOST_ROWS));
    const condition =
      key.length === 1
        ? `${key.join()} IN (${repeated('?', some.length, ', ')})`
        : `(${repeated(isThisKey, some.length, ' OR ')})`;
    yield { condition, values: some.flat() };
  }
}

/** As many rows as the limits of a statement allow. */
function rowsOfNextStatement(rows: readonly SqlRow[], at: number, columns: number): number {
  const most = Math.min(Math.floor(MOST_VALUES / columns), rows.length - at);
  const fits = (size: number) =>
    size <= most && (size === 1 || charactersOf(rows, at, size) <= MOST_CHARACTERS);
  return SIZES.findLast(fits) ?? 1;
}

function charactersOf(rows: readonly SqlRow[], at: number, size: number): number {
  let characters = 0;
  for (let index = at; index < at + size; index += 1) {
    for (const value of rows[index] ?? [])
      if (typeof value === 'string') characters += value.length;
  }
  return characters;
}

function valuesOf(
  rows: readonly SqlRow[],
  at: number,
  size: number,
  used: readonly number[],
): SqlValue[] {
  const values: SqlValue[] = [];
  for (const row of rows.slice(at, at + size)) {
    for (const index of used) values.push(row[index] ?? null);
  }
  return values;
}

function repeated(text: string, times: number, between: string): string {
  return Array.from({ length: times }, () => text).join(between);
}
