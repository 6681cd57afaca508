import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, type Table } from './create-table.js';

const LINKS: Table = {
  name: 'password_links',
  columns: {
    user_id: 'BIGINT NOT NULL',
    token_hash: 'VARCHAR(64) NOT NULL',
    kind: 'VARCHAR(32) NOT NULL',
    sign_in_email: 'VARCHAR(255) NOT NULL',
    created: 'DATETIME NOT NULL',
    expires: 'DATETIME NOT NULL',
  },
  primaryKey: ['user_id'],
  indexes: [
    { name: 'password_links_by_token', columns: ['token_hash'], unique: true },
    { name: 'password_links_by_expires', columns: ['expires'] },
  ],
};

/** Adds links with which a user sets a password, at most one for each user. */
export class PasswordLinks1766500000000 implements MigrationInterface {
  readonly name = 'PasswordLinks1766500000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [LINKS]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE password_links');
  }
}
