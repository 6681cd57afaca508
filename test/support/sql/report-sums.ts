import { openRaw } from './raw-connection.js';
import { dialect } from './test-database.js';

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
  agent: unlessPending('agent_payout'),
  jv: unlessPending('jv_payout'),
  taxes: unlessPending('COALESCE(tax_total, 0)'),
  where: '1 = 1',
};
const RETURNED = {
  amount: 'refund_amount',
  earnings: 'seller_refund_impact',
  commission: 'affiliate_refund_impact',
  commissions: 'affiliate_refund_impact + agent_refund_impact + jv_refund_impact',
  fees: 'service_fee_adjustment',
  agent: 'agent_refund_impact',
  jv: 'jv_refund_impact',
  taxes: '0',
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
    agent: '0',
    jv: '0',
    taxes: '0',
    where: "status IN ('refunded', 'charged_back') AND refund_date IS NULL",
  },
];
const OF_VENDORS =
  'vendor_id, series, kind, day, item_id, transactions, amount, earnings, commissions, fees, agent, jv, taxes';
const OF_AFFILIATES =
  'vendor_id, kind, day, affiliate_id, product_id, transactions, amount, earnings, commission, fees, agent, jv, taxes';
const SUMMED = 'SUM(transactions), SUM(amount), SUM(earnings)';
const SUMMED_OTHERS = 'SUM(fees), SUM(agent), SUM(jv), SUM(taxes)';

const INSERT_COHORTS = `INSERT INTO refund_cohorts
  (vendor_id, series, item_id, sale_month, refund_month, kind, transactions, amount)`;
const KIND = "CASE WHEN status = 'charged_back' THEN 'chargeback' ELSE 'refund' END";

const OF_UNPAID = 'vendor_id, series, day, affiliate_id, sales, commission';
const LEFT = 'affiliate_payout + COALESCE(affiliate_refund_impact, 0)';

/** Fills the kept sums of reports from the ledger, by SQL that the service does not use. */
export async function fillReportSums(url: string): Promise<void> {
  await runAll(url, [
    ...['vendor_sums', 'affiliate_day_sums', 'refund_cohorts'].map(
      (table) => `DELETE FROM ${table}`,
    ),
    ...fromLedger(),
    ...fromDays(),
    cohortsOf('product'),
    cohortsOf('affiliate'),
    `${INSERT_COHORTS}
      SELECT vendor_id, 'total', 0, sale_month, refund_month, kind, SUM(transactions), SUM(amount)
      FROM refund_cohorts WHERE series = 'product'
      GROUP BY vendor_id, sale_month, refund_month, kind`,
  ]);
}

/** Fills the kept sums of unpaid commissions from the ledger in the same way. */
export async function fillUnpaidCommissions(url: string): Promise<void> {
  await runAll(url, [
    'DELETE FROM unpaid_commissions',
    `INSERT INTO unpaid_commissions (${OF_UNPAID})
      SELECT vendor_id, 'day', DATE(sale_date), affiliate_id, COUNT(*), SUM(${LEFT})
      FROM transactions WHERE affiliate_id IS NOT NULL AND status <> 'pending'
        AND affiliate_commission_status = 'UNPAID' AND ${LEFT} <> 0
      GROUP BY vendor_id, DATE(sale_date), affiliate_id`,
    `INSERT INTO unpaid_commissions (${OF_UNPAID})
      SELECT vendor_id, 'total', '1970-01-01', affiliate_id, SUM(sales), SUM(commission)
      FROM unpaid_commissions WHERE series = 'day' GROUP BY vendor_id, affiliate_id`,
  ]);
}

/** Fills the kept sums of affiliates and products from the ledger in the same way. */
export async function fillAffiliateSales(url: string): Promise<void> {
  await runAll(url, [
    'DELETE FROM affiliate_sales',
    `INSERT INTO affiliate_sales (affiliate_id, product_id, sales, refunds, chargebacks, revenue,
        refund_amount, commission_earned, commission_paid, commission_unpaid)
      SELECT affiliate_id, product_id, COUNT(*),
        SUM(CASE WHEN status = 'refunded' OR status = 'completed' AND refund_date IS NOT NULL
          THEN 1 ELSE 0 END),
        SUM(CASE WHEN status = 'charged_back' THEN 1 ELSE 0 END),
        SUM(amount), SUM(COALESCE(refund_amount, 0)), SUM(${LEFT}),
        SUM(CASE WHEN affiliate_commission_status = 'PAID' THEN ${LEFT} ELSE 0 END),
        SUM(CASE WHEN affiliate_commission_status = 'UNPAID' THEN ${LEFT} ELSE 0 END)
      FROM transactions WHERE affiliate_id IS NOT NULL AND status <> 'pending'
      GROUP BY affiliate_id, product_id`,
  ]);
}

async function runAll(url: string, statements: readonly string[]): Promise<void> {
  const raw = await openRaw(url);
  for (const statement of statements) await raw.run(statement);
  await raw.close();
}

/** Returns statements that insert daily sums of products, and of products by affiliate. */
function fromLedger(): string[] {
  return COUNTED.flatMap(
    ({ kind, day, amount, earnings, commission, commissions, where, ...others }) => [
      `INSERT INTO vendor_sums (${OF_VENDORS})
      SELECT vendor_id, 'product', ${kind}, ${day}, product_id, COUNT(*), SUM(${amount}),
        SUM(${earnings}), SUM(${commissions}), ${summed(others)}
      FROM transactions WHERE ${where} GROUP BY vendor_id, ${kind}, ${day}, product_id`,
      `INSERT INTO affiliate_day_sums (${OF_AFFILIATES})
      SELECT vendor_id, ${kind}, ${day}, affiliate_id, product_id, COUNT(*), SUM(${amount}),
        SUM(${earnings}), SUM(${commission}), ${summed(others)}
      FROM transactions WHERE affiliate_id IS NOT NULL AND ${where}
      GROUP BY vendor_id, ${kind}, ${day}, affiliate_id, product_id`,
    ],
  );
}

type Others = Readonly<Record<'fees' | 'agent' | 'jv' | 'taxes', string>>;

function summed({ fees, agent, jv, taxes }: Others): string {
  return `SUM(${fees}), SUM(${agent}), SUM(${jv}), SUM(${taxes})`;
}

/**
 * Returns statements that insert sums of the daily sums, which are far fewer than the transactions.
 */
function fromDays(): string[] {
  const month =
    dialect === 'sqlite' ? "SUBSTR(day, 1, 7) || '-01'" : "CONCAT(SUBSTR(day, 1, 7), '-01')";
  const INSERT = `INSERT INTO vendor_sums (${OF_VENDORS})`;
  return [
    `${INSERT} SELECT vendor_id, 'total', kind, day, 0, ${SUMMED}, SUM(commissions),
        ${SUMMED_OTHERS}
      FROM vendor_sums WHERE series = 'product' GROUP BY vendor_id, kind, day`,
    `${INSERT} SELECT vendor_id, 'product_month', kind, ${month}, item_id, ${SUMMED},
        SUM(commissions), ${SUMMED_OTHERS}
      FROM vendor_sums WHERE series = 'product' GROUP BY vendor_id, kind, ${month}, item_id`,
    `${INSERT} SELECT vendor_id, 'affiliate_month', kind, ${month}, affiliate_id, ${SUMMED},
        SUM(commission), ${SUMMED_OTHERS}
      FROM affiliate_day_sums GROUP BY vendor_id, kind, ${month}, affiliate_id`,
  ];
}

function cohortsOf(series: 'product' | 'affiliate'): string {
  const item = `${series}_id`;
  const [sold, refunded] = ['sale_date', 'refund_date'].map((date) =>
    dialect === 'sqlite'
      ? `SUBSTR(${date}, 1, 7) || '-01'`
      : `CONCAT(SUBSTR(${date}, 1, 7), '-01')`,
  );
  return `${INSERT_COHORTS}
    SELECT vendor_id, '${series}', ${item}, ${sold}, ${refunded}, ${KIND}, COUNT(*),
      SUM(COALESCE(refund_amount, 0))
    FROM transactions
    WHERE refund_date IS NOT NULL AND status <> 'pending' AND ${item} IS NOT NULL
    GROUP BY vendor_id, ${item}, ${sold}, ${refunded}, ${KIND}`;
}
