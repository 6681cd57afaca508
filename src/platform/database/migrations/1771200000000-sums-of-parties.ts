import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, DAY, dialectOf, INTEGER, WORD, type Table } from './create-table.js';

const OTHERS = { fees: INTEGER, agent: INTEGER, jv: INTEGER, taxes: INTEGER };

const VENDOR_SUMS: Table = {
  name: 'vendor_sums',
  columns: {
    vendor_id: INTEGER,
    series: WORD,
    kind: WORD,
    day: DAY,
    item_id: INTEGER,
    transactions: INTEGER,
    amount: INTEGER,
    earnings: INTEGER,
    commissions: INTEGER,
    ...OTHERS,
  },
  primaryKey: ['vendor_id', 'series', 'kind', 'day', 'item_id'],
};
const AFFILIATE_DAY_SUMS: Table = {
  name: 'affiliate_day_sums',
  columns: {
    vendor_id: INTEGER,
    kind: WORD,
    day: DAY,
    affiliate_id: INTEGER,
    product_id: INTEGER,
    transactions: INTEGER,
    amount: INTEGER,
    earnings: INTEGER,
    commission: INTEGER,
    ...OTHERS,
  },
  primaryKey: ['vendor_id', 'kind', 'day', 'affiliate_id', 'product_id'],
  indexes: { affiliate_day_sums_by_affiliate: ['affiliate_id', 'day'] },
};
const TABLES = [AFFILIATE_DAY_SUMS, VENDOR_SUMS];

/** The columns of the ledger with the money of a sale, and of its refund or chargeback. */
const SOLD = {
  amount: 'amount',
  earnings: 'seller_earnings',
  affiliate: 'affiliate_payout',
  fees: 'service_fee',
  agent: 'agent_payout',
  jv: 'jv_payout',
  taxes: 'COALESCE(tax_total, 0)',
};
const NOTHING = {
  amount: '0',
  earnings: '0',
  affiliate: '0',
  fees: '0',
  agent: '0',
  jv: '0',
  taxes: '0',
};
const RETURNED = {
  amount: 'COALESCE(refund_amount, 0)',
  earnings: 'COALESCE(seller_refund_impact, 0)',
  affiliate: 'COALESCE(affiliate_refund_impact, 0)',
  fees: 'COALESCE(service_fee_adjustment, 0)',
  agent: 'COALESCE(agent_refund_impact, 0)',
  jv: 'COALESCE(jv_refund_impact, 0)',
  taxes: '0',
};

const IS_REFUND = "(status = 'refunded' OR status = 'completed' AND refund_date IS NOT NULL)";
const IS_CHARGEBACK = "status = 'charged_back'";

/** The kinds under which a transaction counts, in the order in which they are filled. */
const KINDS = [
  { kind: 'sale', date: 'sale_date', money: SOLD, where: "status <> 'pending'" },
  {
    kind: 'pending',
    date: 'sale_date',
    money: { ...NOTHING, amount: 'amount' },
    where: "status = 'pending'",
  },
  ...[
    { word: 'refund', is: IS_REFUND },
    { word: 'chargeback', is: IS_CHARGEBACK },
  ].flatMap(({ word, is }) => {
    const dated = { money: RETURNED, where: `${is} AND refund_date IS NOT NULL` };
    return [
      { ...dated, kind: `${word}_by_sale`, date: 'sale_date' },
      { ...dated, kind: `${word}_by_refund`, date: 'refund_date' },
      {
        kind: `undated_${word}`,
        date: 'sale_date',
        money: NOTHING,
        where: `${is} AND refund_date IS NULL`,
      },
    ];
  }),
];

const SUMMED = 'SUM(transactions), SUM(amount), SUM(earnings)';
const SUMMED_OTHERS = 'SUM(fees), SUM(agent), SUM(jv), SUM(taxes)';

/**
 * Adds the fees, the commissions of agents and partners, and the taxes to the kept sums of reports,
 * and fills them again. The columns have no default, because processes of another version must not
 * write rows that lack the sums. SQLite cannot add such a column, so the tables are made again
 * there. Each statement is a transaction of its own on MySQL, which keeps the write sets of a Galera
 * cluster small.
 */
export class SumsOfParties1771200000000 implements MigrationInterface {
  readonly name = 'SumsOfParties1771200000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await emptyWithSums(runner, table);
    for (const { kind, date, money, where } of KINDS) {
      const { amount, earnings, affiliate, fees, agent, jv, taxes } = money;
      const others = `SUM(${fees}), SUM(${agent}), SUM(${jv}), SUM(${taxes})`;
      await runner.query(`INSERT INTO vendor_sums ${columnsOf(VENDOR_SUMS)}
        SELECT vendor_id, 'product', '${kind}', DATE(${date}), product_id, COUNT(*), SUM(${amount}),
          SUM(${earnings}), SUM(${affiliate} + ${agent} + ${jv}), ${others}
        FROM transactions WHERE ${where} GROUP BY vendor_id, DATE(${date}), product_id`);
      await runner.query(`INSERT INTO affiliate_day_sums ${columnsOf(AFFILIATE_DAY_SUMS)}
        SELECT vendor_id, '${kind}', DATE(${date}), affiliate_id, product_id, COUNT(*),
          SUM(${amount}), SUM(${earnings}), SUM(${affiliate}), ${others}
        FROM transactions WHERE ${where} AND affiliate_id IS NOT NULL
        GROUP BY vendor_id, DATE(${date}), affiliate_id, product_id`);
    }
    await fillFromDays(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['agent', 'jv', 'taxes']) {
      for (const { name } of TABLES) {
        await runner.query(`ALTER TABLE ${name} DROP COLUMN ${column}`);
      }
    }
    await runner.query('ALTER TABLE affiliate_day_sums DROP COLUMN fees');
    await runner.query("UPDATE vendor_sums SET fees = 0 WHERE series = 'affiliate_month'");
  }
}

/** Removes the rows of a table of kept sums, and adds the new columns. */
async function emptyWithSums(runner: QueryRunner, table: Table): Promise<void> {
  const { name } = table;
  if (dialectOf(runner) === 'sqlite') {
    await runner.query(`DROP TABLE IF EXISTS ${name}`);
    await createTables(runner, [table]);
    return;
  }
  for (const [column, type] of Object.entries(OTHERS)) {
    // MySQL cannot roll back DDL, so an interrupted run may have added the column.
    if (await runner.hasColumn(name, column)) continue;
    await runner.query(`ALTER TABLE ${name} ADD COLUMN ${column} ${type}`);
  }
  await runner.query(`DELETE FROM ${name}`);
}

function columnsOf({ columns }: Table): string {
  return `(${Object.keys(columns).join(', ')})`;
}

/** Fills the sums of totals and months from those of days, which are fewer than the transactions. */
async function fillFromDays(runner: QueryRunner): Promise<void> {
  const month =
    dialectOf(runner) === 'sqlite'
      ? "SUBSTR(day, 1, 7) || '-01'"
      : "CONCAT(SUBSTR(day, 1, 7), '-01')";
  const insert = `INSERT INTO vendor_sums ${columnsOf(VENDOR_SUMS)}`;
  await runner.query(`${insert}
    SELECT vendor_id, 'total', kind, day, 0, ${SUMMED}, SUM(commissions), ${SUMMED_OTHERS}
    FROM vendor_sums WHERE series = 'product' GROUP BY vendor_id, kind, day`);
  await runner.query(`${insert}
    SELECT vendor_id, 'product_month', kind, ${month}, item_id, ${SUMMED}, SUM(commissions),
      ${SUMMED_OTHERS}
    FROM vendor_sums WHERE series = 'product' GROUP BY vendor_id, kind, ${month}, item_id`);
  await runner.query(`${insert}
    SELECT vendor_id, 'affiliate_month', kind, ${month}, affiliate_id, ${SUMMED}, SUM(commission),
      ${SUMMED_OTHERS}
    FROM affiliate_day_sums GROUP BY vendor_id, kind, ${month}, affiliate_id`);
}
