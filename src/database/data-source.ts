import { DataSource, type EntitySchema, type MigrationInterface } from 'typeorm';
import type { DatabaseSettings, MysqlHost } from '../config/settings/database-url.js';
import { assertSqliteIsSafe } from './sqlite/sqlite-support.js';

/** One migrates, another renews the lease. */
const POOL_SIZE = 2;
const CONNECT_TIMEOUT_MS = 5_000;
/**
 * How long SQLite waits for another process inside one call, which blocks this one: only until the schema
 * is up to date and requests are answered. See sqlite-busy.ts for what comes then.
 */
const BUSY_TIMEOUT_MS = 2_000;

/** A migration's class, as TypeORM wants it. */
export type Migration = new () => MigrationInterface;

/** What a database consists of. */
export interface Schema {
  readonly entities: readonly EntitySchema[];
  readonly migrations: readonly Migration[];
}

/**
 * What brings the schema up to date; on SQLite it also owns the connection that writes.
 * @param host of a cluster the host to do it on; the first if not given
 * @throws SettingError where the driver of SQLite can not be used on this version of Node.js
 */
export function createDataSource(
  settings: DatabaseSettings,
  { entities, migrations }: Schema,
  host?: MysqlHost,
): DataSource {
  const shared = {
    entities: [...entities],
    migrations: [...migrations],
    // The migrator runs them under its lock.
    migrationsRun: false,
    synchronize: false,
    logging: false,
  };
  if (settings.dialect === 'sqlite') {
    assertSqliteIsSafe(process.versions.node);
    return new DataSource({
      ...shared,
      type: 'better-sqlite3',
      database: settings.path,
      enableWAL: true,
      timeout: BUSY_TIMEOUT_MS,
      // A commit must outlive a power cut, as it does on MySQL.
      prepareDatabase: (connection: { pragma(text: string): unknown }) => {
        connection.pragma('synchronous = FULL');
      },
    });
  }
  return new DataSource({
    ...shared,
    type: 'mysql',
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
