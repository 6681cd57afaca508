import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, DATE_TIME, INTEGER } from './create-table.js';

/** Creates the tables with the tables of extensions, and the positions of their listeners. */
export class Extensions1770000000000 implements MigrationInterface {
  readonly name = 'Extensions1770000000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [
      {
        name: 'extension_tables',
        columns: {
          table_name: 'VARCHAR(64) NOT NULL',
          extension: 'VARCHAR(64) NOT NULL',
          personal: 'TEXT',
        },
        primaryKey: ['table_name'],
      },
      {
        name: 'change_cursors',
        columns: {
          listener: 'VARCHAR(128) NOT NULL',
          vendor_id: INTEGER,
          position: INTEGER,
          failures: INTEGER,
          next_try: DATE_TIME,
          claim: 'VARCHAR(36)',
          claim_ends: 'DATETIME',
        },
        primaryKey: ['listener', 'vendor_id'],
      },
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE change_cursors');
    await runner.query('DROP TABLE extension_tables');
  }
}
