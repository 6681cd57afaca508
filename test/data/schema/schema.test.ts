import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, EntitySchema, type EntitySchemaOptions } from 'typeorm';
import { readDatabaseUrl } from '../../../src/config/settings/database-url.js';
import { createDataSource } from '../../../src/database/data-source.js';
import { optional, text } from '../../../src/database/columns.js';
import { ENTITIES } from '../../../src/entities.js';
import { UserEntity } from '../../../src/modules/accounts/user.entity.js';
import { TestLedger } from '../../support/builders/test-ledger.js';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([]);
});
afterAll(() => ledger.drop());

/** What TypeORM would still change to bring a migrated database to these entities. */
async function pendingChanges(entities: readonly EntitySchema[]): Promise<string[]> {
  const { options } = createDataSource(readDatabaseUrl(ledger.database.url), {
    entities,
    migrations: [],
  });
  // Under the name `mysql` TypeORM takes the default that MariaDB tells of a null for another one.
  const dataSource = new DataSource(
    options.type === 'mysql' && (await isMariaDb()) ? { ...options, type: 'mariadb' } : options,
  );
  await dataSource.initialize();
  try {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  } finally {
    await dataSource.destroy();
  }
}

async function isMariaDb(): Promise<boolean> {
  return /mariadb/i.test(JSON.stringify(await ledger.rows('SELECT VERSION() AS version')));
}

/** All entities, that of the users with other columns or indexes. */
function withUsers(changes: Partial<EntitySchemaOptions<unknown>>): EntitySchema[] {
  const { columns, tableName } = UserEntity.options;
  const changed = new EntitySchema({
    ...{ name: 'User', tableName: tableName ?? '' },
    ...changes,
    columns: { ...columns, ...changes.columns },
  });
  return ENTITIES.map((entity) => (entity === UserEntity ? changed : entity));
}

describe('The migrations from an empty database', () => {
  it('create exactly the schema that the entities declare', async () => {
    expect(await pendingChanges(ENTITIES)).toEqual([]);
  });

  it.each([
    ['a column more', { columns: { nickname: optional(text()) } }],
    ['a longer column', { columns: { name: text(300) } }],
    ['a column that may be null', { columns: { email: optional(text()) } }],
    ['an index', { indices: [{ name: 'users_by_email', columns: ['email'] }] }],
  ])('would fail this comparison with %s', async (_, changes) => {
    expect((await pendingChanges(withUsers(changes))).join('\n')).toMatch(/users/);
  });
});
