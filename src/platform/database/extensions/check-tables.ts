import type { DataSource, Table } from 'typeorm';
import {
  ExtensionTableError,
  type ExtensionSchema,
  type ExtensionTable,
} from './extension-tables.js';

/**
 * Compares the tables of installed extensions with their entities. Without one of its columns, the
 * rows of a table could not be erased or masked.
 * @throws ExtensionTableError that names the first difference
 */
export async function checkTables(
  dataSource: DataSource,
  extensions: readonly ExtensionSchema[],
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    for (const table of extensions.flatMap(({ tables }) => tables)) {
      const found = await runner.getTable(table.table_name);
      const problem = problemOf(table, columnsOf(dataSource, table), found);
      if (problem !== null) {
        throw new ExtensionTableError(table.extension, table.table_name, problem);
      }
    }
  } finally {
    await runner.release();
  }
}

/** Returns the SQL names of the columns of an entity. */
function columnsOf({ entityMetadatas }: DataSource, { table_name }: ExtensionTable): string[] {
  const entity = entityMetadatas.find(({ tableName }) => tableName === table_name);
  const columns = entity?.columns ?? [];
  return columns.filter((column) => !column.isVirtualProperty).map((each) => each.databaseName);
}

function problemOf(
  { personal }: ExtensionTable,
  columns: readonly string[],
  found: Table | undefined,
): string | null {
  if (found === undefined) return 'it does not exist. A migration must create it.';
  // Databases do not distinguish the case of the names of columns.
  const existing = new Set(found.columns.map(({ name }) => name.toLowerCase()));
  const missing = columns.find((name) => !existing.has(name.toLowerCase()));
  if (missing !== undefined) return `it has no column ${missing}. A migration must add it.`;
  const declared = Object.keys(personal?.columns ?? {});
  const unique = [...found.indices.filter(({ isUnique }) => isUnique), ...found.uniques];
  for (const { name = '', columnNames } of unique) {
    const emptied = declared.find((column) => columnNames.includes(column));
    if (emptied === undefined) continue;
    return `the unique index ${name} has ${emptied}, which an erasure replaces in several rows.`;
  }
  return null;
}
