import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

const COLUMNS: readonly NewColumn[] = [['users', 'source_vendor_id', 'BIGINT NULL']];

/**
 * Adds the vendor whose source created a user. It is null in existing rows: those users belong to
 * the operator.
 */
export class UsersOfSources1765400000000 implements MigrationInterface {
  readonly name = 'UsersOfSources1765400000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
