import { dayOf } from '../../platform/values/time.js';
import { day, text, wholeNumber } from '../../platform/database/entities/columns.js';
import { KeptSum, type Check, type Signed } from './kept-sum.js';
import { recurringStatusOf } from '../records/recurring-status.js';
import type { RecurringPaymentRecord } from '../records/recurring-payment.record.js';

/** Day in the kept sums for payments whose next date is unknown. It is never due. */
const NO_DAY = '9999-12-31';

const OF_VENDORS = 'FROM recurring_payments r JOIN products p ON p.id = r.product_id';
const DAY = `COALESCE(DATE(r.next_date), '${NO_DAY}')`;

/** Contains the fields of a subscription that the kept sums depend on. */
type CountedPayment = Pick<RecurringPaymentRecord, 'status' | 'next_date' | 'price'>;

/**
 * Stores the number of a vendor's subscriptions and the total of their prices in cents, by status
 * and by the day of the next payment, so that the lists have exact counts without counting rows.
 * The caller that saves changes has locked the vendors' ledgers.
 */
export const RECURRING_SUMS = new KeptSum({
  table: 'recurring_sums',
  key: { vendor_id: wholeNumber(), status: text(32), day: day() },
  sums: ['agreements', 'amount'],
  contribute({ record, sign, vendor_id }: Signed<CountedPayment>, sums) {
    const { status, next_date, price } = record;
    const on = next_date === null ? NO_DAY : dayOf(next_date);
    sums.add([vendor_id, recurringStatusOf(status), on], { agreements: 1, amount: price }, sign);
  },
  recounts: () => [
    {
      of: "vendor's recurring payments, status, day of the next payment",
      actual: `SELECT p.vendor_id, r.status, ${DAY}, COUNT(*), SUM(r.price) ${OF_VENDORS}
        GROUP BY p.vendor_id, r.status, ${DAY}`,
    },
  ],
});

/** Checks the vendor that is stored with each subscription. */
export const RECURRING_VENDORS: Check = {
  figures: ['recurring payments without their vendor_id of vendor'],
  key: ['vendor_id'],
  sql: `SELECT p.vendor_id, COUNT(*) AS kept_0, 0 AS actual_0 ${OF_VENDORS}
    WHERE r.vendor_id IS NULL OR r.vendor_id <> p.vendor_id GROUP BY p.vendor_id`,
};
