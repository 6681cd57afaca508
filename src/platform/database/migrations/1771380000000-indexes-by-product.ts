import type { MigrationInterface, QueryRunner } from 'typeorm';
import { hasIndex } from './create-table.js';

/** The table and the columns of each index, by its name. */
const INDEXES = {
  affiliate_day_sums_by_product: [
    'affiliate_day_sums',
    'vendor_id, product_id, kind, day, affiliate_id, amount',
  ],
  recurring_payments_by_product_next_date: [
    'recurring_payments',
    'vendor_id, product_id, status, next_date, pre_key',
  ],
  recurring_payments_by_product_created: [
    'recurring_payments',
    'vendor_id, product_id, status, created, pre_key',
  ],
} as const;

/** Adds the indexes from which the affiliates and the subscriptions of one product are read. */
export class IndexesByProduct1771380000000 implements MigrationInterface {
  readonly name = 'IndexesByProduct1771380000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [index, [table, columns]] of Object.entries(INDEXES)) {
      if (await hasIndex(runner, table, index)) continue;
      await runner.query(`CREATE INDEX ${index} ON ${table} (${columns})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [index, [table]] of Object.entries(INDEXES)) await runner.dropIndex(table, index);
  }
}
