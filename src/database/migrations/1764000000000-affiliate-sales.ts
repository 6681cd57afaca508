import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables } from './create-table.js';

const SUMS = [
  'sales',
  'refunds',
  'chargebacks',
  'revenue',
  'refund_amount',
  'commission_earned',
  'commission_paid',
];

/** Adds kept sums per affiliate and product, computed from the existing ledger. */
export class AffiliateSales1764000000000 implements MigrationInterface {
  readonly name = 'AffiliateSales1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [
      {
        name: 'affiliate_sales',
        columns: {
          affiliate_id: 'BIGINT NOT NULL',
          product_id: 'BIGINT NOT NULL',
          ...Object.fromEntries(SUMS.map((sum) => [sum, 'BIGINT NOT NULL'])),
        },
        primaryKey: ['affiliate_id', 'product_id'],
      },
    ]);
    await runner.query('DELETE FROM affiliate_sales');
    await runner.query(`INSERT INTO affiliate_sales (affiliate_id, product_id, ${SUMS.join(', ')})
      SELECT affiliate_id, product_id, COUNT(*),
        SUM(CASE WHEN status = 'refunded' THEN 1 ELSE 0 END),
        SUM(CASE WHEN status = 'charged_back' THEN 1 ELSE 0 END),
        SUM(amount), SUM(COALESCE(refund_amount, 0)),
        SUM(affiliate_payout + COALESCE(affiliate_refund_impact, 0)),
        SUM(CASE WHEN affiliate_commission_status = 'PAID'
          THEN affiliate_payout + COALESCE(affiliate_refund_impact, 0) ELSE 0 END)
      FROM transactions WHERE affiliate_id IS NOT NULL AND status <> 'pending'
      GROUP BY affiliate_id, product_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE affiliate_sales');
  }
}
