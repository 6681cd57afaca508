import type { Change } from './dialect.js';
import type { Reader, Session, SqlRow } from './database.js';

/**
 * Rows a statement: few different sizes, so that each text is prepared once and used again, and few
 * enough values that every database takes them (SQLite: 32,766).
 */
const SIZES = [100, 10, 1] as const;

/** Characters a statement, 4 bytes each at most: below the packet that every server accepts (16 MiB). */
const MOST_CHARACTERS = 2 ** 21;

/** Inserts rows in as few statements as possible; a key that is there already is an error. */
export async function insertRows(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly SqlRow[],
): Promise<void> {
  await writeRows(session, table, columns, rows, '');
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
 */
export async function rowsByKeys<Row extends SqlRow>(
  reader: Reader,
  select: string,
  key: readonly string[],
  keys: readonly SqlRow[],
): Promise<Row[]> {
  const isThisKey = `(${key.map((column) => `${column} = ?`).join(' AND ')})`;
  const found: Row[] = [];
  for (const chunk of chunks(keys)) {
    const isOneOfThem = Array.from(chunk, () => isThisKey).join(' OR ');
    found.push(...(await reader.rows<Row>(`${select} WHERE ${isOneOfThem}`, chunk.flat())));
  }
  return found;
}

async function writeRows(
  session: Session,
  table: string,
  columns: readonly string[],
  rows: readonly SqlRow[],
  ending: string,
): Promise<void> {
  const row = `(${columns.map(() => '?').join(', ')})`;
  for (const chunk of chunks(rows)) {
    const values = Array.from(chunk, () => row).join(', ');
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values} ${ending}`;
    await session.run(sql, chunk.flat());
  }
}

/** Cuts rows into as few chunks of the few sizes as their texts allow. */
function* chunks(rows: readonly SqlRow[]): Generator<readonly SqlRow[]> {
  let at = 0;
  while (at < rows.length) {
    const size =
      SIZES.find((candidate) => {
        const chunk = rows.slice(at, at + candidate);
        return chunk.length === candidate && charactersOf(chunk) <= MOST_CHARACTERS;
      }) ?? 1;
    yield rows.slice(at, at + size);
    at += size;
  }
}

function charactersOf(rows: readonly SqlRow[]): number {
  let characters = 0;
  for (const row of rows) {
    for (const value of row) if (typeof value === 'string') characters += value.length;
  }
  return characters;
}
