import { EntitySchema } from 'typeorm';
import { recordOf } from '../../../../common/record-of.js';
import { day, key, text, wholeNumber } from '../../../../database/columns.js';
import { UNPAID_SUMS, type UnpaidSeries, type UnpaidSum } from './unpaid-commissions.model.js';

interface StoredUnpaidCommissions extends Readonly<Record<UnpaidSum, number>> {
  readonly vendor_id: number;
  readonly series: UnpaidSeries;
  readonly day: string;
  readonly affiliate_id: number;
}

/**
 * Stores the commissions that a vendor has not paid to an affiliate yet, by day of sale and in
 * total.
 */
export const UnpaidCommissionsEntity = new EntitySchema<StoredUnpaidCommissions>({
  name: 'UnpaidCommissions',
  tableName: 'unpaid_commissions',
  columns: {
    vendor_id: key(wholeNumber()),
    series: key(text(32)),
    day: key(day()),
    affiliate_id: key(wholeNumber()),
    ...recordOf(UNPAID_SUMS, wholeNumber),
  },
});
