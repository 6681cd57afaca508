import { existsSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import type { DatabaseSettings } from '../../../config/settings/database-url.js';
import { connectAnyHost } from '../mysql/connect-any-host.js';
import type { Schema } from '../data-source.js';
import { knownMigrations, migrationsOf, type Migrations } from './migration-records.js';
import { applyPending } from './migrator.js';

/**
 * Applies pending migrations.
 * @returns the names of the migrations that this call applied
 */
export function migrateDatabase(
  database: DatabaseSettings,
  schema: Schema,
): Promise<readonly string[]> {
  return onceConnected(database, schema, applyPending);
}

/**
 * Reads which migrations have been applied. It changes nothing, and does not create an SQLite file.
 */
export async function databaseMigrations(
  database: DatabaseSettings,
  schema: Schema,
): Promise<Migrations> {
  if (database.dialect === 'sqlite' && !existsSync(database.path)) {
    return { applied: [], pending: knownMigrations(schema), unknown: [] };
  }
  return onceConnected(database, schema, migrationsOf);
}

async function onceConnected<Result>(
  database: DatabaseSettings,
  schema: Schema,
  work: (dataSource: DataSource, schema: Schema) => Promise<Result>,
): Promise<Result> {
  const { dataSource, result } = await connectAnyHost(database, schema, async (opened) => {
    return { dataSource: opened, result: await work(opened, schema) };
  });
  await dataSource.destroy();
  return result;
}
