import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addColumns,
  addIndex,
  createTables,
  dropColumns,
  dropIndexIfThere,
  isSqlite,
  type NewColumn,
  type NewIndex,
} from './create-table.js';

const PAYMENTS = 'recurring_payments';
const COPY = 'recurring_payments_copy';
const ADDED: readonly NewColumn[] = [[PAYMENTS, 'status_word', 'VARCHAR(255) NULL']];
/** The columns whose type changes, with the new type. */
const CHANGED: ReadonlyMap<string, string> = new Map([
  ['next_payment', 'VARCHAR(256) NOT NULL'],
  ['last_date', 'DATETIME NULL'],
  ['next_date', 'DATETIME NULL'],
]);
const BY_NEXT_DATE: NewIndex = {
  table: PAYMENTS,
  name: 'recurring_payments_by_next_date',
  columns: ['vendor_id', 'status', 'next_date', 'pre_key'],
};
const BY_NEXT_PAYMENT: NewIndex = {
  table: PAYMENTS,
  name: 'recurring_payments_by_next_payment',
  columns: ['vendor_id', 'status', 'next_payment', 'pre_key'],
};

/** The last day represents an unknown one. */
const DAY = "COALESCE(DATE(next_date), '9999-12-31')";

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
}

/**
 * Makes `next_payment` text, and lets the dates of a subscription be unknown. The index of due
 * payments and the sums follow `next_date`. Stored values stay unchanged, so that instances of the
 * previous version can read and write them during an upgrade.
 */
export class RecurringTexts1766900000000 implements MigrationInterface {
  readonly name = 'RecurringTexts1766900000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, ADDED);
    await dropIndexIfThere(runner, BY_NEXT_PAYMENT);
    await (isSqlite(runner) ? changeOnSqlite(runner) : changeOnMysql(runner));
    await addIndex(runner, BY_NEXT_DATE);
    await runner.query('DELETE FROM recurring_sums');
    await runner.query(
      `INSERT INTO recurring_sums (vendor_id, status, day, agreements, amount)
         SELECT vendor_id, status, ${DAY}, COUNT(*), SUM(price)
         FROM ${PAYMENTS} WHERE vendor_id IS NOT NULL GROUP BY vendor_id, status, ${DAY}`,
    );
  }

  /** Restores the index. The types and the sums stay, since text has no day. */
  async down(runner: QueryRunner): Promise<void> {
    await dropIndexIfThere(runner, BY_NEXT_DATE);
    await addIndex(runner, BY_NEXT_PAYMENT);
    await dropColumns(runner, ADDED);
  }
}

/** Changes all columns in one statement, so that an interruption leaves all or none changed. */
async function changeOnMysql(runner: QueryRunner): Promise<void> {
  const [column] = (await runner.query(
    `SHOW COLUMNS FROM ${PAYMENTS} WHERE Field = 'next_payment'`,
  )) as { readonly Type: string }[];
  if (column?.Type.toLowerCase() !== 'datetime') return;
  const changes = [...CHANGED].map(([name, type]) => `MODIFY COLUMN ${name} ${type}`);
  await runner.query(`ALTER TABLE ${PAYMENTS} ${changes.join(', ')}`);
}

/** Copies the table in the transaction of the migration, since SQLite cannot change a column. */
async function changeOnSqlite(runner: QueryRunner): Promise<void> {
  const columns = (await runner.query(`PRAGMA table_info(${PAYMENTS})`)) as ColumnInfo[];
  const indexes = (await runner.query(
    `SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = '${PAYMENTS}' AND sql IS NOT NULL`,
  )) as { readonly sql: string }[];
  const typeOf = ({ name, type, notnull }: ColumnInfo): string =>
    CHANGED.get(name) ?? `${type} ${notnull === 1 ? 'NOT NULL' : 'NULL'}`;
  const types = columns.map((column) => [column.name, typeOf(column)] as const);
  await createTables(runner, [
    { name: COPY, columns: Object.fromEntries(types), primaryKey: ['pre_key'] },
  ]);
  const names = columns.map(({ name }) => name).join(', ');
  await runner.query(`INSERT INTO ${COPY} (${names}) SELECT ${names} FROM ${PAYMENTS}`);
  await runner.query(`DROP TABLE ${PAYMENTS}`);
  await runner.query(`ALTER TABLE ${COPY} RENAME TO ${PAYMENTS}`);
  for (const { sql } of indexes) await runner.query(sql);
}
