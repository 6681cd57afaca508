import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, createTables, dropIndex, type NewIndex, type Table } from './create-table.js';

const TABLES: readonly Table[] = [
  {
    name: 'erased_people',
    columns: {
      vendor_id: 'BIGINT NOT NULL',
      person: 'VARCHAR(64) NOT NULL',
      erased_at: 'DATETIME NOT NULL',
      is_pending: 'TINYINT NOT NULL',
    },
    primaryKey: ['vendor_id', 'person'],
    indexes: [{ name: 'erased_people_by_erased_at', columns: ['vendor_id', 'erased_at'] }],
  },
  {
    name: 'person_keys',
    columns: { id: 'BIGINT NOT NULL', secret: 'VARCHAR(255) NOT NULL' },
    primaryKey: ['id'],
  },
];
const INDEXES: readonly NewIndex[] = [
  {
    table: 'transactions',
    name: 'transactions_by_processor_email',
    columns: ['vendor_id', 'customer_processor_email', 'sale_date', 'arrival'],
  },
  ...(['processor_email', 'contact_email', 'sender_email'] as const).map((column) => ({
    table: 'recurring_payments',
    name: `recurring_payments_by_${column}`,
    columns: ['vendor_id', column, 'pre_key'],
  })),
];

/**
 * Adds the list of erased people, and indexes that find a person's sales and subscriptions. No row
 * is written, and instances of the previous version keep the indexes up to date without knowing
 * them.
 */
export class ErasedPeople1766300000000 implements MigrationInterface {
  readonly name = 'ErasedPeople1766300000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, TABLES);
    for (const index of INDEXES) await addIndex(runner, index);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await dropIndex(runner, index);
    for (const { name } of TABLES) await runner.query(`DROP TABLE ${name}`);
  }
}
