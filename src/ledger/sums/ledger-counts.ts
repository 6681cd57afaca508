import { dayOf } from '../../platform/values/time.js';
import { day, wholeNumber } from '../../platform/database/entities/columns.js';
import { KeptSum } from './kept-sum.js';
import type { SignedRecord } from '../revisions/ledger-change.model.js';

/**
 * Stores a vendor's number of sales on a day (UTC), so that pages are found without counting rows.
 */
export const SALE_COUNTS = new KeptSum({
  table: 'sale_counts',
  key: { vendor_id: wholeNumber(), sale_day: day() },
  sums: ['sales'],
  contribute({ record, sign, vendor_id }: SignedRecord, counts) {
    counts.add([vendor_id, dayOf(record.sale_date)], { sales: 1 }, sign);
  },
  recounts: () => [
    {
      of: 'vendor, sale day',
      actual: `SELECT vendor_id, DATE(sale_date), COUNT(*) FROM transactions
        GROUP BY vendor_id, DATE(sale_date)`,
    },
  ],
});

/** Stores a vendor's number of sales of one day that were refunded on another. */
export const REFUND_COUNTS = new KeptSum({
  table: 'refund_counts',
  key: { vendor_id: wholeNumber(), refund_day: day(), sale_day: day() },
  sums: ['refunds'],
  contribute({ record, sign, vendor_id }: SignedRecord, counts) {
    const { sale_date, refund_date } = record;
    if (refund_date === null) return;
    counts.add([vendor_id, dayOf(refund_date), dayOf(sale_date)], { refunds: 1 }, sign);
  },
  recounts: () => [
    {
      of: 'vendor, refund day, sale day',
      actual: `SELECT vendor_id, DATE(refund_date), DATE(sale_date), COUNT(*) FROM transactions
        WHERE refund_date IS NOT NULL GROUP BY vendor_id, DATE(refund_date), DATE(sale_date)`,
    },
  ],
});
