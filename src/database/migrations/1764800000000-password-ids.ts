import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

const COLUMNS: readonly NewColumn[] = [
  ['user_passwords', 'password_id', "VARCHAR(36) NOT NULL DEFAULT ''"],
  ['sessions', 'password_id', "VARCHAR(36) NOT NULL DEFAULT ''"],
];

/**
 * Adds the id of each password, and of the password of each session. It is empty in existing rows,
 * and in rows that instances of the previous version add during an upgrade.
 */
export class PasswordIds1764800000000 implements MigrationInterface {
  readonly name = 'PasswordIds1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
