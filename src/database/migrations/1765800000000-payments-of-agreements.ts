import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, type NewIndex } from './create-table.js';

const BY_AGREEMENT: NewIndex = {
  table: 'transactions',
  name: 'transactions_by_agreement',
  columns: ['vendor_id', 'pre_key', 'sale_date', 'arrival'],
};

/**
 * Adds an index for the payments of a subscription. InnoDB builds it while others read and write.
 */
export class PaymentsOfAgreements1765800000000 implements MigrationInterface {
  readonly name = 'PaymentsOfAgreements1765800000000';

  async up(runner: QueryRunner): Promise<void> {
    await addIndex(runner, BY_AGREEMENT);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, BY_AGREEMENT);
  }
}
