import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, type Table } from './create-table.js';

const UPSTREAMS: Table = {
  name: 'upstreams',
  columns: {
    id: 'GENERATED',
    vendor_id: 'BIGINT NOT NULL',
    url: 'VARCHAR(2048) NOT NULL',
    state: 'VARCHAR(32) NOT NULL',
    secret: 'TEXT NOT NULL',
    token: 'VARCHAR(255) NOT NULL',
    words: 'VARCHAR(255) NOT NULL',
    every_seconds: 'BIGINT NOT NULL',
    wanted: 'VARCHAR(32) NULL',
    run: 'VARCHAR(32) NULL',
    run_began: 'DATETIME NULL',
    first_day: 'DATE NULL',
    last_day: 'DATE NULL',
    next_day: 'DATE NULL',
    listed: 'BIGINT NOT NULL',
    missing: 'BIGINT NOT NULL',
    last_recent: 'DATETIME NULL',
    last_quarter: 'DATETIME NULL',
    last_full: 'DATETIME NULL',
    next_try: 'DATETIME NOT NULL',
    failures: 'BIGINT NOT NULL',
    problem: 'VARCHAR(255) NULL',
    claim: 'VARCHAR(36) NULL',
    claim_ends: 'DATETIME NULL',
    created: 'DATETIME NOT NULL',
  },
  primaryKey: [],
  indexes: [
    { name: 'upstreams_by_vendor', columns: ['vendor_id'], unique: true },
    { name: 'upstreams_by_next_try', columns: ['state', 'next_try'] },
  ],
};
const READS: Table = {
  name: 'upstream_reads',
  columns: {
    upstream_id: 'BIGINT NOT NULL',
    kind: 'VARCHAR(32) NOT NULL',
    record_key: 'VARCHAR(255) NOT NULL',
    sale_date: 'DATETIME NOT NULL',
    failures: 'BIGINT NOT NULL',
    next_try: 'DATETIME NOT NULL',
  },
  primaryKey: ['upstream_id', 'kind', 'record_key'],
  indexes: [{ name: 'upstream_reads_by_sale', columns: ['upstream_id', 'sale_date'] }],
};

/**
 * Adds the services from which vendors' ledgers are filled, and the records that are to be read
 * from them.
 */
export class Upstreams1765700000000 implements MigrationInterface {
  readonly name = 'Upstreams1765700000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [UPSTREAMS, READS]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE upstream_reads');
    await runner.query('DROP TABLE upstreams');
  }
}
