import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, isSqlite, type Table } from './create-table.js';

const ID = 'BIGINT NOT NULL';
const SUM = 'BIGINT NOT NULL';
const WORD = 'VARCHAR(32) NOT NULL';
const DAY = 'DATE NOT NULL';

const TABLES: readonly Table[] = [
  {
    name: 'vendor_sums',
    columns: {
      vendor_id: ID,
      series: WORD,
      kind: WORD,
      day: DAY,
      item_id: ID,
      transactions: SUM,
      amount: SUM,
      earnings: SUM,
      commissions: SUM,
      fees: SUM,
    },
    primaryKey: ['vendor_id', 'series', 'kind', 'day', 'item_id'],
  },
  {
    name: 'affiliate_day_sums',
    columns: {
      vendor_id: ID,
      kind: WORD,
      day: DAY,
      affiliate_id: ID,
      product_id: ID,
      transactions: SUM,
      amount: SUM,
      earnings: SUM,
      commission: SUM,
    },
    primaryKey: ['vendor_id', 'kind', 'day', 'affiliate_id', 'product_id'],
    indexes: [{ name: 'affiliate_day_sums_by_affiliate', columns: ['affiliate_id', 'day'] }],
  },
];

/** Returns zero for a pending transaction, of which only the amount counts. */
const unlessPending = (sum: string) => `CASE WHEN status = 'pending' THEN 0 ELSE ${sum} END`;
const returned = (known: string, otherwise: string) =>
  `CASE WHEN status = 'charged_back' THEN '${otherwise}' ELSE '${known}' END`;

const SALES = {
  kind: "CASE WHEN status = 'pending' THEN 'pending' ELSE 'sale' END",
  day: 'DATE(sale_date)',
  amount: 'amount',
  earnings: unlessPending('seller_earnings'),
  commission: unlessPending('affiliate_payout'),
  commissions: unlessPending('affiliate_payout + agent_payout + jv_payout'),
  fees: unlessPending('service_fee'),
  where: '1 = 1',
};
const RETURNED = {
  amount: 'refund_amount',
  earnings: 'seller_refund_impact',
  commission: 'affiliate_refund_impact',
  commissions: 'affiliate_refund_impact + agent_refund_impact + jv_refund_impact',
  fees: 'service_fee_adjustment',
  where: "status <> 'pending' AND refund_date IS NOT NULL",
};
const COUNTED = [
  SALES,
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
    commission: '0',
    commissions: '0',
    fees: '0',
    where: "status IN ('refunded', 'charged_back') AND refund_date IS NULL",
  },
];
const OF_VENDORS =
  'vendor_id, series, kind, day, item_id, transactions, amount, earnings, commissions, fees';
const OF_AFFILIATES =
  'vendor_id, kind, day, affiliate_id, product_id, transactions, amount, earnings, commission';
const SUMMED = 'SUM(transactions), SUM(amount), SUM(earnings)';

/** Adds kept sums for reports, computed from the existing ledger. */
export class ReportSums1764300000000 implements MigrationInterface {
  readonly name = 'ReportSums1764300000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, TABLES);
    for (const { name } of TABLES) await runner.query(`DELETE FROM ${name}`);
    for (const statement of [...fromLedger(), ...fromDays(runner)]) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of TABLES) await runner.query(`DROP TABLE ${name}`);
  }
}

/** Returns statements that insert daily sums of products, and of products by affiliate. */
function fromLedger(): string[] {
  return COUNTED.flatMap(
    ({ kind, day, amount, earnings, commission, commissions, fees, where }) => [
      `INSERT INTO vendor_sums (${OF_VENDORS})
      SELECT vendor_id, 'product', ${kind}, ${day}, product_id, COUNT(*), SUM(${amount}),
        SUM(${earnings}), SUM(${commissions}), SUM(${fees})
      FROM transactions WHERE ${where} GROUP BY vendor_id, ${kind}, ${day}, product_id`,
      `INSERT INTO affiliate_day_sums (${OF_AFFILIATES})
      SELECT vendor_id, ${kind}, ${day}, affiliate_id, product_id, COUNT(*), SUM(${amount}),
        SUM(${earnings}), SUM(${commission})
      FROM transactions WHERE affiliate_id IS NOT NULL AND ${where}
      GROUP BY vendor_id, ${kind}, ${day}, affiliate_id, product_id`,
    ],
  );
}

/**
 * Returns statements that insert sums of the daily sums, which are far fewer than the transactions.
 */
function fromDays(runner: QueryRunner): string[] {
  const month = isSqlite(runner)
    ? "SUBSTR(day, 1, 7) || '-01'"
    : "CONCAT(SUBSTR(day, 1, 7), '-01')";
  const INSERT = `INSERT INTO vendor_sums (${OF_VENDORS})`;
  return [
    `${INSERT} SELECT vendor_id, 'total', kind, day, 0, ${SUMMED}, SUM(commissions), SUM(fees)
      FROM vendor_sums WHERE series = 'product' GROUP BY vendor_id, kind, day`,
    `${INSERT} SELECT vendor_id, 'product_month', kind, ${month}, item_id, ${SUMMED},
        SUM(commissions), SUM(fees)
      FROM vendor_sums WHERE series = 'product' GROUP BY vendor_id, kind, ${month}, item_id`,
    `${INSERT} SELECT vendor_id, 'affiliate_month', kind, ${month}, affiliate_id, ${SUMMED},
        SUM(commission), 0
      FROM affiliate_day_sums GROUP BY vendor_id, kind, ${month}, affiliate_id`,
  ];
}
