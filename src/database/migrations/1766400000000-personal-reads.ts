import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, type Table } from './create-table.js';

const READS: Table = {
  name: 'personal_reads',
  columns: {
    vendor_id: 'BIGINT NOT NULL',
    read_at: 'DATETIME NOT NULL',
    writer: 'VARCHAR(16) NOT NULL',
    number: 'BIGINT NOT NULL',
    user_id: 'BIGINT NOT NULL',
    application_id: 'BIGINT NOT NULL',
    operation: 'VARCHAR(64) NOT NULL',
    record_keys: 'TEXT NULL',
    first_day: 'DATE NULL',
    last_day: 'DATE NULL',
    records: 'BIGINT NULL',
    times: 'BIGINT NOT NULL',
  },
  primaryKey: ['vendor_id', 'read_at', 'writer', 'number'],
};

/** Adds the log of reads of the personal data of a vendor's customers. */
export class PersonalReads1766400000000 implements MigrationInterface {
  readonly name = 'PersonalReads1766400000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [READS]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE personal_reads');
  }
}
