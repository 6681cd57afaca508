import { existsSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { DatabaseSettings } from '../../../config/settings/database-url.js';
import { connectAnyHost } from '../mysql/connect-any-host.js';
import { deniedPrivilege } from '../mysql/denied-privilege.js';
import { mapDriverError } from '../mysql/mysql-connection.js';
import { isRetryableElsewhere } from '../retry.js';
import type { Schema } from '../data-source.js';
import {
  knownMigrations,
  migrationsOf,
  type KnownMigration,
  type Migrations,
  applyMigration,
  extensionOf,
} from './migration-records.js';
import { checkTables } from '../extensions/check-tables.js';
import {
  extensionNames,
  registerTables,
  stayingTables,
  type StayingTable,
} from '../extensions/registered-tables.js';
import { StartError } from '../../errors/domain-error.js';
import { failureOf } from '../../errors/extension-error.js';
import { isError } from '../../errors/is-error.js';
import { whileExtending } from '../../jobs/lease.js';
import { retryWhileBusy } from '../sqlite/sqlite-busy.js';

/**
 * Applies pending migrations.
 * @returns the names of the migrations that this call applied
 */
export function migrateDatabase(
  database: DatabaseSettings,
  schema: Schema,
): Promise<readonly string[]> {
  return onceConnected(database, schema, async (dataSource) => {
    const applied = await applyPending(dataSource, schema);
    await useTables(dataSource, schema);
    return applied;
  });
}

/** An applied migration that this version does not have. */
interface UnknownMigration {
  readonly name: string;
  /** Extension with such names, `''` for one that left no table; null for another version. */
  readonly extension: string | null;
}

/** State of the schema of a database. */
interface SchemaState extends Omit<Migrations, 'unknown' | 'ofExtensions'> {
  readonly unknown: readonly UnknownMigration[];
  /** Tables of extensions that are not installed. */
  readonly staying: readonly StayingTable[];
}

/**
 * Reads which migrations have been applied, and which tables of other extensions there are. It
 * changes nothing, and does not create an SQLite file.
 */
export async function databaseMigrations(
  database: DatabaseSettings,
  schema: Schema,
): Promise<SchemaState> {
  if (database.dialect === 'sqlite' && !existsSync(database.path)) {
    return { applied: [], pending: knownMigrations(schema), unknown: [], staying: [] };
  }
  return onceConnected(database, schema, async (dataSource) => {
    const { unknown, ofExtensions, ...migrations } = await migrationsOf(dataSource, schema);
    const names = [
      ...schema.extensions.map(({ name }) => name),
      ...(await extensionNames(dataSource)),
    ];
    const others = unknown.map((name) => {
      const extension = extensionOf(name, names) ?? (ofExtensions.includes(name) ? '' : null);
      return { name, extension };
    });
    return {
      ...migrations,
      unknown: others,
      staying: await stayingTables(dataSource, schema.extensions),
    };
  });
}

async function onceConnected<Result>(
  database: DatabaseSettings,
  schema: Schema,
  work: (dataSource: DataSource) => Promise<Result>,
): Promise<Result> {
  const { dataSource, result } = await connectAnyHost(database, schema, async (opened) => {
    return { dataSource: opened, result: await work(opened) };
  });
  await dataSource.destroy();
  return result;
}

/** A lease expires after this time unless its holder renews it. */
const LEASE_SECONDS = 30;
const RENEWAL_MS = 10_000;
const POLL_MS = 200;

class PendingMigrationsError extends StartError {
  constructor() {
    super(
      'The database has pending migrations. Run "npm run cli -- migrate", or start once with DATABASE_MIGRATIONS=auto.',
    );
  }
}

/**
 * Applies pending migrations, if `mode` is auto, and records the tables of extensions.
 * @throws PendingMigrationsError if a migration is pending and `mode` is off
 * @throws ExtensionTableError if a table of an extension cannot be used
 */
export async function migrate(
  dataSource: DataSource,
  schema: Schema,
  mode: 'auto' | 'off',
): Promise<void> {
  if ((await migrationsOf(dataSource, schema)).pending.length > 0) {
    if (mode === 'off') throw new PendingMigrationsError();
    await applyPending(dataSource, schema);
  }
  await useTables(dataSource, schema);
}

/** Checks and records the tables of installed extensions. */
async function useTables(dataSource: DataSource, { extensions }: Schema): Promise<void> {
  if (extensions.every(({ tables }) => tables.length === 0)) return;
  await checkTables(dataSource, extensions);
  await registerTables(dataSource, extensions);
}

/** Returns the error of a migration, which names a migration of an extension. */
function ofExtension({ name, table }: KnownMigration, schema: Schema, error: unknown): unknown {
  const isLost = isError(error) && isRetryableElsewhere(mapDriverError(error));
  // The operator is told which right is missing, whoever needs it.
  if (table === 'migrations' || isLost || deniedPrivilege(error) !== null) return error;
  const names = schema.extensions.map((extension) => extension.name);
  return failureOf(extensionOf(name, names) ?? name, `the migration ${name}`, error);
}

/**
 * Applies pending migrations under the lease.
 * @returns the names of the migrations that this call applied
 */
async function applyPending(dataSource: DataSource, schema: Schema): Promise<readonly string[]> {
  if ((await migrationsOf(dataSource, schema)).pending.length === 0) return [];
  return underLease(dataSource, async () => {
    const { pending } = await migrationsOf(dataSource, schema);
    let hasTables = false;
    for (const migration of pending) {
      // MySQL and MariaDB keep what a failing migration has created, so its tables are recorded
      // first. The table that records them is of a migration of the service.
      if (migration.table === 'extension_migrations' && !hasTables) {
        await registerTables(dataSource, schema.extensions);
        hasTables = true;
      }
      // A migration that reads before it writes cannot wait for the lock of an SQLite file, so it
      // is repeated.
      await retryWhileBusy(() => applyMigration(dataSource, migration)).catch((error: unknown) => {
        throw ofExtension(migration, schema, error);
      });
    }
    return pending.map(({ name }) => name);
  });
}

/**
 * Runs work under a lease, so that only one instance migrates at a time. The lease is a row that
 * expires: other nodes of a cluster would not know a lock of one server.
 */
async function underLease<Result>(
  dataSource: DataSource,
  work: () => Promise<Result>,
): Promise<Result> {
  const holder = randomUUID();
  await dataSource.query(
    'CREATE TABLE IF NOT EXISTS migration_lock (id INTEGER NOT NULL PRIMARY KEY, holder VARCHAR(36) NOT NULL, expires_at BIGINT NOT NULL)',
  );
  while (!(await acquired(dataSource, holder))) await wait(POLL_MS);
  try {
    return await whileExtending(RENEWAL_MS, () => renew(dataSource, holder), work);
  } finally {
    await dataSource.query('DELETE FROM migration_lock WHERE holder = ?', [holder]);
  }
}

async function acquired(dataSource: DataSource, holder: string): Promise<boolean> {
  const now = secondsNow(dataSource);
  await dataSource.query(`DELETE FROM migration_lock WHERE id = 1 AND expires_at < ${now}`);
  try {
    await dataSource.query(
      `INSERT INTO migration_lock (id, holder, expires_at) VALUES (1, ?, ${now} + ${LEASE_SECONDS})`,
      [holder],
    );
    return true;
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}

function renew(dataSource: DataSource, holder: string): Promise<unknown> {
  const expires = `${secondsNow(dataSource)} + ${LEASE_SECONDS}`;
  const sql = `UPDATE migration_lock SET expires_at = ${expires} WHERE holder = ?`;
  return dataSource.query(sql, [holder]);
}

/**
 * Returns the SQL of the current time in seconds, by the clock of the database, since the clocks of
 * the instances may differ.
 */
function secondsNow(dataSource: DataSource): string {
  return dataSource.options.type === 'mysql'
    ? 'UNIX_TIMESTAMP()'
    : "CAST(strftime('%s', 'now') AS INTEGER)";
}

function isLocked(error: unknown): boolean {
  return isError(error) && /duplicate|unique|locked|busy|deadlock/i.test(error.message);
}
