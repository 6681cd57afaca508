import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteConnection from 'better-sqlite3';
import mysql, { type Pool, type PoolOptions } from 'mysql2';
import { DataSource, type EntitySchema, type MigrationInterface } from 'typeorm';
import { createForOwner } from '../files/owner-only-file.js';
import type { DatabaseSettings, MysqlHost } from '../../config/settings/database-url.js';
import type { ExtensionSchema } from './extensions/extension-tables.js';
import { setSession } from './mysql/mysql-pool.js';
import { assertSqliteIsSafe } from './sqlite/sqlite-support.js';

/** Number of connections: one migrates, the other renews the lease. */
const POOL_SIZE = 2;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * Milliseconds for which a call to SQLite blocks the process while the file is locked. This applies
 * only to migrations at startup; sqlite-busy.ts handles locks later.
 */
const BUSY_TIMEOUT_MS = 2_000;

/**
 * Passes mysql2 to TypeORM, which would look for it in node_modules. The bundle contains the
 * driver.
 */
const DRIVER = {
  ...mysql,
  createPool(options: PoolOptions): Pool {
    const pool = mysql.createPool(options);
    pool.on('connection', (connection) => {
      setSession(connection);
    });
    return pool;
  },
};

export type Migration = new () => MigrationInterface;

export interface Schema {
  readonly entities: readonly EntitySchema[];
  /** Migrations of the service, in their order. Their names end with their time of writing. */
  readonly migrations: readonly Migration[];
  /** Migrations of extensions. They run after those of the service. */
  readonly extensionMigrations: readonly Migration[];
  /** Installed extensions with their tables. */
  readonly extensions: readonly ExtensionSchema[];
}

/**
 * Creates the data source for migrations. On SQLite it also owns the connection that writes.
 * @param host the host of a cluster to use; the first by default
 * @throws SettingError if the SQLite driver does not work on this version of Node.js
 */
export function createDataSource(
  settings: DatabaseSettings,
  { entities }: Pick<Schema, 'entities'>,
  host?: MysqlHost,
): DataSource {
  const shared = {
    entities: [...entities],
    synchronize: false,
    logging: false,
  };
  if (settings.dialect === 'sqlite') {
    assertSqliteIsSafe(process.versions.node);
    makeFolder(dirname(settings.path));
    createForOwner(settings.path);
    return new DataSource({
      ...shared,
      type: 'better-sqlite3',
      driver: SqliteConnection,
      database: settings.path,
      enableWAL: true,
      timeout: BUSY_TIMEOUT_MS,
      // A commit must survive a power failure, as it does on MySQL.
      prepareDatabase: (connection: { pragma(text: string): unknown }) => {
        connection.pragma('synchronous = FULL');
      },
    });
  }
  return new DataSource({
    ...shared,
    type: 'mysql',
    driver: DRIVER,
    ...(host ?? settings.hosts[0]),
    username: settings.user,
    password: settings.password,
    database: settings.database,
    ...settings.tls,
    poolSize: POOL_SIZE,
    connectTimeout: CONNECT_TIMEOUT_MS,
    charset: 'utf8mb4',
  });
}

/** Creates a folder if it does not exist. SQLite reports the problem if that fails. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // The file cannot be opened then.
  }
}
