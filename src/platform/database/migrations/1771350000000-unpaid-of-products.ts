import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, dialectOf, INTEGER, type Table } from './create-table.js';

const COLUMN = 'commission_unpaid';
const AFFILIATE_SALES: Table = {
  name: 'affiliate_sales',
  columns: {
    affiliate_id: INTEGER,
    product_id: INTEGER,
    sales: INTEGER,
    refunds: INTEGER,
    chargebacks: INTEGER,
    revenue: INTEGER,
    refund_amount: INTEGER,
    commission_earned: INTEGER,
    commission_paid: INTEGER,
    [COLUMN]: INTEGER,
  },
  primaryKey: ['affiliate_id', 'product_id'],
};

const COMMISSION = 'affiliate_payout + COALESCE(affiliate_refund_impact, 0)';
const IS_REFUND = "(status = 'refunded' OR status = 'completed' AND refund_date IS NOT NULL)";

/**
 * Adds the unpaid commission to the kept sums of affiliates and products, and fills them again. The
 * column has no default, because processes of another version must not write rows that lack the
 * sum. SQLite cannot add such a column, so the table is made again there.
 */
export class UnpaidOfProducts1771350000000 implements MigrationInterface {
  readonly name = 'UnpaidOfProducts1771350000000';

  async up(runner: QueryRunner): Promise<void> {
    await emptyWithColumn(runner);
    await runner.query(`INSERT INTO affiliate_sales (${Object.keys(AFFILIATE_SALES.columns).join(', ')})
      SELECT affiliate_id, product_id, COUNT(*), SUM(CASE WHEN ${IS_REFUND} THEN 1 ELSE 0 END),
        SUM(CASE WHEN status = 'charged_back' THEN 1 ELSE 0 END), SUM(amount),
        SUM(COALESCE(refund_amount, 0)), SUM(${COMMISSION}),
        SUM(CASE WHEN affiliate_commission_status = 'PAID' THEN ${COMMISSION} ELSE 0 END),
        SUM(CASE WHEN affiliate_commission_status = 'UNPAID' THEN ${COMMISSION} ELSE 0 END)
      FROM transactions WHERE affiliate_id IS NOT NULL AND status <> 'pending'
      GROUP BY affiliate_id, product_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE affiliate_sales DROP COLUMN ${COLUMN}`);
  }
}

/** Removes the rows of the table, and adds the column. */
async function emptyWithColumn(runner: QueryRunner): Promise<void> {
  if (dialectOf(runner) === 'sqlite') {
    await runner.query('DROP TABLE IF EXISTS affiliate_sales');
    await createTables(runner, [AFFILIATE_SALES]);
    return;
  }
  // MySQL cannot roll back DDL, so an interrupted run may have added the column.
  if (!(await runner.hasColumn(AFFILIATE_SALES.name, COLUMN))) {
    await runner.query(`ALTER TABLE affiliate_sales ADD COLUMN ${COLUMN} ${INTEGER}`);
  }
  await runner.query('DELETE FROM affiliate_sales');
}
