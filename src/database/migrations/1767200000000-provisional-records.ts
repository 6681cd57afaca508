import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addColumns,
  addIndex,
  dropColumns,
  dropIndex,
  isSqlite,
  type NewColumn,
  type NewIndex,
} from './create-table.js';

const COLUMNS: readonly NewColumn[] = [['users', 'admitted', 'VARCHAR(16) NULL']];
const BY_SOURCE = ['users'].map((table): NewIndex => {
  return { table, name: `${table}_by_source`, columns: ['source_vendor_id', 'id'] };
});
const OF_SOURCES = 'source_vendor_id IS NOT NULL';

/**
 * Marks the records that sources and upstreams created until the operator names them. Users of a source who already
 * have a password or an application keep them. No other row is written.
 */
export class ProvisionalRecords1767200000000 implements MigrationInterface {
  readonly name = 'ProvisionalRecords1767200000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
    const sparse = isSqlite(runner) ? { where: OF_SOURCES } : {};
    for (const index of BY_SOURCE) await addIndex(runner, { ...index, ...sparse });
    await runner.query(`UPDATE users SET admitted = 'upgrade'
      WHERE ${OF_SOURCES} AND admitted IS NULL
        AND (EXISTS (SELECT 1 FROM user_passwords WHERE user_passwords.user_id = users.id)
          OR EXISTS (SELECT 1 FROM api_applications WHERE api_applications.user_id = users.id AND api_applications.access <> 'source'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of BY_SOURCE) await dropIndex(runner, index);
    await dropColumns(runner, COLUMNS);
  }
}
