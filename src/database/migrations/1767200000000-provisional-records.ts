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

const COLUMNS: readonly NewColumn[] = [
  ['users', 'admitted', 'VARCHAR(16) NULL'],
  ['products', 'source_vendor_id', 'BIGINT NULL'],
  ['products', 'source_version', 'BIGINT NULL'],
  ['ledger_revisions', 'has_removed', 'BIGINT NOT NULL DEFAULT 0'],
];
const BY_SOURCE = ['users', 'products'].map((table): NewIndex => {
  return { table, name: `${table}_by_source`, columns: ['source_vendor_id', 'id'] };
});
const VENDORS_WITH_SOURCES = `SELECT user_id FROM api_applications WHERE access = 'source'
  UNION SELECT vendor_id FROM upstreams`;
const OF_SOURCES = 'source_vendor_id IS NOT NULL';

/**
 * Marks the records that sources and upstreams created as provisional until a record of the
 * operator names them. Also marks the ledgers from which something was removed. Users of a source
 * who already have a password or an application keep them. The sender of existing products is
 * unknown, so they count as the operator's; the versions of products that a source or an upstream
 * can change do not apply to the operator's records.
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
          OR EXISTS (SELECT 1 FROM api_applications
            WHERE api_applications.user_id = users.id AND api_applications.access <> 'source'))`);
    await runner.query(`UPDATE products SET source_version = record_version, record_version = NULL
      WHERE record_version IS NOT NULL AND vendor_id IN (${VENDORS_WITH_SOURCES})`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of BY_SOURCE) await dropIndex(runner, index);
    await runner.query(`UPDATE products SET record_version = source_version
      WHERE record_version IS NULL`);
    await dropColumns(runner, COLUMNS);
  }
}
