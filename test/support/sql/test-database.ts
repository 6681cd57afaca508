import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

declare const TEST_DIALECT: 'sqlite' | 'mysql';

/** Database of the current run of contract or data tests. */
export const dialect = TEST_DIALECT;

export interface TestDatabase {
  /** A value for DATABASE_URL. */
  readonly url: string;
  /** A folder for the files of the test. */
  readonly folder: string;
  drop(): Promise<void>;
}

/**
 * Creates a database with the current schema by copying the template of this run, which takes less
 * time than the migrations. test/platform/database tests the migrations on empty databases.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  if (dialect === 'sqlite') {
    copyFileSync(templateOf('TEST_TEMPLATE_SQLITE'), sqliteFile(database.folder));
  } else {
    await copyTables(new URL(templateOf('TEST_TEMPLATE_MYSQL')), new URL(database.url));
  }
  return database;
}

/** Creates a database without a schema. The first command or service migrates it. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-test-'));
  const removeFolder = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  if (dialect === 'sqlite') {
    const drop = () => {
      removeFolder();
      return Promise.resolve();
    };
    return { url: `sqlite:${sqliteFile(folder)}`, folder, drop };
  }
  const server = process.env.TEST_MYSQL_URL;
  if (server === undefined) throw new Error('TEST_MYSQL_URL is not set');
  const name = `vra_test_${randomBytes(6).toString('hex')}`;
  await onServer(server, `CREATE DATABASE ${name}`);
  return {
    url: new URL(name, server.endsWith('/') ? server : `${server}/`).href,
    folder,
    drop: async () => {
      removeFolder();
      await onServer(server, `DROP DATABASE ${name}`);
    },
  };
}

function sqliteFile(folder: string): string {
  return join(folder, 'ledger.sqlite');
}

/**
 * Returns the template from an environment variable, which test/runtime sets before the first test.
 */
function templateOf(variable: string): string {
  const template = process.env[variable];
  if (template === undefined) throw new Error(`${variable} is not set`);
  return template;
}

/**
 * Copies all tables of a database to another one on the same server, with the rows that migrations
 * wrote.
 */
async function copyTables(from: URL, to: URL): Promise<void> {
  const [source, target] = [from, to].map((url) => url.pathname.slice(1));
  const tablesIn = (variable: string) => (process.env[variable] ?? '').split(',');
  const statements = [
    ...tablesIn('TEST_TEMPLATE_TABLES').map(
      (table) => `CREATE TABLE ${target}.${table} LIKE ${source}.${table}`,
    ),
    ...tablesIn('TEST_TEMPLATE_FILLED').map(
      (table) => `INSERT INTO ${target}.${table} SELECT * FROM ${source}.${table}`,
    ),
  ];
  await onServer(from.href, statements.join(';'));
}

async function onServer(server: string, statements: string): Promise<void> {
  const connection = await createConnection({ uri: server, multipleStatements: true });
  await connection.query(statements);
  await connection.end();
}
