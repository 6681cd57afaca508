import { join } from 'node:path';
import { openRaw } from './raw-connection.js';
import { storedColumns } from './stored-columns.js';
import { createEmptyDatabase, dialect, type TestDatabase } from './test-database.js';

/** Copies a database to a new one, as if a backup had been restored. */
export async function copyOf(database: TestDatabase): Promise<TestDatabase> {
  const copy = await createEmptyDatabase();
  const raw = await openRaw(database.url);
  try {
    if (dialect === 'sqlite') {
      await raw.run(`VACUUM INTO '${join(copy.folder, 'ledger.sqlite')}'`);
      return copy;
    }
    const name = new URL(copy.url).pathname.slice(1);
    const tables = await raw.rows(
      'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()',
    );
    for (const table of tables.map((row) => String(row.name))) {
      await raw.run(`CREATE TABLE ${name}.${table} LIKE ${table}`);
      const columns = (await storedColumns(raw, table)).join(', ');
      await raw.run(`INSERT INTO ${name}.${table} (${columns}) SELECT ${columns} FROM ${table}`);
    }
    return copy;
  } finally {
    await raw.close();
  }
}
