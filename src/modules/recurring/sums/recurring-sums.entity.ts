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

/** A vendor's recurring payments of a status whose next payment is on a day, or on no known day. */
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
