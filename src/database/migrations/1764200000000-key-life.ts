import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = [
  ['api_applications', 'limits', 'VARCHAR(255)'],
  ['api_keys', 'last_used', 'DATETIME'],
] as const;

/** The limits of an API application where they differ from everybody's, and when a key was used last. */
export class KeyLife1764200000000 implements MigrationInterface {
  readonly name = 'KeyLife1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, column, type] of COLUMNS) {
      if (await runner.hasColumn(table, column)) continue;
      await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type} NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS) {
      await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    }
  }
}
