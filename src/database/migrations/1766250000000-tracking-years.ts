import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isSqlite } from './create-table.js';

const FIELDS = [
  'utm_source',
  'utm_campaign',
  'tid',
  'sub_id1',
  'sub_id2',
  'sub_id3',
  'sub_id4',
  'sub_id5',
];
const SUMS = 'vendor_id, series, kind, day, value_id, transactions, amount, earnings';

/** Adds kept sums by tracking field for each year, from the sums of each month. */
export class TrackingYears1766250000000 implements MigrationInterface {
  readonly name = 'TrackingYears1766250000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.down(runner);
    const year = isSqlite(runner)
      ? "SUBSTR(day, 1, 4) || '-01-01'"
      : "CONCAT(SUBSTR(day, 1, 4), '-01-01')";
    for (const field of FIELDS) {
      await runner.query(
        `INSERT INTO tracking_sums (${SUMS})
           SELECT vendor_id, '${field}_year', kind, ${year}, value_id, SUM(transactions), SUM(amount),
             SUM(earnings)
           FROM tracking_sums WHERE series = '${field}_month'
           GROUP BY vendor_id, kind, ${year}, value_id`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    const series = FIELDS.map((field) => `'${field}_year'`).join(', ');
    await runner.query(`DELETE FROM tracking_sums WHERE series IN (${series})`);
  }
}
