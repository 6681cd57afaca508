import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addColumns,
  addIndex,
  createTables,
  dropColumns,
  dropIndex,
  type NewColumn,
  type NewIndex,
  type Table,
} from './create-table.js';

const COLUMNS: readonly NewColumn[] = [
  ['erased_people', 'number', 'BIGINT NOT NULL DEFAULT 0'],
  ['erased_people', 'numbered_at', 'DATETIME NULL'],
  ['person_keys', 'last_number', 'BIGINT NOT NULL DEFAULT 0'],
];
const INDEXES: readonly NewIndex[] = [
  {
    table: 'erased_people',
    name: 'erased_people_by_number',
    columns: ['number', 'vendor_id', 'person'],
  },
  {
    table: 'erased_people',
    name: 'erased_people_by_pending',
    columns: ['is_pending', 'vendor_id', 'person'],
  },
];
const TABLES: readonly Table[] = [
  {
    name: 'erasure_files',
    columns: {
      id: 'VARCHAR(32) NOT NULL',
      entries: 'BIGINT NOT NULL',
      bytes: 'BIGINT NOT NULL',
      ending: 'VARCHAR(64) NOT NULL',
      secret: 'VARCHAR(255) NOT NULL',
      through: 'BIGINT NOT NULL',
      seen: 'DATETIME NOT NULL',
    },
    primaryKey: ['id'],
  },
  {
    name: 'open_imports',
    columns: {
      id: 'VARCHAR(36) NOT NULL',
      vendor_id: 'BIGINT NOT NULL',
      ends: 'DATETIME NOT NULL',
    },
    primaryKey: ['id'],
  },
  {
    name: 'early_erasures',
    columns: { vendor_id: 'BIGINT NOT NULL', tombstones: 'BIGINT NOT NULL' },
    primaryKey: ['vendor_id'],
  },
];

/**
 * Numbers the tombstones of erased people. Also adds the progress of reading each file of erasures,
 * the open imports, and each vendor's number of tombstones of people of whom nothing was stored. No
 * row is written here: the first start numbers the stored tombstones in batches. Instances of the
 * previous version write tombstones without a number, which `is_pending` shows: they set it to 0
 * where this version sets it to 2.
 */
export class ErasureFiles1767300000000 implements MigrationInterface {
  readonly name = 'ErasureFiles1767300000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
    for (const index of INDEXES) await addIndex(runner, index);
    await createTables(runner, TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of TABLES) await runner.query(`DROP TABLE ${name}`);
    for (const index of INDEXES) await dropIndex(runner, index);
    await runner.query('UPDATE erased_people SET is_pending = 0 WHERE is_pending = 2');
    await dropColumns(runner, COLUMNS);
  }
}
