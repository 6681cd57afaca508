import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, isSqlite, type NewColumn } from './create-table.js';

/** Last and nullable: so the database need not rewrite the rows. */
const COLUMNS: readonly NewColumn[] = [
  ['transactions', 'customer_processor_email', 'VARCHAR(255) NULL'],
];

/**
 * A buyer's e-mail at the payment processor. The one of users is not stored any more; its column stays,
 * since instances of the previous version read it during an upgrade.
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

/** SQLite cannot change the default of a column; but there is no other instance to consider. */
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
