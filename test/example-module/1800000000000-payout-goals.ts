import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables } from '../../src/database/migrations/create-table.js';

export class PayoutGoals1800000000000 implements MigrationInterface {
  readonly name = 'PayoutGoals1800000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [
      {
        name: 'payout_goals',
        columns: {
          vendor_id: 'BIGINT NOT NULL',
          month: 'VARCHAR(7) NOT NULL',
          goal: 'BIGINT NOT NULL',
        },
        primaryKey: ['vendor_id', 'month'],
      },
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE payout_goals');
  }
}
