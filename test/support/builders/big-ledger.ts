import { product, recurringPayment, refund, transaction, user } from './ledger-records.js';
import { openRaw, type RawConnection } from '../sql/raw-connection.js';
import { storedColumns } from '../sql/stored-columns.js';
import { fillReportSums } from '../sql/report-sums.js';
import type { TestService } from '../servers/service.js';

export const BIG = {
  vendor: 1,
  affiliate: 2,
  other: 3,
  product: 10,
  otherProduct: 30,
  agreement: 'PRE-big',
} as const;
/**
 * Number of sales that are imported for the first and for the other vendor. SQL then copies them.
 */
const [IMPORTED, OF_OTHERS] = [400, 100];
const COPIES = 50;

/** Imports the sales of two vendors in 2025, a tenth of them refunded a month later. */
export async function importBigLedger(service: TestService): Promise<void> {
  const { vendor, affiliate, other } = BIG;
  await service.import([
    ...[vendor, affiliate, other].map((id) => user(id)),
    // A table of users has at least this size in a ledger with so many sales.
    ...Array.from({ length: 300 }, (_, index) => user(1_000 + index)),
    product(BIG.product, vendor),
    product(BIG.otherProduct, other),
    recurringPayment(BIG.agreement, BIG.product),
    ...Array.from({ length: IMPORTED }, (_, index) => saleOf('big', BIG.product, index)),
    ...Array.from({ length: OF_OTHERS }, (_, index) => saleOf('other', BIG.otherProduct, index)),
  ]);
}

/**
 * Copies the sales until MariaDB's optimizer chooses the plans it would choose in production:
 * 20,000 transactions of one vendor and 5,000 of the other.
 */
export async function multiplyBigLedger(service: TestService): Promise<void> {
  const raw = await openRaw(service.database.url);
  await copyTransactions(raw);
  for (const statement of RECOUNT) await raw.run(statement);
  await raw.run(CLICKS_OF_OTHERS);
  await fillReportSums(service.database.url);
  const tables = await raw.rows('SHOW TABLES');
  const names = tables.map((row) => String(Object.values(row)[0]));
  await raw.rows(`ANALYZE TABLE ${names.join(', ')}`);
  await raw.close();
}

/** These clicks are of the year before, so that one affiliate's clicks are few among all clicks. */
const CLICKS_OF_OTHERS = `INSERT INTO daily_clicks
    (affiliate_id, product_id, date, clicks, unique_clicks)
  SELECT u.id, p.id, s.day, 3, 2 FROM users u, products p,
    (SELECT DISTINCT DATE_SUB(sale_day, INTERVAL 1 YEAR) AS day FROM sale_counts LIMIT 10) s
  WHERE u.id BETWEEN 1000 AND 1099`;

function saleOf(name: string, product_id: number, index: number): object {
  const sold = Date.UTC(2025, 0, 1) + index * 21 * 3_600_000;
  const at = (moment: number) => new Date(moment).toISOString();
  return transaction(`${name}-${index}`, product_id, {
    sale_date: at(sold),
    affiliate_id: index % 3 === 0 ? BIG.affiliate : null,
    // A fifth of all sales belong to one subscription.
    pre_key: index % 5 === 0 ? BIG.agreement : null,
    customer: {
      email: `Customer${index % 40}@example.test`,
      first_name: 'Ada',
      last_name: 'Byron',
    },
    ...(index % 10 === 0 ? { refund: refund(at(sold + 30 * 86_400_000)) } : {}),
  });
}

/**
 * Copies the transactions. Each copy is sold and refunded some minutes after the previous one. It
 * keeps the stored JSON of its original, which has the right size but other ids and dates.
 */
async function copyTransactions(raw: RawConnection): Promise<void> {
  const changed: Readonly<Record<string, string>> = {
    arrival: `t.arrival + n.number * ${IMPORTED + OF_OTHERS}`,
    transaction_id: "CONCAT(t.transaction_id, '-', n.number)",
    sale_date: 'DATE_ADD(t.sale_date, INTERVAL n.number * 17 MINUTE)',
    refund_date: 'DATE_ADD(t.refund_date, INTERVAL n.number * 17 MINUTE)',
    refunded_sale_date: 'DATE_ADD(t.refunded_sale_date, INTERVAL n.number * 17 MINUTE)',
    sequence: `t.sequence + n.number * ${10 * (IMPORTED + OF_OTHERS)}`,
  };
  const columns = await storedColumns(raw, 'transactions');
  const numbers = Array.from({ length: COPIES - 1 }, (_, index) =>
    index === 0 ? 'SELECT 1 AS number' : `SELECT ${index + 1}`,
  );
  await raw.run(`INSERT INTO transactions (${columns.join(', ')})
    SELECT ${columns.map((column) => changed[column] ?? `t.${column}`).join(', ')}
    FROM transactions t CROSS JOIN (${numbers.join(' UNION ALL ')}) n ORDER BY 1, 2`);
}

/** Computes the kept sums and revisions anew from the ledger. */
const RECOUNT = [
  'DELETE FROM sale_counts',
  `INSERT INTO sale_counts (vendor_id, sale_day, sales)
    SELECT vendor_id, DATE(sale_date), COUNT(*) FROM transactions GROUP BY 1, 2`,
  'DELETE FROM refund_counts',
  `INSERT INTO refund_counts (vendor_id, refund_day, sale_day, refunds)
    SELECT vendor_id, DATE(refund_date), DATE(sale_date), COUNT(*) FROM transactions
    WHERE refund_date IS NOT NULL GROUP BY 1, 2, 3`,
  `UPDATE affiliate_sales SET sales = sales * ${COPIES}, refunds = refunds * ${COPIES},
    revenue = revenue * ${COPIES},
    commission_earned = commission_earned * ${COPIES}, refund_amount = refund_amount * ${COPIES},
    commission_unpaid = commission_unpaid * ${COPIES}`,
  `UPDATE ledger_revisions SET revision = revision + 1, last_arrival = (SELECT COALESCE(MAX(arrival), 0)
    FROM transactions WHERE transactions.vendor_id = ledger_revisions.vendor_id)`,
  `UPDATE ledger_revisions SET last_sequence = GREATEST(last_sequence, (SELECT COALESCE(MAX(sequence), 0)
    FROM transactions WHERE transactions.vendor_id = ledger_revisions.vendor_id))`,
];
