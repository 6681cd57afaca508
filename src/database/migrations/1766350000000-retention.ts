import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, type Table } from './create-table.js';

const TABLES: readonly Table[] = [
  {
    name: 'retention_rules',
    columns: { vendor_id: 'BIGINT NOT NULL', months: 'BIGINT NULL' },
    primaryKey: ['vendor_id'],
  },
  {
    name: 'retained_ledgers',
    columns: {
      vendor_id: 'BIGINT NOT NULL',
      retained_from: 'DATE NOT NULL',
      emptied_to: 'DATETIME NOT NULL',
      emptied_arrival: 'BIGINT NOT NULL',
      transactions: 'BIGINT NOT NULL',
      recurring_payments: 'BIGINT NOT NULL',
      done_on: 'DATE NULL',
      claim: 'VARCHAR(36) NULL',
      claim_ends: 'DATETIME NULL',
    },
    primaryKey: ['vendor_id'],
  },
];

/** Adds the number of months for which personal data is kept, and the progress of its deletion. */
export class Retention1766350000000 implements MigrationInterface {
  readonly name = 'Retention1766350000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of TABLES) await runner.query(`DROP TABLE ${name}`);
  }
}
