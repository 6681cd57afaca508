import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, isSqlite, type NewColumn } from './create-table.js';

/** The new column is the last one and nullable, so that the database need not rewrite the rows. */
const COLUMNS: readonly NewColumn[] = [
  ['transactions', 'customer_processor_email', 'VARCHAR(255) NULL'],
];

/**
 * Adds the e-mail of a customer at the payment processor. The corresponding e-mail of users is no
 * longer stored; its column stays, since instances of the previous version read it during an
 * upgrade.
 */
export class BuyersProcessorEmail1764500000000 implements MigrationInterface {
  readonly name = 'BuyersProcessorEmail1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
    await makeUsersEmailOptional(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}

/**
 * Gives the column a default. SQLite cannot change the default of a column, so the column is
 * replaced there: no other instance uses the file.
 */
async function makeUsersEmailOptional(runner: QueryRunner): Promise<void> {
  if (!isSqlite(runner)) {
    await runner.query("ALTER TABLE users ALTER COLUMN processor_email SET DEFAULT ''");
    return;
  }
  await runner.query('ALTER TABLE users DROP COLUMN processor_email');
  await runner.query(
    "ALTER TABLE users ADD COLUMN processor_email VARCHAR(255) NOT NULL DEFAULT ''",
  );
}
