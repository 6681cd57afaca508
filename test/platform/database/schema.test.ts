import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, EntitySchema, type EntitySchemaOptions } from 'typeorm';
import { readDatabaseUrl } from '../../../src/config/settings/database-url.js';
import { createDataSource } from '../../../src/platform/database/data-source.js';
import { recordOf } from '../../../src/platform/values/record-of.js';
import { optional, text, type Column } from '../../../src/platform/database/entities/columns.js';
import { loadFeatures } from '../../../src/start/installed-features.js';
import { UserEntity } from '../../../src/modules/accounts/accounts.entity.js';
import { RecurringPaymentEntity } from '../../../src/modules/recurring/recurring-payment.entity.js';
import { TransactionEntity } from '../../../src/ledger/reads/transaction.entity.js';
import { TestLedger } from '../../support/builders/test-ledger.js';

/**
 * Columns that the database derives. They are not declared, because TypeORM would add a table for
 * their expressions.
 */
const DERIVED = [
  {
    entity: TransactionEntity,
    order: ['sale_date', 'arrival'],
    emails: ['customer_email', 'customer_processor_email'],
  },
  {
    entity: RecurringPaymentEntity,
    order: ['pre_key'],
    emails: ['processor_email', 'contact_email', 'sender_email'],
  },
];
/**
 * A placeholder: the expressions differ between databases, and test/modules/privacy compares their
 * results.
 */
const EXPRESSION = 'of the migration';

let ledger: TestLedger;
let entities: readonly EntitySchema[];
beforeAll(async () => {
  entities = (await loadFeatures([])).schema.entities;
  ledger = await TestLedger.create();
  await ledger.mustImport([]);
  await noteDerivedColumns();
});
afterAll(() => ledger.drop());

/** Fills TypeORM's table of expressions as TypeORM would. */
async function noteDerivedColumns(): Promise<void> {
  const names = ['type', 'schema', 'table', 'name', 'value'].map((name) => `\`${name}\``);
  const columns = names.map((name) => `${name} VARCHAR(255)`).join(', ');
  await ledger.run(`CREATE TABLE typeorm_metadata (${columns})`);
  const schema = new URL(ledger.database.url).pathname.slice(1);
  for (const { entity, emails } of DERIVED) {
    for (const email of emails) {
      const table = entity.options.tableName;
      const row = ['GENERATED_COLUMN', schema, table, `${email}_folded`, EXPRESSION];
      const values = row.map((value) => `'${value}'`).join(', ');
      await ledger.run(`INSERT INTO typeorm_metadata (${names.join(', ')}) VALUES (${values})`);
    }
  }
}

/** Returns all entities with the columns that the database derives, and their indexes. */
function withDerived(entities: readonly EntitySchema[]): EntitySchema[] {
  return entities.map((entity) => {
    const { tableName = '', columns, indices = [], ...options } = entity.options;
    const derived = DERIVED.find((one) => one.entity.options.tableName === tableName);
    if (derived === undefined) return entity;
    const names = derived.emails.map((email) => `${email}_folded`);
    const added: Column = {
      ...optional(text()),
      generatedType: 'VIRTUAL',
      asExpression: EXPRESSION,
    };
    return new EntitySchema({
      ...options,
      tableName,
      columns: { ...columns, ...recordOf(names, () => added) },
      indices: [
        ...indices,
        ...names.map((column) => ({
          name: `${tableName}_by_${column}`,
          columns: ['vendor_id', column, ...derived.order],
          where: `${column} IS NOT NULL`,
        })),
      ],
    });
  });
}

/** Returns the changes that TypeORM would make to bring a migrated database to these entities. */
async function pendingChanges(entities: readonly EntitySchema[]): Promise<string[]> {
  const { options } = createDataSource(readDatabaseUrl(ledger.database.url), {
    entities: withDerived(entities),
  });
  // Under the name `mysql`, TypeORM misreads the null that MariaDB reports as a default.
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

/** Returns all entities, and gives that of the users other columns or indexes. */
function withUsers(changes: Partial<EntitySchemaOptions<unknown>>): EntitySchema[] {
  const { columns, tableName } = UserEntity.options;
  const changed = new EntitySchema({
    name: 'User',
    tableName: tableName ?? '',
    ...changes,
    columns: { ...columns, ...changes.columns },
  });
  return entities.map((entity) => (entity === UserEntity ? changed : entity));
}

describe('The migrations from an empty database', () => {
  it('create exactly the schema that the entities declare', async () => {
    expect(await pendingChanges(entities)).toEqual([]);
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
