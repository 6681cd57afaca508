import { EntitySchema } from 'typeorm';
import { recordOf } from '../../../common/record-of.js';
import { day, key, text, wholeNumber } from '../../../database/columns.js';
import type { RecurringStatus } from '../../../ledger-format/recurring-status.js';
import { RECURRING_SUMS, type RecurringSum } from './recurring-sums.model.js';

interface StoredRecurringSums extends Readonly<Record<RecurringSum, number>> {
  readonly vendor_id: number;
  readonly status: RecurringStatus;
  readonly day: string;
}

/**
 * Stores the kept sums of a vendor's subscriptions, by status and by the day of the next payment.
 * Subscriptions whose next payment has no known day are under `NO_DAY`.
 */
export const RecurringSumsEntity = new EntitySchema<StoredRecurringSums>({
  name: 'RecurringSums',
  tableName: 'recurring_sums',
  columns: {
    vendor_id: key(wholeNumber()),
    status: key(text(32)),
    day: key(day()),
    ...recordOf(RECURRING_SUMS, wholeNumber),
  },
});
