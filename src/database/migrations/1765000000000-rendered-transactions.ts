import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

const COLUMNS: readonly NewColumn[] = [['transactions', 'rendered', 'BLOB NULL']];

/**
 * Adds a column for the JSON of a transaction beside its row (docs/adr/0025-stored-json.md). Adding
 * an empty column takes no time; `render` fills it later.
 */
export class RenderedTransactions1765000000000 implements MigrationInterface {
  readonly name = 'RenderedTransactions1765000000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
