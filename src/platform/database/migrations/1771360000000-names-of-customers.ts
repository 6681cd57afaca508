import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from './create-table.js';

/** The columns of each index, by its name. */
const INDEXES = {
  transactions_by_first_name: 'vendor_id, customer_first_name, customer_last_name, customer_email',
  transactions_by_last_name: 'vendor_id, customer_last_name, customer_first_name, customer_email',
};

/**
 * Adds the indexes that find a vendor's customers by the beginning of a name. The database builds
 * each in one statement, while other processes may go on writing on MySQL and MariaDB.
 */
export class NamesOfCustomers1771360000000 implements MigrationInterface {
  readonly name = 'NamesOfCustomers1771360000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [index, columns] of Object.entries(INDEXES)) {
      if (await hasIndex(runner, index)) continue;
      await runner.query(`CREATE INDEX ${index} ON transactions (${columns})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of Object.keys(INDEXES)) await runner.dropIndex('transactions', index);
  }
}

/**
 * Returns whether transactions have an index. MySQL cannot roll back DDL, so an interrupted run may
 * have added one. TypeORM cannot read this table, because the database derives some columns.
 */
async function hasIndex(runner: QueryRunner, index: string): Promise<boolean> {
  const rows: unknown = await runner.query(
    dialectOf(runner) === 'sqlite'
      ? `SELECT name FROM pragma_index_list('transactions') WHERE name = '${index}'`
      : `SELECT index_name FROM information_schema.statistics
          WHERE table_schema = DATABASE() AND table_name = 'transactions'
            AND index_name = '${index}'`,
  );
  return Array.isArray(rows) && rows.length > 0;
}
