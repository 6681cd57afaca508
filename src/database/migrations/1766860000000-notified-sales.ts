import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumns, dropColumns, type NewColumn } from './create-table.js';

const COLUMNS: readonly NewColumn[] = [
  ['upstreams', 'seek_run', 'DATETIME NULL'],
  ['upstreams', 'last_seek', 'DATETIME NULL'],
];

/**
 * Adds the times of the runs that search for sales which were notified, but which the upstream did
 * not know.
 */
export class NotifiedSales1766860000000 implements MigrationInterface {
  readonly name = 'NotifiedSales1766860000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropColumns(runner, COLUMNS);
  }
}
