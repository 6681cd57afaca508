import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables } from './create-table.js';

/** Adds leases for cancellations, so that only one instance sends each to the payment processor. */
export class RecurringCancels1763900000000 implements MigrationInterface {
  readonly name = 'RecurringCancels1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [
      {
        name: 'recurring_cancels',
        columns: {
          pre_key: 'VARCHAR(255) NOT NULL',
          claim: 'VARCHAR(36) NOT NULL',
          ends: 'DATETIME NOT NULL',
        },
        primaryKey: ['pre_key'],
      },
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE recurring_cancels');
  }
}
