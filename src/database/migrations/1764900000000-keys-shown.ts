import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

const COLUMNS: readonly NewColumn[] = [['api_applications', 'last_shown', 'DATETIME NULL']];

/** Adds the time at which a key was last shown, so that repeated views make one audit entry. */
export class KeysShown1764900000000 implements MigrationInterface {
  readonly name = 'KeysShown1764900000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
