import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, type Table } from './create-table.js';

const VENDOR_USERS: Table = {
  name: 'vendor_users',
  columns: {
    vendor_id: 'BIGINT NOT NULL',
    user_id: 'BIGINT NOT NULL',
    name: 'VARCHAR(255) NOT NULL',
    email: 'VARCHAR(255) NOT NULL',
    display_name: 'VARCHAR(255) NULL',
    record_version: 'BIGINT NULL',
  },
  primaryKey: ['vendor_id', 'user_id'],
  indexes: [{ name: 'vendor_users_by_user', columns: ['user_id'] }],
};

/**
 * Adds the names that the source of one vendor gives to users whom it did not add. The table begins
 * empty, because such names were not stored before.
 */
export class UsersOfVendors1766950000000 implements MigrationInterface {
  readonly name = 'UsersOfVendors1766950000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [VENDOR_USERS]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE vendor_users');
  }
}
