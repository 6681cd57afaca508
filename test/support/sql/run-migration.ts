import type { MigrationInterface } from 'typeorm';
import { MIGRATIONS } from '../../../src/database/migrations/index.js';
import { readDatabaseUrl } from '../../../src/config/settings/database-url.js';
import { createDataSource } from '../../../src/database/data-source.js';

/** Runs a migration as a start does, or reverts it. */
export async function runMigration(
  url: string,
  migration: MigrationInterface,
  direction: 'up' | 'down' = 'up',
): Promise<void> {
  const source = createDataSource(readDatabaseUrl(url), { entities: [], migrations: [] });
  await source.initialize();
  const runner = source.createQueryRunner();
  await migration[direction](runner);
  await runner.release();
  await source.destroy();
}

/** Migrates an empty database to the schema before a migration. */
export async function migrateUntil(
  url: string,
  migration: (typeof MIGRATIONS)[number],
): Promise<void> {
  const migrations = MIGRATIONS.slice(0, MIGRATIONS.indexOf(migration));
  const source = createDataSource(readDatabaseUrl(url), { entities: [], migrations });
  await source.initialize();
  await source.runMigrations({ transaction: 'each' });
  await source.destroy();
}
