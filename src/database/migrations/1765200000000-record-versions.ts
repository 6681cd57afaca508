import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

const TABLES = [
  ...(['users', 'products', 'affiliations'] as const),
  ...(['recurring_payments', 'transactions', 'daily_clicks'] as const),
];
/**
 * The new columns are the last ones and nullable, so that the database need not rewrite the rows.
 */
const COLUMNS = TABLES.map((table): NewColumn => [table, 'record_version', 'BIGINT NULL']);

/**
 * Adds the versions that the sources of records give them. Records that are already stored have
 * none.
 */
export class RecordVersions1765200000000 implements MigrationInterface {
  readonly name = 'RecordVersions1765200000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
