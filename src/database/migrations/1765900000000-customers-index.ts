import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isSqlite } from './create-table.js';

const INDEX = 'transactions_by_customer';
const COLUMNS = 'transactions (vendor_id, customer_email, sale_date, arrival)';

/**
 * Adds an index that finds a vendor's sales by the customer's e-mail. No row is written, and
 * instances of the previous version keep the index up to date without knowing it.
 */
export class CustomersIndex1765900000000 implements MigrationInterface {
  readonly name = 'CustomersIndex1765900000000';

  async up(runner: QueryRunner): Promise<void> {
    if (isSqlite(runner)) {
      await runner.query(`CREATE INDEX IF NOT EXISTS ${INDEX} ON ${COLUMNS}`);
      return;
    }
    // MySQL cannot roll back DDL, so an interrupted migration must be able to run again.
    const found: unknown = await runner.query(
      `SHOW INDEX FROM transactions WHERE Key_name = '${INDEX}'`,
    );
    if (Array.isArray(found) && found.length > 0) return;
    await runner.query(`CREATE INDEX ${INDEX} ON ${COLUMNS}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      isSqlite(runner) ? `DROP INDEX ${INDEX}` : `ALTER TABLE transactions DROP INDEX ${INDEX}`,
    );
  }
}
