import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, isSqlite, type NewColumn } from './create-table.js';

const COLUMNS: readonly NewColumn[] = [
  ['ledger_revisions', 'longest_refund_days', 'BIGINT NOT NULL DEFAULT 0'],
];

/**
 * Adds the longest time from a sale to its refund, per vendor, which limits the refund counts to
 * read.
 */
export class LongestRefundDays1764100000000 implements MigrationInterface {
  readonly name = 'LongestRefundDays1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
    const days = isSqlite(runner)
      ? 'CAST(julianday(refund_day) - julianday(sale_day) AS INTEGER)'
      : 'DATEDIFF(refund_day, sale_day)';
    await runner.query(`UPDATE ledger_revisions SET longest_refund_days = COALESCE(
      (SELECT MAX(${days}) FROM refund_counts
        WHERE refund_counts.vendor_id = ledger_revisions.vendor_id), 0)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
