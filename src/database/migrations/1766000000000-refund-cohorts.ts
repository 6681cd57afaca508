import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, isSqlite, type Table } from './create-table.js';

const COHORTS: Table = {
  name: 'refund_cohorts',
  columns: {
    vendor_id: 'BIGINT NOT NULL',
    series: 'VARCHAR(32) NOT NULL',
    item_id: 'BIGINT NOT NULL',
    sale_month: 'DATE NOT NULL',
    refund_month: 'DATE NOT NULL',
    kind: 'VARCHAR(32) NOT NULL',
    transactions: 'BIGINT NOT NULL',
    amount: 'BIGINT NOT NULL',
  },
  primaryKey: ['vendor_id', 'series', 'item_id', 'sale_month', 'refund_month', 'kind'],
};
const INSERT = `INSERT INTO refund_cohorts
  (vendor_id, series, item_id, sale_month, refund_month, kind, transactions, amount)`;
const KIND = "CASE WHEN status = 'charged_back' THEN 'chargeback' ELSE 'refund' END";

/**
 * Adds kept sums of refunds and chargebacks by the month of the sale and the month of the refund,
 * computed from the existing ledger. Existing data is not changed. As with the other kept sums, an
 * importer of the previous version does not maintain them.
 */
export class RefundCohorts1766000000000 implements MigrationInterface {
  readonly name = 'RefundCohorts1766000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [COHORTS]);
    await runner.query('DELETE FROM refund_cohorts');
    await runner.query(fromLedger(runner, 'product'));
    await runner.query(fromLedger(runner, 'affiliate'));
    await runner.query(`${INSERT}
      SELECT vendor_id, 'total', 0, sale_month, refund_month, kind, SUM(transactions), SUM(amount)
      FROM refund_cohorts WHERE series = 'product'
      GROUP BY vendor_id, sale_month, refund_month, kind`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE refund_cohorts');
  }
}

function fromLedger(runner: QueryRunner, series: 'product' | 'affiliate'): string {
  const item = `${series}_id`;
  const [sold, refunded] = ['sale_date', 'refund_date'].map((date) =>
    isSqlite(runner) ? `SUBSTR(${date}, 1, 7) || '-01'` : `CONCAT(SUBSTR(${date}, 1, 7), '-01')`,
  );
  return `${INSERT}
    SELECT vendor_id, '${series}', ${item}, ${sold}, ${refunded}, ${KIND}, COUNT(*),
      SUM(COALESCE(refund_amount, 0))
    FROM transactions
    WHERE refund_date IS NOT NULL AND status <> 'pending' AND ${item} IS NOT NULL
    GROUP BY vendor_id, ${item}, ${sold}, ${refunded}, ${KIND}`;
}
