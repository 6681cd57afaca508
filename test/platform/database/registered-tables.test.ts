/** The tables of extensions that the database records. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { Feature } from '../../../src/feature.js';
import { readDatabaseUrl } from '../../../src/config/settings/database-url.js';
import {
  databaseMigrations,
  migrateDatabase,
} from '../../../src/platform/database/migrations/migrate-database.js';
import { key, wholeNumber } from '../../../src/platform/database/entities/columns.js';
import { entityOf } from '../../../src/platform/database/entities/entity-of.js';
import { createTables } from '../../../src/platform/database/migrations/create-table.js';
import type { Schema } from '../../../src/platform/database/data-source.js';
import { loadFeatures } from '../../../src/start/installed-features.js';
import { runCli } from '../../support/processes/cli.js';
import { extensionOf } from '../../support/servers/extension.js';
import { NOTES } from '../../support/servers/notes-extension.js';
import { openRaw, type RawConnection } from '../../support/sql/raw-connection.js';
import { createTestDatabase, dialect, type TestDatabase } from '../../support/sql/test-database.js';

const NAMES = ['notes', 'notes_contacts', 'notes_wishes'];
const STAYS = NAMES.map(
  (name) => `stays    ${name} (of the extension notes, which is not installed)\n`,
);
const REFUSED =
  dialect === 'sqlite' ? "BEGIN SELECT RAISE(ABORT, 'no'); END" : "SIGNAL SQLSTATE '45000'";

let database: TestDatabase;
let raw: RawConnection;
let extended: Schema;
beforeAll(async () => {
  database = await createTestDatabase();
  raw = await openRaw(database.url);
  extended = (await loadFeatures([NOTES])).schema;
  await migrateDatabase(readDatabaseUrl(database.url), extended);
});
afterAll(async () => {
  await raw.close();
  await database.drop();
});

async function status() {
  return runCli(database.url, ['migrate', '--status']);
}

async function personalOfNotes(): Promise<string> {
  const [row] = await raw.rows("SELECT personal FROM extension_tables WHERE table_name = 'notes'");
  return String(row?.personal);
}

it('are named by the status when the extension is removed, as long as they exist', async () => {
  const { staying } = await databaseMigrations(readDatabaseUrl(database.url), extended);
  expect(staying).toEqual([]);
  const { status: exitStatus, stdout } = await status();
  expect(exitStatus).toBe(0);
  expect(stdout).toContain(STAYS.join(''));
  await raw.run('ALTER TABLE notes_wishes RENAME TO wishes_away');
  const { stdout: without } = await status();
  await raw.run('ALTER TABLE wishes_away RENAME TO notes_wishes');
  expect(without).not.toContain('notes_wishes');
  expect(without).toContain(STAYS[0] ?? '');
});

it('and its migrations are named by the status, installed or not', async () => {
  const { stdout } = await status();
  expect(stdout).toContain(
    'unknown  NotesTables1795000000000 (of the extension notes, which is not installed)\n',
  );
  await raw.run(
    "INSERT INTO extension_migrations (timestamp, name) VALUES (1, 'NotesOld1794000000000'), (2, 'Gone1794000000000')",
  );
  const { applied, unknown } = await databaseMigrations(readDatabaseUrl(database.url), extended);
  expect(applied.map(({ name }) => name)).toContain('NotesTables1795000000000');
  expect(unknown).toEqual([
    { name: 'NotesOld1794000000000', extension: 'notes' },
    { name: 'Gone1794000000000', extension: '' },
  ]);
  expect((await status()).stdout).toContain(
    'unknown  Gone1794000000000 (of an extension, which is not installed)\n',
  );
  await raw.run('DELETE FROM extension_migrations WHERE timestamp IN (1, 2)');
});

it('are written only if they differ, so that a read-only database can be used', async () => {
  const settings = readDatabaseUrl(database.url);
  for (const event of ['INSERT', 'UPDATE']) {
    const before = `BEFORE ${event} ON extension_tables`;
    const each = dialect === 'sqlite' ? '' : 'FOR EACH ROW';
    await raw.run(`CREATE TRIGGER refused_${event} ${before} ${each} ${REFUSED}`);
  }
  expect(await migrateDatabase(settings, extended)).toEqual([]);
  for (const event of ['INSERT', 'UPDATE']) await raw.run(`DROP TRIGGER refused_${event}`);
  await raw.run("UPDATE extension_tables SET personal = NULL WHERE table_name = 'notes'");
  await migrateDatabase(settings, extended);
  expect(await personalOfNotes()).toContain('"columns":{"text":"","author":null}');
});

it('keep a column that an older version does not declare, until it is dropped', async () => {
  const former = JSON.parse(await personalOfNotes()) as { columns: object };
  const columns = { color: '', ...former.columns };
  const newer = JSON.stringify({ ...former, columns });
  await raw.run(`UPDATE extension_tables SET personal = '${newer}' WHERE table_name = 'notes'`);
  await migrateDatabase(readDatabaseUrl(database.url), extended);
  expect(await personalOfNotes()).toBe(newer);
});

it.each([
  [
    'COLUMN author TO writer',
    'COLUMN writer TO author',
    'it has no column author. A migration must add it.',
  ],
  ['TO notes_away', null, 'it does not exist. A migration must create it.'],
])('stop the start if they are altered: RENAME %s', async (change, back, problem) => {
  await raw.run(`ALTER TABLE notes RENAME ${change}`);
  const started = migrateDatabase(readDatabaseUrl(database.url), extended);
  await expect(started).rejects.toThrow(`Extension notes: table notes: ${problem}`);
  const undo = back === null ? 'notes_away RENAME TO notes' : `notes RENAME ${back}`;
  await raw.run(`ALTER TABLE ${undo}`);
});

it('stop the start if a unique index has a column that an erasure replaces', async () => {
  await raw.run('CREATE UNIQUE INDEX one_author ON notes (vendor_id, author)');
  const started = migrateDatabase(readDatabaseUrl(database.url), extended);
  await expect(started).rejects.toThrow(
    'Extension notes: table notes: the unique index one_author has author, which an erasure',
  );
  await raw.run(`DROP INDEX one_author ${dialect === 'sqlite' ? '' : 'ON notes'}`);
});

it('cannot be taken by another extension', async () => {
  await raw.run("UPDATE extension_tables SET extension = 'former' WHERE table_name = 'notes'");
  const taken = migrateDatabase(readDatabaseUrl(database.url), extended);
  await expect(taken).rejects.toThrow(
    'Extension notes: table notes: it belongs to the extension former, which left it',
  );
});

const WishesEntity = entityOf({
  name: 'WishesOf',
  tableName: 'wishes',
  columns: { vendor_id: key(wholeNumber()) },
});

/** A migration that fails after its first table, until it is repaired. */
class Wishes1795000000000 implements MigrationInterface {
  static failsWith: { readonly thrown: unknown } | null = { thrown: null };

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [
      { name: 'wishes', columns: { vendor_id: 'BIGINT NOT NULL' }, primaryKey: ['vendor_id'] },
    ]);
    const { failsWith } = Wishes1795000000000;
    if (failsWith !== null) throw failsWith.thrown;
  }

  down(): Promise<void> {
    return Promise.resolve();
  }
}

it('are recorded before a migration that fails halfway, which goes through once repaired', async () => {
  @Feature({ entities: [WishesEntity], migrations: [Wishes1795000000000] })
  class WishesModule {}
  const { schema } = await loadFeatures([extensionOf(WishesModule, { name: 'wishes' })]);
  const settings = readDatabaseUrl(database.url);
  const started = 'Extension wishes: the migration Wishes1795000000000 failed: ';
  await expect(migrateDatabase(settings, schema)).rejects.toThrow(`${started}null.`);
  const unreadable = Object.defineProperty(new Error('no'), 'message', {
    get() {
      throw new Error('never');
    },
  });
  Wishes1795000000000.failsWith = { thrown: unreadable };
  await expect(migrateDatabase(settings, schema)).rejects.toThrow(
    `${started}an error that cannot be read.`,
  );
  const rows = await raw.rows("SELECT extension FROM extension_tables WHERE table_name = 'wishes'");
  expect(rows).toEqual([{ extension: 'wishes' }]);
  Wishes1795000000000.failsWith = null;
  expect(await migrateDatabase(settings, schema)).toEqual(['Wishes1795000000000']);
});
