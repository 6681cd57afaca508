import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addColumns,
  addIndex,
  createTables,
  dropColumns,
  dropIndex,
  type NewColumn,
  type NewIndex,
  type Table,
} from './create-table.js';

const PAYMENTS = 'recurring_payments';
const COLUMNS: readonly NewColumn[] = [[PAYMENTS, 'vendor_id', 'BIGINT NULL']];
const INDEXES: readonly NewIndex[] = [
  {
    table: PAYMENTS,
    name: 'recurring_payments_by_next_payment',
    columns: ['vendor_id', 'status', 'next_payment', 'pre_key'],
  },
  {
    table: PAYMENTS,
    name: 'recurring_payments_by_created',
    columns: ['vendor_id', 'status', 'created', 'pre_key'],
  },
];
const SUMS: Table = {
  name: 'recurring_sums',
  columns: {
    vendor_id: 'BIGINT NOT NULL',
    status: 'VARCHAR(32) NOT NULL',
    day: 'DATE NOT NULL',
    agreements: 'BIGINT NOT NULL',
    amount: 'BIGINT NOT NULL',
  },
  primaryKey: ['vendor_id', 'status', 'day'],
};

/**
 * Adds the vendor of each subscription, indexes for the vendor's lists, and the counts of the
 * lists. The column is nullable, since instances of the previous version add rows during an
 * upgrade.
 */
export class RecurringLists1766150000000 implements MigrationInterface {
  readonly name = 'RecurringLists1766150000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
    await createTables(runner, [SUMS]);
    await runner.query(
      `UPDATE ${PAYMENTS} SET vendor_id =
         (SELECT p.vendor_id FROM products p WHERE p.id = ${PAYMENTS}.product_id)`,
    );
    for (const index of INDEXES) await addIndex(runner, index);
    await runner.query('DELETE FROM recurring_sums');
    await runner.query(
      `INSERT INTO recurring_sums (vendor_id, status, day, agreements, amount)
         SELECT vendor_id, status, DATE(next_payment), COUNT(*), SUM(price)
         FROM ${PAYMENTS} WHERE vendor_id IS NOT NULL GROUP BY vendor_id, status, DATE(next_payment)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE recurring_sums');
    for (const index of INDEXES) await dropIndex(runner, index);
    await dropColumns(runner, COLUMNS);
  }
}
