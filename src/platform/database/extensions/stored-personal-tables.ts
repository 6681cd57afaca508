import { Logger } from '@nestjs/common';
import type { Reader } from '../database.js';
import type { Dialect } from '../dialect.js';
import { isName, personalIn, type PersonalColumns } from './extension-tables.js';

/** Existing table with personal data. Its columns exist, too. */
export interface StoredPersonalTable extends PersonalColumns {
  readonly table_name: string;
  readonly extension: string;
  /** Names of all columns, in their order. */
  readonly all: readonly string[];
}

const COLUMNS: Readonly<Record<Dialect['name'], string>> = {
  sqlite: 'SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1',
  mysql: `SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`,
};

/**
 * Returns the tables with personal data of all extensions, whether or not they are installed.
 * Leaves out tables and columns that no longer exist.
 * @param extension restricts the result to this extension
 */
export async function storedPersonalTables(
  reader: Reader,
  dialect: Dialect,
  extension?: string,
): Promise<StoredPersonalTable[]> {
  const rows = await reader.select<{
    readonly table_name: string;
    readonly extension: string;
    readonly personal: string;
  }>(
    `SELECT table_name AS table_name, extension, personal FROM extension_tables
      WHERE personal IS NOT NULL ORDER BY table_name`,
    [],
  );
  const tables: StoredPersonalTable[] = [];
  for (const { personal, ...row } of rows) {
    if (extension !== undefined && row.extension !== extension) continue;
    const declared = isName(row.table_name) ? personalIn(personal) : null;
    if (declared === null) {
      new Logger('Extensions').error(`extension_tables: the row of ${row.table_name} is not valid`);
      continue;
    }
    const all = await columnsOf(reader, dialect, row.table_name);
    if (all.length === 0) continue;
    const table = existing({ ...row, ...declared, all });
    if (table !== null) tables.push(table);
    else warnOfAltered(row);
  }
  return tables;
}

/** Only a table of an extension that is not installed can be altered: see `checkTables`. */
function warnOfAltered({
  extension,
  table_name,
}: Pick<StoredPersonalTable, 'extension' | 'table_name'>) {
  const problem = 'lacks columns, so that its personal data cannot be found';
  new Logger('Extensions').error(`Extension ${extension}: the table ${table_name} ${problem}`);
}

async function columnsOf(reader: Reader, dialect: Dialect, table: string): Promise<string[]> {
  const rows = await reader.select<{ readonly name: string }>(COLUMNS[dialect.name], [table]);
  return rows.map(({ name }) => name).filter((name) => !name.includes('`'));
}

/** Returns the table with its existing columns, or null if its rows cannot be found any more. */
function existing(table: StoredPersonalTable): StoredPersonalTable | null {
  const { key, date, primaryKey, columns, all } = table;
  const needed = ['vendor_id', key, ...primaryKey, ...(date === null ? [] : [date])];
  const kept = Object.entries(columns).filter(([name]) => all.includes(name));
  if (kept.length === 0 || needed.some((name) => !all.includes(name))) return null;
  return { ...table, columns: Object.fromEntries(kept) };
}
