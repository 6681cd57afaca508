import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EntitySchema } from 'typeorm';
import { readDatabaseUrl } from '../../src/config/database-url.js';
import { createDataSource } from '../../src/database/data-source.js';
import { optional, text } from '../../src/database/columns.js';
import { ENTITIES } from '../../src/entities.js';
import { TestLedger } from '../support/test-ledger.js';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([]);
});
afterAll(() => ledger.drop());

/** What TypeORM would still change to bring a migrated database to these entities. */
async function pendingChanges(entities: readonly EntitySchema[]): Promise<string[]> {
  const settings = readDatabaseUrl(ledger.database.url);
  const dataSource = await createDataSource(settings, entities).initialize();
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  } finally {
    await dataSource.destroy();
  }
}

/** All entities, one of them changed. */
function withChanged(
  name: string,
  change: (options: EntitySchema['options']) => EntitySchema['options'],
): EntitySchema[] {
  return ENTITIES.map((entity: EntitySchema) =>
    entity.options.name === name ? new EntitySchema(change(entity.options)) : entity,
  );
}

describe('The migrations from an empty database', () => {
  it('leave nothing to do for what the entities say', async () => {
    expect(await pendingChanges(ENTITIES)).toEqual([]);
  });

  it.each([
    ['a column more', { nickname: optional(text()) }],
    ['a longer column', { name: text(300) }],
    ['a column that may be null', { email: optional(text()) }],
  ])('would be found short of %s', async (_, columns) => {
    const changed = withChanged('User', (options) => ({
      ...options,
      columns: { ...options.columns, ...columns },
    }));
    // SQLite has no lengths: what a text column holds is not the schema's affair there.
    expect((await pendingChanges(changed)).join('\n')).toMatch(/users/);
  });

  it('would be found short of an index', async () => {
    const changed = withChanged('User', (options) => ({
      ...options,
      indices: [{ name: 'users_by_email', columns: ['email'] }],
    }));
    expect((await pendingChanges(changed)).join('\n')).toMatch(/users_by_email/);
  });
});
