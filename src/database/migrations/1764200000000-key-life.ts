import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

const COLUMNS: readonly NewColumn[] = [
  ['api_applications', 'limits', 'VARCHAR(255) NULL'],
  ['api_keys', 'last_used', 'DATETIME NULL'],
];

/** Adds individual limits of an API application, and the last use of a key. */
export class KeyLife1764200000000 implements MigrationInterface {
  readonly name = 'KeyLife1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
