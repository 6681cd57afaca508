import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

const TABLE = 'recurring_cancels';
/**
 * The new columns have defaults, since instances of the previous version add rows during an
 * upgrade.
 */
const COLUMNS: readonly NewColumn[] = [
  [TABLE, 'idempotency_key', "VARCHAR(36) NOT NULL DEFAULT ''"],
  [TABLE, 'user_id', 'BIGINT NOT NULL DEFAULT 0'],
  [TABLE, 'application_id', 'BIGINT NOT NULL DEFAULT 0'],
  [TABLE, 'asked', 'DATETIME NULL'],
  [TABLE, 'tries', 'BIGINT NOT NULL DEFAULT 0'],
  [TABLE, 'next_try', 'DATETIME NULL'],
];

/** Adds retries of cancellations whose outcome at the payment processor is unknown. */
export class CancelRetries1764700000000 implements MigrationInterface {
  readonly name = 'CancelRetries1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
