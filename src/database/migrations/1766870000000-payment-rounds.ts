import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, addIndex, dropColumns, dropIndex } from './create-table.js';
import type { NewColumn, NewIndex } from './create-table.js';

const COLUMNS: readonly NewColumn[] = [
  ['upstreams', 'payments_next', 'DATETIME NULL'],
  ['upstreams', 'payments_after', 'VARCHAR(255) NULL'],
  ['upstreams', 'payments_seen', 'BIGINT NOT NULL DEFAULT 0'],
  ['upstreams', 'payments_total', 'BIGINT NOT NULL DEFAULT 0'],
  ['upstreams', 'payments_round', 'BIGINT NOT NULL DEFAULT 0'],
  ['upstreams', 'last_payments', 'DATETIME NULL'],
];
const BY_VENDOR: NewIndex = {
  table: 'recurring_payments',
  name: 'recurring_payments_by_vendor',
  columns: ['vendor_id', 'pre_key'],
};

/**
 * Adds the progress of reading the subscriptions of a mirror again, with an index to go through
 * them. The rounds of existing upstreams begin immediately.
 */
export class PaymentRounds1766870000000 implements MigrationInterface {
  readonly name = 'PaymentRounds1766870000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
    await addIndex(runner, BY_VENDOR);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, BY_VENDOR);
    await dropColumns(runner, COLUMNS);
  }
}
