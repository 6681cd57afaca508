import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  addColumns,
  createTables,
  dropColumns,
  isSqlite,
  type NewColumn,
  type Table,
} from './create-table.js';

const ID = 'BIGINT NOT NULL';
const WORD = 'VARCHAR(32) NOT NULL';
const COLUMNS: readonly NewColumn[] = [
  ['ledger_revisions', 'tracked_sequence', 'BIGINT NOT NULL DEFAULT 0'],
];
const TABLES: readonly Table[] = [
  {
    name: 'tracking_values',
    columns: { vendor_id: ID, field: WORD, id: ID, value: 'VARCHAR(255) NOT NULL' },
    primaryKey: ['vendor_id', 'field', 'id'],
    indexes: [
      {
        name: 'tracking_values_by_value',
        unique: true,
        columns: ['vendor_id', 'field', 'value'],
      },
    ],
  },
  {
    name: 'tracking_sums',
    columns: {
      vendor_id: ID,
      series: WORD,
      kind: WORD,
      day: 'DATE NOT NULL',
      value_id: ID,
      transactions: ID,
      amount: ID,
      earnings: ID,
    },
    primaryKey: ['vendor_id', 'series', 'kind', 'day', 'value_id'],
  },
];
const FIELDS = [
  'utm_source',
  'utm_campaign',
  'tid',
  'sub_id1',
  'sub_id2',
  'sub_id3',
  'sub_id4',
  'sub_id5',
];
const MAX_VALUES = 2_000;
const MAX_LENGTH = 255;

const returned = (known: string, otherwise: string) =>
  `CASE WHEN status = 'charged_back' THEN '${otherwise}' ELSE '${known}' END`;
const RETURNED = {
  amount: 'refund_amount',
  earnings: 'seller_refund_impact',
  where: "status <> 'pending' AND refund_date IS NOT NULL",
};
const COUNTED = [
  {
    kind: "'sale'",
    day: 'DATE(sale_date)',
    amount: 'amount',
    earnings: 'seller_earnings',
    where: "status <> 'pending'",
  },
  { ...RETURNED, kind: returned('refund_by_sale', 'chargeback_by_sale'), day: 'DATE(sale_date)' },
  {
    ...RETURNED,
    kind: returned('refund_by_refund', 'chargeback_by_refund'),
    day: 'DATE(refund_date)',
  },
  {
    kind: returned('undated_refund', 'undated_chargeback'),
    day: 'DATE(sale_date)',
    amount: '0',
    earnings: '0',
    where: "status IN ('refunded', 'charged_back') AND refund_date IS NULL",
  },
];
const SUMS = 'vendor_id, series, kind, day, value_id, transactions, amount, earnings';

/** Adds kept sums of sales by the values of tracking fields, computed from the existing ledger. */
export class TrackingSums1766200000000 implements MigrationInterface {
  readonly name = 'TrackingSums1766200000000';

  async up(runner: QueryRunner): Promise<void> {
    await addColumns(runner, COLUMNS);
    await createTables(runner, TABLES);
    for (const { name } of TABLES) await runner.query(`DELETE FROM ${name}`);
    for (const field of FIELDS) {
      for (const statement of statementsOf(runner, field)) await runner.query(statement);
    }
    await runner.query('UPDATE ledger_revisions SET tracked_sequence = last_sequence');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of TABLES) await runner.query(`DROP TABLE ${name}`);
    await dropColumns(runner, COLUMNS);
  }
}

function statementsOf(runner: QueryRunner, field: string): string[] {
  const length = isSqlite(runner) ? 'LENGTH' : 'CHAR_LENGTH';
  const month = isSqlite(runner)
    ? "SUBSTR(day, 1, 7) || '-01'"
    : "CONCAT(SUBSTR(day, 1, 7), '-01')";
  const isValue = `${field} IS NOT NULL AND ${field} <> ''`;
  return [
    // The most frequent values are kept, because they are likely to occur again.
    `INSERT INTO tracking_values (vendor_id, field, id, value)
       SELECT vendor_id, '${field}', place, value FROM (
         SELECT vendor_id, ${field} AS value,
           ROW_NUMBER() OVER (PARTITION BY vendor_id ORDER BY COUNT(*) DESC, ${field}) AS place
         FROM transactions WHERE ${isValue} AND ${length}(${field}) <= ${MAX_LENGTH}
         GROUP BY vendor_id, ${field}) ranked
       WHERE place <= ${MAX_VALUES}`,
    ...COUNTED.flatMap(({ kind, day, amount, earnings, where }) => {
      const sums = `COUNT(*), SUM(${amount}), SUM(${earnings})`;
      return [
        `INSERT INTO tracking_sums (${SUMS})
           SELECT vendor_id, '${field}', ${kind}, ${day}, 0, ${sums}
           FROM transactions WHERE ${where} AND ${isValue} GROUP BY vendor_id, ${kind}, ${day}`,
        `INSERT INTO tracking_sums (${SUMS})
           SELECT t.vendor_id, '${field}', ${kind}, ${day}, v.id, ${sums}
           FROM transactions t JOIN tracking_values v
             ON v.vendor_id = t.vendor_id AND v.field = '${field}' AND v.value = t.${field}
           WHERE ${where} GROUP BY t.vendor_id, ${kind}, ${day}, v.id`,
      ];
    }),
    `INSERT INTO tracking_sums (${SUMS})
       SELECT vendor_id, '${field}_month', kind, ${month}, value_id, SUM(transactions), SUM(amount),
         SUM(earnings)
       FROM tracking_sums WHERE series = '${field}' GROUP BY vendor_id, kind, ${month}, value_id`,
  ];
}
