import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dateTimeOf } from '../../common/time.js';
import {
  addColumns,
  addIndex,
  createTables,
  dropColumns,
  dropIndex,
  isSqlite,
  type NewColumn,
  type NewIndex,
  type Table,
} from './create-table.js';

const COLUMNS: readonly NewColumn[] = [
  ['ledger_revisions', 'last_sequence', 'BIGINT NOT NULL DEFAULT 0'],
  ['transactions', 'sequence', 'BIGINT NULL'],
  ['transactions', 'changed_at', 'DATETIME NULL'],
];
const BY_SEQUENCE: NewIndex = {
  table: 'transactions',
  name: 'transactions_by_sequence',
  columns: ['vendor_id', 'sequence', 'arrival'],
};
const RECORDS: Table = {
  name: 'changed_records',
  columns: {
    vendor_id: 'BIGINT NOT NULL',
    kind: 'VARCHAR(32) NOT NULL',
    record_key: 'VARCHAR(255) NOT NULL',
    sequence: 'BIGINT NOT NULL',
    changed_at: 'DATETIME NOT NULL',
  },
  primaryKey: ['vendor_id', 'kind', 'record_key'],
  indexes: [
    { name: 'changed_records_by_sequence', columns: ['vendor_id', 'kind', 'sequence'] },
    { name: 'changed_records_by_key', columns: ['kind', 'record_key'] },
  ],
};
const OF_PRODUCT = 'JOIN products p ON p.id = x.product_id';

/**
 * Numbers the changes of each vendor's ledger. An existing transaction has its arrival as its
 * sequence, so no row of the big table is written. The other existing records are numbered after
 * that.
 */
export class Changes1765500000000 implements MigrationInterface {
  readonly name = 'Changes1765500000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
    await createTables(runner, [RECORDS]);
    await addIndex(runner, BY_SEQUENCE);
    await runner.query('DELETE FROM changed_records');
    await runner.query(
      `INSERT INTO ledger_revisions (vendor_id, revision)
         SELECT DISTINCT vendor_id, 0 FROM products
         WHERE vendor_id NOT IN (SELECT vendor_id FROM ledger_revisions)`,
    );
    await runner.query('UPDATE ledger_revisions SET last_sequence = last_arrival');
    const relationship = isSqlite(runner)
      ? "x.affiliate_id || '/' || x.product_id"
      : "CONCAT(x.affiliate_id, '/', x.product_id)";
    await number(runner, 'product', 'CAST(p.id AS CHAR)', 'products p');
    await number(runner, 'relationship', relationship, `affiliations x ${OF_PRODUCT}`);
    await number(runner, 'recurring_payment', 'x.pre_key', `recurring_payments x ${OF_PRODUCT}`);
    const shown = `(SELECT DISTINCT vendor_id, affiliate_id FROM transactions
      WHERE affiliate_id IS NOT NULL) p`;
    await number(runner, 'affiliate', 'CAST(p.affiliate_id AS CHAR)', shown);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropIndex(runner, BY_SEQUENCE);
    await runner.query('DROP TABLE changed_records');
    await dropColumns(runner, COLUMNS);
  }
}

/**
 * Numbers the existing records of a kind.
 * @param from a FROM clause that names the vendor `p.vendor_id`
 */
async function number(runner: QueryRunner, kind: string, key: string, from: string): Promise<void> {
  await runner.query(
    `INSERT INTO changed_records (vendor_id, kind, record_key, sequence, changed_at)
       SELECT p.vendor_id, '${kind}', ${key}, r.last_sequence
         + ROW_NUMBER() OVER (PARTITION BY p.vendor_id ORDER BY ${key}), '${dateTimeOf(new Date())}'
       FROM ${from} JOIN ledger_revisions r ON r.vendor_id = p.vendor_id`,
  );
  await runner.query(
    `UPDATE ledger_revisions SET last_sequence = COALESCE((SELECT MAX(c.sequence)
       FROM changed_records c WHERE c.vendor_id = ledger_revisions.vendor_id), last_sequence)`,
  );
}
