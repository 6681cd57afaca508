/** The tables for TiDB, which a MySQL server accepts without TiDB's own keywords. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runCli } from '../support/processes/cli.js';
import { openRaw, type RawRow } from '../support/sql/raw-connection.js';
import { createEmptyDatabase, type TestDatabase } from '../support/sql/test-database.js';

const FILE = 'docs/sql/tidb-tables.sql';
/** MariaDB has another name for this collation. */
const COLLATION = /COLLATE=utf8mb4_0900_bin/g;
const COLUMNS = `SELECT table_name, column_name, column_type, is_nullable, column_default,
    collation_name, extra, generation_expression, ordinal_position FROM information_schema.columns
  WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`;
const INDEXES = `SELECT table_name, index_name, column_name, seq_in_index, non_unique
  FROM information_schema.statistics WHERE table_schema = DATABASE()
  ORDER BY table_name, index_name, seq_in_index`;

let migrated: TestDatabase;
let written: TestDatabase;

beforeAll(async () => {
  [migrated, written] = [await createEmptyDatabase(), await createEmptyDatabase()];
  expect(await runCli(migrated.url, ['keys', 'list'])).toMatchObject({ status: 0 });
  const raw = await openRaw(written.url);
  const [server] = await raw.rows('SELECT VERSION() AS version');
  const isMariaDb = String(server?.version).includes('MariaDB');
  const sql = readFileSync(FILE, 'utf8').replaceAll(/^--.*\n/gm, '');
  for (const statement of sql.split(';\n').filter((text) => text.trim() !== '')) {
    await raw.run(
      isMariaDb ? statement.replace(COLLATION, 'COLLATE=utf8mb4_nopad_bin') : statement,
    );
  }
  await raw.close();
});
afterAll(async () => {
  await migrated.drop();
  await written.drop();
});

async function rowsOf({ url }: TestDatabase, sql: string): Promise<RawRow[]> {
  const raw = await openRaw(url);
  const rows = await raw.rows(sql);
  await raw.close();
  // The migrator creates its own tables.
  return rows.filter((row) => !String(row.table_name ?? row.TABLE_NAME).startsWith('migration'));
}

it('are those that the migrations make', async () => {
  for (const sql of [COLUMNS, INDEXES]) {
    expect(await rowsOf(written, sql)).toEqual(await rowsOf(migrated, sql));
  }
});

it('are left as they are by the migrations', async () => {
  expect(await runCli(written.url, ['keys', 'list'])).toMatchObject({ status: 0 });
  for (const sql of [COLUMNS, INDEXES]) {
    expect(await rowsOf(written, sql)).toEqual(await rowsOf(migrated, sql));
  }
});
