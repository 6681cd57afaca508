import type { RawConnection } from './raw-connection.js';
import { dialect } from './test-database.js';

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

/** Fills the kept sums of tracking fields from the ledger, by SQL that the service does not use. */
export async function fillTrackingSums(raw: RawConnection): Promise<void> {
  for (const table of ['tracking_sums', 'tracking_values']) await raw.run(`DELETE FROM ${table}`);
  for (const statement of FIELDS.flatMap(statementsOf)) await raw.run(statement);
  await raw.run('UPDATE ledger_revisions SET tracked_sequence = last_sequence');
}

function statementsOf(field: string): string[] {
  const length = dialect === 'sqlite' ? 'LENGTH' : 'CHAR_LENGTH';
  const month =
    dialect === 'sqlite' ? "SUBSTR(day, 1, 7) || '-01'" : "CONCAT(SUBSTR(day, 1, 7), '-01')";
  const year =
    dialect === 'sqlite' ? "SUBSTR(day, 1, 4) || '-01-01'" : "CONCAT(SUBSTR(day, 1, 4), '-01-01')";
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
    `INSERT INTO tracking_sums (${SUMS})
       SELECT vendor_id, '${field}_year', kind, ${year}, value_id, SUM(transactions), SUM(amount),
         SUM(earnings)
       FROM tracking_sums WHERE series = '${field}_month' GROUP BY vendor_id, kind, ${year}, value_id`,
  ];
}
