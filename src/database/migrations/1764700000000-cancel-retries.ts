import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = 'recurring_cancels';
/** With defaults: instances of the version before add rows while an upgrade replaces them. */
const COLUMNS: Readonly<Record<string, string>> = {
  idempotency_key: "VARCHAR(36) NOT NULL DEFAULT ''",
  user_id: 'BIGINT NOT NULL DEFAULT 0',
  application_id: 'BIGINT NOT NULL DEFAULT 0',
  asked: 'DATETIME NULL',
  tries: 'BIGINT NOT NULL DEFAULT 0',
  next_try: 'DATETIME NULL',
};

/** Cancels of which the payment processor has not said what became of them, to be told again. */
export class CancelRetries1764700000000 implements MigrationInterface {
  readonly name = 'CancelRetries1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [column, type] of Object.entries(COLUMNS)) {
      if (await runner.hasColumn(TABLE, column)) continue;
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${column} ${type}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of Object.keys(COLUMNS)) {
      await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${column}`);
    }
  }
}
