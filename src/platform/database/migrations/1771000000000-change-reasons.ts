import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The reason of a subscription's change for each status in which it has ended. */
const ENDS = { CANCELED: 'canceled', COMPLETED: 'ended' } as const;

/**
 * Adds the reasons of changes of transactions and subscriptions. What changed before has none
 * stored: its state shows its reasons. Only of subscriptions that have ended, the reasons are
 * written, because their state is in another table.
 */
export class ChangeReasons1771000000000 implements MigrationInterface {
  readonly name = 'ChangeReasons1771000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of ['transactions', 'changed_records']) {
      // MySQL cannot roll back DDL, so an interrupted run may have added the column.
      if (await runner.hasColumn(table, 'reasons')) continue;
      await runner.query(`ALTER TABLE ${table} ADD COLUMN reasons VARCHAR(255)`);
    }
    for (const [status, reason] of Object.entries(ENDS)) {
      await runner.query(
        `UPDATE changed_records SET reasons = CONCAT('started:', sequence, ',${reason}:', sequence)
          WHERE kind = 'recurring_payment' AND reasons IS NULL AND record_key IN
            (SELECT pre_key FROM recurring_payments WHERE status = ?)`,
        [status],
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE changed_records DROP COLUMN reasons');
    await runner.query('ALTER TABLE transactions DROP COLUMN reasons');
  }
}
