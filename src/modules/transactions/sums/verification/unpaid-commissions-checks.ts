import {
  NO_DAY,
  UNPAID_SUMS,
  type UnpaidSeries,
} from '../unpaid-commissions/unpaid-commissions.model.js';
import { comparison, type Check } from './ledger-check.js';

const KEY = ['vendor_id', 'day', 'affiliate_id'] as const;
const SUMS = UNPAID_SUMS.join(', ');
const LEFT = 'affiliate_payout + COALESCE(affiliate_refund_impact, 0)';

/** Compares the kept sums of days with the ledger, and the totals with the days. */
export const UNPAID_CHECKS: readonly Check[] = [
  unpaidCheck(
    'day',
    `SELECT vendor_id, DATE(sale_date), affiliate_id, COUNT(*), SUM(${LEFT})
      FROM transactions WHERE affiliate_id IS NOT NULL AND status <> 'pending'
        AND affiliate_commission_status = 'UNPAID' AND ${LEFT} <> 0
      GROUP BY vendor_id, DATE(sale_date), affiliate_id`,
  ),
  unpaidCheck(
    'total',
    `SELECT vendor_id, '${NO_DAY}', affiliate_id, SUM(sales), SUM(commission)
      FROM unpaid_commissions WHERE series = 'day' GROUP BY vendor_id, affiliate_id`,
  ),
];

function unpaidCheck(series: UnpaidSeries, actual: string): Check {
  return comparison({
    figures: UNPAID_SUMS,
    of: `unpaid ${series}, vendor, day, affiliate`,
    key: KEY,
    kept: `SELECT ${KEY.join(', ')}, ${SUMS} FROM unpaid_commissions WHERE series = '${series}'`,
    actual,
  });
}
