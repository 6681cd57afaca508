import type { Dialect } from '../../../../database/dialect.js';
import { COHORT_KEY, COHORT_SUMS } from '../refund-cohorts/refund-cohorts.model.js';
import { comparison, type Check } from './ledger-check.js';

const COLUMNS = [...COHORT_KEY, ...COHORT_SUMS].join(', ');
const KIND = "CASE WHEN status = 'charged_back' THEN 'chargeback' ELSE 'refund' END";

/**
 * Returns the checks of refund cohorts. They compare the cohorts of products and affiliates with
 * the ledger, and the totals of vendors with the cohorts of products.
 */
export function cohortChecks(dialect: Dialect): Check[] {
  const compared = (series: string, actual: string) =>
    comparison({
      figures: COHORT_SUMS,
      of: "vendor's refund cohort, item, sale month, refund month, kind",
      key: COHORT_KEY,
      kept: `SELECT ${COLUMNS} FROM refund_cohorts WHERE ${series}`,
      actual,
    });
  return [
    compared(
      "series <> 'total'",
      `${ledgerBy(dialect, 'product')} UNION ALL ${ledgerBy(dialect, 'affiliate')}`,
    ),
    compared(
      "series = 'total'",
      `SELECT vendor_id, 'total', 0, sale_month, refund_month, kind, SUM(transactions), SUM(amount)
        FROM refund_cohorts WHERE series = 'product'
        GROUP BY vendor_id, sale_month, refund_month, kind`,
    ),
  ];
}

function ledgerBy(dialect: Dialect, series: 'product' | 'affiliate'): string {
  const item = `${series}_id`;
  const [sold, refunded] = [dialect.monthOf('sale_date'), dialect.monthOf('refund_date')];
  return `SELECT vendor_id, '${series}', ${item}, ${sold}, ${refunded}, ${KIND}, COUNT(*),
      SUM(COALESCE(refund_amount, 0))
    FROM transactions
    WHERE refund_date IS NOT NULL AND status <> 'pending' AND ${item} IS NOT NULL
    GROUP BY vendor_id, ${item}, ${sold}, ${refunded}, ${KIND}`;
}
