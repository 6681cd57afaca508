import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, type Table } from './create-table.js';

const ENDPOINTS: Table = {
  name: 'webhook_endpoints',
  columns: {
    id: 'GENERATED',
    vendor_id: 'BIGINT NOT NULL',
    url: 'VARCHAR(2048) NOT NULL',
    state: 'VARCHAR(32) NOT NULL',
    secret: 'VARCHAR(255) NOT NULL',
    old_secret: 'VARCHAR(255) NULL',
    old_secret_ends: 'DATETIME NULL',
    position: 'BIGINT NOT NULL',
    number: 'BIGINT NOT NULL',
    failures: 'BIGINT NOT NULL',
    next_try: 'DATETIME NOT NULL',
    claim: 'VARCHAR(36) NULL',
    claim_ends: 'DATETIME NULL',
    problem: 'VARCHAR(255) NULL',
    created: 'DATETIME NOT NULL',
    last_taken: 'DATETIME NULL',
  },
  primaryKey: [],
  indexes: [
    { name: 'webhook_endpoints_by_vendor', columns: ['vendor_id'] },
    { name: 'webhook_endpoints_by_next_try', columns: ['state', 'next_try'] },
  ],
};
const DELIVERIES: Table = {
  name: 'webhook_deliveries',
  columns: {
    endpoint_id: 'BIGINT NOT NULL',
    number: 'BIGINT NOT NULL',
    webhook_id: 'VARCHAR(64) NOT NULL',
    first_sequence: 'BIGINT NULL',
    last_sequence: 'BIGINT NULL',
    changes: 'BIGINT NOT NULL',
    sent: 'DATETIME NOT NULL',
    duration_ms: 'BIGINT NOT NULL',
    status: 'BIGINT NULL',
    problem: 'VARCHAR(255) NULL',
    answer: 'TEXT NULL',
  },
  primaryKey: ['endpoint_id', 'number'],
};

/** Adds endpoints of webhooks, and their last deliveries. */
export class Webhooks1765600000000 implements MigrationInterface {
  readonly name = 'Webhooks1765600000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [ENDPOINTS, DELIVERIES]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE webhook_deliveries');
    await runner.query('DROP TABLE webhook_endpoints');
  }
}
