import { dayOf } from '../../platform/values/time.js';
import { day, text, wholeNumber } from '../../platform/database/entities/columns.js';
import { KeptSum } from './kept-sum.js';
import type { TransactionRecord } from '../records/transaction.record.js';
import type { SignedRecord } from '../revisions/ledger-change.model.js';

/** Stands for the day in the rows of a total. */
export const NO_DAY = '1970-01-01';

const LEFT = 'affiliate_payout + COALESCE(affiliate_refund_impact, 0)';

/**
 * Stores the commissions that a vendor has not paid to an affiliate yet: the number of sales, and
 * the commission in cents, after deduction of what refunds and chargebacks took back. Pending
 * transactions do not count as sales. Sales with nothing left to pay are not counted.
 *
 * The series are the days of sale, and one total for each affiliate. With the total, the
 * commissions older than some days are found without reading all earlier days.
 */
export const UNPAID_COMMISSIONS = new KeptSum({
  table: 'unpaid_commissions',
  key: {
    vendor_id: wholeNumber(),
    series: text(32),
    day: day(),
    affiliate_id: wholeNumber(),
  },
  sums: ['sales', 'commission'],
  contribute({ record, sign, vendor_id }: SignedRecord, unpaid) {
    const { affiliate_id } = record;
    const commission = unpaidOf(record);
    if (affiliate_id === null || commission === 0) return;
    const sums = { sales: 1, commission };
    unpaid.add([vendor_id, 'day', dayOf(record.sale_date), affiliate_id], sums, sign);
    unpaid.add([vendor_id, 'total', NO_DAY, affiliate_id], sums, sign);
  },
  recounts: () => [
    {
      of: 'unpaid day, vendor, day, affiliate',
      series: 'day',
      actual: `SELECT vendor_id, DATE(sale_date), affiliate_id, COUNT(*), SUM(${LEFT})
        FROM transactions WHERE affiliate_id IS NOT NULL AND status <> 'pending'
          AND affiliate_commission_status = 'UNPAID' AND ${LEFT} <> 0
        GROUP BY vendor_id, DATE(sale_date), affiliate_id`,
    },
    {
      of: 'unpaid total, vendor, day, affiliate',
      series: 'total',
      actual: `SELECT vendor_id, '${NO_DAY}', affiliate_id, SUM(sales), SUM(commission)
        FROM unpaid_commissions WHERE series = 'day' GROUP BY vendor_id, affiliate_id`,
    },
  ],
});

/**
 * Returns the unpaid commission of a transaction, in cents. The sum is exact, because an amount has
 * at most 15 digits.
 */
function unpaidOf(record: TransactionRecord): number {
  if (record.status === 'pending' || record.affiliate_commission_status !== 'UNPAID') return 0;
  return record.affiliate_payout + (record.affiliate_refund_impact ?? 0);
}
