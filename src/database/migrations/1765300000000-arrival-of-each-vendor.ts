import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, isSqlite, type NewColumn } from './create-table.js';

const COLUMNS: readonly NewColumn[] = [
  ['ledger_revisions', 'last_arrival', 'BIGINT NOT NULL DEFAULT 0'],
];
const INDEX = 'transactions_by_affiliate';
const OLD_ORDER = 'affiliate_id, sale_date, arrival, vendor_id';
const NEW_ORDER = 'affiliate_id, sale_date, vendor_id, arrival';

/**
 * Counts arrivals for each vendor, so an affiliate's sales of one second are sorted by vendor
 * first.
 */
export class ArrivalOfEachVendor1765300000000 implements MigrationInterface {
  readonly name = 'ArrivalOfEachVendor1765300000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
    await runner.query(
      `UPDATE ledger_revisions SET last_arrival = COALESCE((SELECT t.arrival FROM transactions t
         WHERE t.vendor_id = ledger_revisions.vendor_id ORDER BY t.arrival DESC LIMIT 1), 0)`,
    );
    await reorder(runner, NEW_ORDER);
  }

  async down(runner: QueryRunner): Promise<void> {
    await reorder(runner, OLD_ORDER);
    await runner.query(
      `UPDATE ledger_arrivals SET last_arrival = (SELECT COALESCE(MAX(arrival), 0) FROM transactions)`,
    );
    await dropColumns(runner, COLUMNS);
  }
}

/**
 * Changes the order of an index but not its name, because instances of the previous version name
 * the index during an upgrade.
 */
async function reorder(runner: QueryRunner, columns: string): Promise<void> {
  if (isSqlite(runner)) {
    await runner.query(`DROP INDEX IF EXISTS ${INDEX}`);
    await runner.query(`CREATE INDEX ${INDEX} ON transactions (${columns})`);
    return;
  }
  await runner.query(
    `ALTER TABLE transactions DROP INDEX ${INDEX}, ADD INDEX ${INDEX} (${columns})`,
  );
}
