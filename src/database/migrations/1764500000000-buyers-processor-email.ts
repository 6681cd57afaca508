import type { MigrationInterface, QueryRunner } from 'typeorm';

const TRANSACTIONS = 'transactions';
const COLUMN = 'customer_processor_email';

/**
 * The e-mail address of a buyer at the payment processor. That of a user is not kept any more; its
 * column stays for now, since instances of the version before read it while they are replaced.
 */
export class BuyersProcessorEmail1764500000000 implements MigrationInterface {
  readonly name = 'BuyersProcessorEmail1764500000000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn(TRANSACTIONS, COLUMN))) {
      // Last and without a default: no row is written, however long the ledger is.
      await runner.query(`ALTER TABLE ${TRANSACTIONS} ADD COLUMN ${COLUMN} VARCHAR(255) NULL`);
    }
    await makeUsersEmailOptional(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE ${TRANSACTIONS} DROP COLUMN ${COLUMN}`);
  }
}

/** SQLite can not change the default of a column; no second instance is at work on its file. */
async function makeUsersEmailOptional(runner: QueryRunner): Promise<void> {
  if (runner.dataSource.options.type !== 'better-sqlite3') {
    await runner.query("ALTER TABLE users ALTER COLUMN processor_email SET DEFAULT ''");
    return;
  }
  await runner.query('ALTER TABLE users DROP COLUMN processor_email');
  await runner.query(
    "ALTER TABLE users ADD COLUMN processor_email VARCHAR(255) NOT NULL DEFAULT ''",
  );
}
