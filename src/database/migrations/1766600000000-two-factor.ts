import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, type Table } from './create-table.js';

const TABLES: readonly Table[] = [
  {
    name: 'user_two_factor',
    columns: {
      user_id: 'BIGINT NOT NULL',
      encrypted_secret: 'VARCHAR(255) NOT NULL',
      confirmed: 'DATETIME NOT NULL',
      last_step: 'BIGINT NOT NULL',
    },
    primaryKey: ['user_id'],
  },
  {
    name: 'recovery_codes',
    columns: { user_id: 'BIGINT NOT NULL', code_hash: 'VARCHAR(64) NOT NULL' },
    primaryKey: ['user_id', 'code_hash'],
  },
  {
    name: 'two_factor_requirements',
    columns: { user_id: 'BIGINT NOT NULL', created: 'DATETIME NOT NULL' },
    primaryKey: ['user_id'],
  },
  {
    name: 'sign_in_networks',
    columns: {
      user_id: 'BIGINT NOT NULL',
      network: 'VARCHAR(64) NOT NULL',
      last_sign_in: 'DATETIME NOT NULL',
      notice: 'VARCHAR(16) NOT NULL',
      noticed: 'DATETIME NOT NULL',
      address: 'VARCHAR(64) NOT NULL',
      device: 'VARCHAR(255) NOT NULL',
    },
    primaryKey: ['user_id', 'network'],
    indexes: [{ name: 'sign_in_networks_by_last_sign_in', columns: ['last_sign_in'] }],
  },
];

/**
 * Adds two-factor sign-in with its recovery codes, the users who must use it, and the networks from
 * which users sign in.
 */
export class TwoFactor1766600000000 implements MigrationInterface {
  readonly name = 'TwoFactor1766600000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of TABLES) await runner.query(`DROP TABLE ${name}`);
  }
}
