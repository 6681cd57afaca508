import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addIndex, createTables, dropIndex, type NewIndex, type Table } from './create-table.js';

const UNPAID: Table = {
  name: 'unpaid_commissions',
  columns: {
    vendor_id: 'BIGINT NOT NULL',
    series: 'VARCHAR(32) NOT NULL',
    day: 'DATE NOT NULL',
    affiliate_id: 'BIGINT NOT NULL',
    sales: 'BIGINT NOT NULL',
    commission: 'BIGINT NOT NULL',
  },
  primaryKey: ['vendor_id', 'series', 'day', 'affiliate_id'],
};
/** Indexes that find the affiliates of a vendor's product, and their clicks on days. */
const INDEXES: readonly NewIndex[] = [
  {
    table: 'affiliations',
    name: 'affiliations_by_product',
    columns: ['product_id', 'affiliate_id'],
  },
  {
    table: 'daily_clicks',
    name: 'daily_clicks_by_product',
    columns: ['product_id', 'date', 'affiliate_id', 'clicks', 'unique_clicks'],
  },
];

const COLUMNS = 'vendor_id, series, day, affiliate_id, sales, commission';
const LEFT = 'affiliate_payout + COALESCE(affiliate_refund_impact, 0)';

/** Adds kept sums of unpaid commissions, computed from the existing ledger. */
export class UnpaidCommissions1766100000000 implements MigrationInterface {
  readonly name = 'UnpaidCommissions1766100000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [UNPAID]);
    for (const index of INDEXES) await addIndex(runner, index);
    await runner.query('DELETE FROM unpaid_commissions');
    await runner.query(
      `INSERT INTO unpaid_commissions (${COLUMNS})
        SELECT vendor_id, 'day', DATE(sale_date), affiliate_id, COUNT(*), SUM(${LEFT})
        FROM transactions WHERE affiliate_id IS NOT NULL AND status <> 'pending'
          AND affiliate_commission_status = 'UNPAID' AND ${LEFT} <> 0
        GROUP BY vendor_id, DATE(sale_date), affiliate_id`,
    );
    await runner.query(
      `INSERT INTO unpaid_commissions (${COLUMNS})
        SELECT vendor_id, 'total', '1970-01-01', affiliate_id, SUM(sales), SUM(commission)
        FROM unpaid_commissions WHERE series = 'day' GROUP BY vendor_id, affiliate_id`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of INDEXES) await dropIndex(runner, index);
    await runner.query('DROP TABLE unpaid_commissions');
  }
}
