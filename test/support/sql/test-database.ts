import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConnection } from 'mysql2/promise';

declare const TEST_DIALECT: 'sqlite' | 'mysql';

/** The database that this run of a contract or data test is on. */
export const dialect = TEST_DIALECT;

export interface TestDatabase {
  /** A value for DATABASE_URL. */
  readonly url: string;
  /** Folder of its own for whatever a test writes. */
  readonly folder: string;
  drop(): Promise<void>;
}

/** An empty database of the test's own; migrations fill it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-test-'));
  const removeFolder = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  if (dialect === 'sqlite') {
    const url = `sqlite:${join(folder, 'ledger.sqlite')}`;
    const drop = () => {
      removeFolder();
      return Promise.resolve();
    };
    return { url, folder, drop };
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

async function onServer(server: string, statement: string): Promise<void> {
  const connection = await createConnection(server);
  await connection.query(statement);
  await connection.end();
}
