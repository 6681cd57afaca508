import type { MigrationInterface, QueryRunner } from 'typeorm';
import { hasIndex } from './create-table.js';

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
      if (await hasIndex(runner, 'transactions', index)) continue;
      await runner.query(`CREATE INDEX ${index} ON transactions (${columns})`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of Object.keys(INDEXES)) await runner.dropIndex('transactions', index);
  }
}
