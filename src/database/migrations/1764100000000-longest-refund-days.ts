import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How late the refunds of a vendor came at most: no count of refunds is read beyond that. */
export class LongestRefundDays1764100000000 implements MigrationInterface {
  readonly name = 'LongestRefundDays1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('ledger_revisions', 'longest_refund_days'))) {
      await runner.query(
        'ALTER TABLE ledger_revisions ADD COLUMN longest_refund_days BIGINT NOT NULL DEFAULT 0',
      );
    }
    const isSqlite = runner.dataSource.options.type === 'better-sqlite3';
    const days = isSqlite
      ? 'CAST(julianday(refund_day) - julianday(sale_day) AS INTEGER)'
      : 'DATEDIFF(refund_day, sale_day)';
    await runner.query(`UPDATE ledger_revisions SET longest_refund_days = COALESCE(
      (SELECT MAX(${days}) FROM refund_counts
        WHERE refund_counts.vendor_id = ledger_revisions.vendor_id), 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ledger_revisions DROP COLUMN longest_refund_days');
  }
}
