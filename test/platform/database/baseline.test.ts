/** The baseline on new databases, and on those of the former migrations. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { readDatabaseUrl } from '../../../src/config/settings/database-url.js';
import type { Schema } from '../../../src/platform/database/data-source.js';
import {
  databaseMigrations,
  migrateDatabase,
} from '../../../src/platform/database/migrations/migrate-database.js';
import { FORMER_NAMES } from '../../../src/platform/database/migrations/migration-records.js';
import { createTables } from '../../../src/platform/database/migrations/create-table.js';
import { MIGRATIONS } from '../../../src/platform/database/migrations/index.js';
import { loadFeatures } from '../../../src/start/installed-features.js';
import { runCli } from '../../support/processes/cli.js';
import { partition } from '../../support/sql/partitions.js';
import { openRaw, type RawConnection, type RawRow } from '../../support/sql/raw-connection.js';
import {
  createEmptyDatabase,
  dialect,
  type TestDatabase,
} from '../../support/sql/test-database.js';

const isSqlite = dialect === 'sqlite';
const NAMES = MIGRATIONS.map(({ name }) => name);
const [BASELINE = ''] = NAMES;
/** The former SQLite migrations left other places of two columns. */
const SCHEMA = isSqlite
  ? [
      `SELECT m.name AS table_name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden
        FROM sqlite_schema m JOIN pragma_table_xinfo(m.name) c
        WHERE m.type = 'table' ORDER BY m.name, c.name`,
      `SELECT tbl_name AS table_name, sql FROM sqlite_schema
        WHERE type = 'index' AND sql IS NOT NULL ORDER BY name`,
    ]
  : [
      `SELECT table_name, column_name, ordinal_position, column_type, is_nullable, column_default,
        collation_name, extra, generation_expression FROM information_schema.columns
        WHERE table_schema = DATABASE() ORDER BY table_name, ordinal_position`,
      `SELECT table_name, index_name, seq_in_index, column_name, non_unique
        FROM information_schema.statistics WHERE table_schema = DATABASE()
        ORDER BY table_name, index_name, seq_in_index`,
      `SELECT table_name, engine, row_format, table_collation FROM information_schema.tables
        WHERE table_schema = DATABASE() ORDER BY table_name`,
    ];

let database: TestDatabase;
let raw: RawConnection;
beforeEach(async () => {
  database = await createEmptyDatabase();
  raw = await openRaw(database.url);
});
afterEach(async () => {
  await raw.close();
  await database.drop();
});

/** Builds the database that the former migrations leave. */
async function build(names: readonly string[] = FORMER_NAMES): Promise<void> {
  const [server] = await raw.rows(
    isSqlite ? "SELECT '' AS version" : 'SELECT VERSION() AS version',
  );
  const isMysql = !isSqlite && !String(server?.version).includes('MariaDB');
  const sql = readFileSync(`test/platform/database/former-schema.${dialect}.sql`, 'utf8');
  const adapted = isMysql ? sql.replaceAll('utf8mb4_nopad_bin', 'utf8mb4_0900_bin') : sql;
  for (const statement of adapted.split(';\n')) {
    if (statement.trim() !== '') await raw.run(statement);
  }
  const id = isSqlite ? 'INTEGER PRIMARY KEY AUTOINCREMENT' : 'INT AUTO_INCREMENT PRIMARY KEY';
  await raw.run(
    `CREATE TABLE migrations (id ${id}, timestamp BIGINT NOT NULL, name VARCHAR(255) NOT NULL)`,
  );
  await raw.run(
    `INSERT INTO migrations (timestamp, name) VALUES ${names.map((name) => `(1, '${name}')`).join(', ')}`,
  );
  await raw.run(
    `INSERT INTO users (id, name, email, status) VALUES (1, 'ann', 'ann@example.test', 'active')`,
  );
}

/** Returns the schema without the tables of the migrator. */
async function schema(): Promise<RawRow[][]> {
  const parts = [];
  for (const sql of SCHEMA) {
    const rows = await raw.rows(sql);
    parts.push(
      rows.filter((row) => {
        const table = String(row.table_name ?? row.TABLE_NAME);
        return !/^sqlite|migration/.test(table);
      }),
    );
  }
  return parts;
}

async function recorded(): Promise<unknown[]> {
  return (await raw.rows('SELECT name FROM migrations ORDER BY id')).map(({ name }) => name);
}

const migrate = () => runCli(database.url, ['migrate']);
/** Runs the baseline alone. */
async function runBaseline(): Promise<readonly string[]> {
  const { schema: own } = await loadFeatures([]);
  const migrations = MIGRATIONS.slice(0, 1);
  return migrateDatabase(readDatabaseUrl(database.url), { ...own, migrations });
}
const dropIndex = (name: string, table: string) =>
  raw.run(isSqlite ? `DROP INDEX ${name}` : `DROP INDEX ${name} ON ${table}`);

async function expectRefused(reason: string): Promise<void> {
  const before = [await schema(), await recorded()];
  expect(await migrate()).toEqual({
    status: 3,
    stdout: '',
    stderr: `The schema was not changed, because ${reason}; first update it with the command migrate of commit ce1b8c12cf89.\n`,
  });
  expect([await schema(), await recorded()]).toEqual(before);
}

describe('A database of the former migrations', () => {
  it('is adopted without a change, and has the schema of a new one', async () => {
    await build();
    const former = await schema();
    expect(await runBaseline()).toEqual([BASELINE]);
    expect(await schema()).toEqual(former);
    expect(await migrate()).toMatchObject({ status: 0, stderr: '' });
    const current = await schema();
    expect(await recorded()).toEqual([...FORMER_NAMES, ...NAMES]);
    expect(await raw.rows('SELECT id FROM users')).toEqual([{ id: 1 }]);
    const status = await runCli(database.url, ['migrate', '--status']);
    expect(status.stdout).toMatch(new RegExp(`^applied  ${BASELINE}\\n`));
    expect(status.stdout).toMatch(/The schema is up to date\.\n$/);
    const [adopted, adoptedRaw] = [database, raw];
    database = await createEmptyDatabase();
    raw = await openRaw(database.url);
    expect(await migrate()).toMatchObject({ status: 0, stderr: '' });
    expect(await schema()).toEqual(current);
    await adoptedRaw.close();
    await adopted.drop();
  });

  it('is refused if a migration is not recorded', async () => {
    await build(FORMER_NAMES.filter((name) => name !== 'ErasureFiles1767300000000'));
    await expectRefused('the migration ErasureFiles1767300000000 is not recorded');
  });

  it('is refused if no migration is recorded', async () => {
    await build();
    await raw.run('DELETE FROM migrations');
    await expectRefused('the table users has rows, but no migration is recorded');
  });

  it('is refused if its schema differs', async () => {
    await build();
    await dropIndex('sessions_by_user', 'sessions');
    await expectRefused('the table sessions lacks INDEX sessions_by_user (user_id)');
    await raw.run('CREATE INDEX sessions_by_user ON sessions (user_id)');
    await raw.run('ALTER TABLE products ADD COLUMN color VARCHAR(20) NULL');
    await expectRefused(
      'the table products also has color '.concat(isSqlite ? 'VARCHAR(20)' : 'varchar(20)'),
    );
    await raw.run('ALTER TABLE products DROP COLUMN color');
    await raw.run('DROP TABLE open_imports');
    await expectRefused('the table open_imports does not exist');
  });
});

/** SQLite can neither change the type of a column nor partition a table. */
function onServers(): void {
  it('is refused if a column has another type or collation', async () => {
    await build();
    await raw.run('ALTER TABLE products MODIFY name VARCHAR(255) COLLATE utf8mb4_bin NOT NULL');
    await expectRefused('the table products lacks name VARCHAR(255) NOT NULL');
    await raw.run('ALTER TABLE products MODIFY name VARCHAR(254) NOT NULL');
    await expectRefused('the table products lacks name VARCHAR(255) NOT NULL');
  });

  it('may be partitioned by month, and is adopted with its partitions', async () => {
    await build();
    await partition(database.url);
    const former = await schema();
    await dropIndex('transactions_by_sequence', 'transactions');
    await expectRefused(
      'the table transactions lacks INDEX transactions_by_sequence (vendor_id, sequence, arrival)',
    );
    await raw.run(
      'CREATE INDEX transactions_by_sequence ON transactions (vendor_id, sequence, arrival)',
    );
    expect(await runBaseline()).toEqual([BASELINE]);
    expect(await schema()).toEqual(former);
    expect(await migrate()).toMatchObject({ status: 0, stderr: '' });
  });
}
if (!isSqlite) describe('A database of the former migrations on a server', onServers);

describe('An interrupted baseline', () => {
  it('continues with the tables that are missing', async () => {
    await runBaseline();
    const complete = await schema();
    await raw.run('DROP TABLE migrations');
    for (const table of ['tracking_sums', 'users']) await raw.run(`DROP TABLE ${table}`);
    expect(await runBaseline()).toEqual([BASELINE]);
    expect(await schema()).toEqual(complete);
    expect(await recorded()).toEqual([BASELINE]);
  });
});

describe('An extension', () => {
  class Goals1795000000000 implements MigrationInterface {
    up(runner: QueryRunner): Promise<void> {
      const columns = { vendor_id: 'BIGINT NOT NULL', goal: 'BIGINT NOT NULL' };
      return createTables(runner, [{ name: 'goals', columns, primaryKey: ['vendor_id'] }]);
    }
    down(): Promise<void> {
      return Promise.resolve();
    }
  }
  let own: Schema;
  let extended: Schema;
  beforeAll(async () => {
    own = (await loadFeatures([])).schema;
    extended = { ...own, extensionMigrations: [Goals1795000000000] };
  });

  it('has its migrations recorded in a table of their own', async () => {
    const settings = readDatabaseUrl(database.url);
    const name = Goals1795000000000.name;
    expect(await migrateDatabase(settings, extended)).toEqual([...NAMES, name]);
    expect(await recorded()).toEqual(NAMES);
    expect(await raw.rows('SELECT name FROM extension_migrations')).toEqual([{ name }]);
    expect(await migrateDatabase(settings, extended)).toEqual([]);
    expect(await databaseMigrations(settings, own)).toMatchObject({
      pending: [],
      unknown: [{ name, extension: '' }],
    });
  });

  it('keeps what the former table recorded of it', async () => {
    await build([...FORMER_NAMES, Goals1795000000000.name]);
    await raw.run('CREATE TABLE goals (vendor_id BIGINT NOT NULL, note TEXT)');
    expect(await migrateDatabase(readDatabaseUrl(database.url), extended)).toEqual(NAMES);
  });
});
