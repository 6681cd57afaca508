import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, type Table } from './create-table.js';

const PROBLEMS: Table = {
  name: 'upstream_problems',
  columns: {
    upstream_id: 'BIGINT NOT NULL',
    subject: 'VARCHAR(255) NOT NULL',
    kind: 'VARCHAR(128) NOT NULL',
    text: 'VARCHAR(255) NULL',
    day: 'DATE NULL',
    seen: 'DATETIME NOT NULL',
  },
  primaryKey: ['upstream_id', 'subject', 'kind'],
};

/**
 * Adds the problems of upstreams' records: those that were not stored, or that had to be changed to
 * be stored.
 */
export class UpstreamProblems1766880000000 implements MigrationInterface {
  readonly name = 'UpstreamProblems1766880000000';

  /**
   * Creates the table. It also clears problems of records, which an earlier version stored in the
   * column that now holds the failures of an upstream.
   */
  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [PROBLEMS]);
    await runner.query('UPDATE upstreams SET problem = NULL WHERE failures = 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE upstream_problems');
  }
}
