import { comparison, type Check } from './ledger-check.js';

const OF_VENDORS = 'FROM recurring_payments r JOIN products p ON p.id = r.product_id';

/** Selects the day of the next payment. The last possible day stands for an unknown one. */
const DAY = "COALESCE(DATE(r.next_date), '9999-12-31')";

/**
 * Checks the derived data of subscriptions: the vendor of each, and the kept sums of the vendors'
 * lists.
 */
export const RECURRING_CHECKS: readonly Check[] = [
  comparison({
    figures: ['agreements', 'amount'],
    of: "vendor's recurring payments, status, day of the next payment",
    key: ['vendor_id', 'status', 'day'],
    kept: 'SELECT vendor_id, status, day, agreements, amount FROM recurring_sums',
    actual: `SELECT p.vendor_id, r.status, ${DAY}, COUNT(*), SUM(r.price) ${OF_VENDORS}
      GROUP BY p.vendor_id, r.status, ${DAY}`,
  }),
  {
    figures: ['recurring payments without their vendor_id of vendor'],
    key: ['vendor_id'],
    sql: `SELECT p.vendor_id, COUNT(*) AS kept_0, 0 AS actual_0 ${OF_VENDORS}
      WHERE r.vendor_id IS NULL OR r.vendor_id <> p.vendor_id GROUP BY p.vendor_id`,
  },
];
