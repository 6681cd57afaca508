import { dayOf, monthOf } from '../../platform/values/time.js';
import { day, text, wholeNumber } from '../../platform/database/entities/columns.js';
import type { Dialect } from '../../platform/database/dialect.js';
import { KeptSum } from './kept-sum.js';
import type { SignedRecord } from '../revisions/ledger-change.model.js';
import { returnKindOf } from './kept-sums.model.js';

/**
 * Defines the sales that a cohort covers: all of a vendor, those of one product, or those of one
 * affiliate.
 */
export const COHORT_SERIES = ['total', 'product', 'affiliate'] as const;
type CohortSeries = (typeof COHORT_SERIES)[number];

const COHORT_KINDS = ['refund', 'chargeback'] as const;
export type CohortKind = (typeof COHORT_KINDS)[number];

const KIND = "CASE WHEN status = 'charged_back' THEN 'chargeback' ELSE 'refund' END";
const OF = "vendor's refund cohort, item, sale month, refund month, kind";

/**
 * Stores refunds and chargebacks by month of sale and month of refund: the number of transactions,
 * and the returned amount in cents. A month is represented by its first day. The item of a total is
 * 0. Transactions without a refund date are not included; `vendor_sums` counts them.
 */
export const REFUND_COHORTS = new KeptSum({
  table: 'refund_cohorts',
  key: {
    vendor_id: wholeNumber(),
    series: text(32),
    item_id: wholeNumber(),
    sale_month: day(),
    refund_month: day(),
    kind: text(32),
  },
  sums: ['transactions', 'amount'],
  contribute({ record, sign, vendor_id }: SignedRecord, cohorts) {
    const { sale_date, refund_date, product_id, affiliate_id } = record;
    const kind = returnKindOf(record);
    if (kind === null || refund_date === null) return;
    const months = [monthOf(dayOf(sale_date)), monthOf(dayOf(refund_date))];
    const sums = { transactions: 1, amount: record.refund_amount ?? 0 };
    const add = (series: CohortSeries, item_id: number) => {
      cohorts.add([vendor_id, series, item_id, ...months, kind], sums, sign);
    };
    add('total', 0);
    add('product', product_id);
    if (affiliate_id !== null) add('affiliate', affiliate_id);
  },
  /** The totals of vendors are computed from the cohorts of products. */
  recounts: (dialect) => [
    {
      of: OF,
      where: "series <> 'total'",
      actual: `${ledgerBy(dialect, 'product')} UNION ALL ${ledgerBy(dialect, 'affiliate')}`,
    },
    {
      of: OF,
      where: "series = 'total'",
      actual: `SELECT vendor_id, 'total', 0, sale_month, refund_month, kind, SUM(transactions), SUM(amount)
        FROM refund_cohorts WHERE series = 'product'
        GROUP BY vendor_id, sale_month, refund_month, kind`,
    },
  ],
});

function ledgerBy(dialect: Dialect, series: 'product' | 'affiliate'): string {
  const item = `${series}_id`;
  const [sold, refunded] = [dialect.monthOf('sale_date'), dialect.monthOf('refund_date')];
  return `SELECT vendor_id, '${series}', ${item}, ${sold}, ${refunded}, ${KIND}, COUNT(*),
      SUM(COALESCE(refund_amount, 0))
    FROM transactions
    WHERE refund_date IS NOT NULL AND status <> 'pending' AND ${item} IS NOT NULL
    GROUP BY vendor_id, ${item}, ${sold}, ${refunded}, ${KIND}`;
}
