import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, dropIndex, isSqlite, type NewIndex } from './create-table.js';

const INDEXES = [
  { name: 'transactions_by_agreement', column: 'pre_key' },
  { name: 'transactions_by_processor_email', column: 'customer_processor_email' },
].map(({ name, column }) => ({
  table: 'transactions',
  name,
  where: `${column} IS NOT NULL`,
  columns: ['vendor_id', column, 'sale_date', 'arrival'],
}));

/**
 * Makes two indexes leave out the transactions without a value, on SQLite. Most transactions have
 * none, so an import takes less time. MySQL and MariaDB have no such indexes. No row is written.
 */
export class SparseIndexes1766700000000 implements MigrationInterface {
  readonly name = 'SparseIndexes1766700000000';

  async up(runner: QueryRunner): Promise<void> {
    await replaceOnSqlite(runner, INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await replaceOnSqlite(
      runner,
      INDEXES.map(({ table, name, columns }) => ({ table, name, columns })),
    );
  }
}

async function replaceOnSqlite(runner: QueryRunner, indexes: readonly NewIndex[]): Promise<void> {
  if (!isSqlite(runner)) return;
  for (const index of indexes) {
    await dropIndex(runner, index);
    await addIndex(runner, index);
  }
}
