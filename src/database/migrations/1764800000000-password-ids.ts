import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['user_passwords', 'sessions'] as const;

/**
 * The id of each password, and in each session that of the password that it began with. What was there
 * before has the empty one, and so has what instances of the version before add while an upgrade
 * replaces them.
 */
export class PasswordIds1764800000000 implements MigrationInterface {
  readonly name = 'PasswordIds1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      if (await runner.hasColumn(table, 'password_id')) continue;
      await runner.query(
        `ALTER TABLE ${table} ADD COLUMN password_id VARCHAR(36) NOT NULL DEFAULT ''`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`ALTER TABLE ${table} DROP COLUMN password_id`);
  }
}
