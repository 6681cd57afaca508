import type { DataSource } from 'typeorm';
import {
  ExtensionTableError,
  personalIn,
  textOfPersonal,
  type ExtensionSchema,
  type ExtensionTable,
  type PersonalColumns,
} from './extension-tables.js';

const TABLE = 'extension_tables';

/** Row of `extension_tables`. */
interface RegisteredTable {
  readonly table_name: string;
  readonly extension: string;
  readonly personal: string | null;
}

/** Table of an extension that is not installed. */
export type StayingTable = Pick<ExtensionTable, 'table_name' | 'extension'>;

/**
 * Records the tables of installed extensions, so that erasures reach them also without the
 * extension. Writes only what differs, since the server may be read-only.
 * @throws ExtensionTableError if a table belongs to another extension
 */
export async function registerTables(
  dataSource: DataSource,
  extensions: readonly ExtensionSchema[],
): Promise<void> {
  const stored = new Map((await registered(dataSource)).map((row) => [row.table_name, row]));
  for (const { table_name, extension, personal: declared } of extensions.flatMap(
    ({ tables }) => tables,
  )) {
    const found = stored.get(table_name);
    if (found !== undefined && found.extension !== extension) {
      const problem = `it belongs to the extension ${found.extension}, which left it in the database.`;
      throw new ExtensionTableError(extension, table_name, problem);
    }
    const personal = textOfPersonal(withFormer(declared, found?.personal ?? null));
    if (found?.personal === personal) continue;
    await save(dataSource, { table_name, extension, personal });
  }
}

/**
 * Returns a declaration with the columns that another version of the extension has declared. An
 * older version runs during an upgrade, or again after it, and must not end the erasure of a column
 * that it does not know. Columns that no longer exist are ignored when the declaration is read.
 */
function withFormer(
  declared: PersonalColumns | null,
  stored: string | null,
): PersonalColumns | null {
  const former = stored === null ? null : personalIn(stored);
  if (declared === null || former === null) return declared ?? former;
  return { ...declared, columns: { ...former.columns, ...declared.columns } };
}

/** Returns the existing tables of extensions that are not installed. */
export async function stayingTables(
  dataSource: DataSource,
  extensions: readonly ExtensionSchema[],
): Promise<StayingTable[]> {
  const runner = dataSource.createQueryRunner();
  try {
    if (!(await runner.hasTable(TABLE))) return [];
    const installed = extensions.map(({ name }) => name);
    const staying: StayingTable[] = [];
    for (const { table_name, extension } of await registered(dataSource)) {
      if (installed.includes(extension) || !(await runner.hasTable(table_name))) continue;
      staying.push({ table_name, extension });
    }
    return staying;
  } finally {
    await runner.release();
  }
}

/** Returns the names of all extensions that have registered tables. */
export async function extensionNames(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    if (!(await runner.hasTable(TABLE))) return [];
    return [...new Set((await registered(dataSource)).map(({ extension }) => extension))];
  } finally {
    await runner.release();
  }
}

function registered(dataSource: DataSource): Promise<RegisteredTable[]> {
  return dataSource.query<RegisteredTable[]>(
    `SELECT table_name AS table_name, extension, personal FROM ${TABLE} ORDER BY table_name`,
  );
}

/** Adds or replaces a row. Another instance may do the same at this moment. */
async function save(
  dataSource: DataSource,
  { table_name, extension, personal }: RegisteredTable,
): Promise<void> {
  const ending =
    dataSource.options.type === 'mysql'
      ? 'ON DUPLICATE KEY UPDATE extension = VALUES(extension), personal = VALUES(personal)'
      : 'ON CONFLICT (table_name) DO UPDATE SET extension = excluded.extension, personal = excluded.personal';
  await dataSource.query(
    `INSERT INTO ${TABLE} (table_name, extension, personal) VALUES (?, ?, ?) ${ending}`,
    [table_name, extension, personal],
  );
}
