import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

const COLUMNS: readonly NewColumn[] = [
  ['api_applications', 'access', "VARCHAR(32) NOT NULL DEFAULT 'full'"],
];

/**
 * Adds the access level of an application. It is `full` in existing rows, and in rows that
 * instances of the previous version add during an upgrade.
 */
export class ApplicationAccess1765100000000 implements MigrationInterface {
  readonly name = 'ApplicationAccess1765100000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
