import { EntitySchema } from 'typeorm';
import { recordOf } from '../../../../common/record-of.js';
import { day, key, text, wholeNumber } from '../../../../database/columns.js';
import {
  COHORT_SUMS,
  type CohortKind,
  type CohortSeries,
  type CohortSum,
} from './refund-cohorts.model.js';

interface StoredCohort extends Readonly<Record<CohortSum, number>> {
  readonly vendor_id: number;
  readonly series: CohortSeries;
  readonly item_id: number;
  readonly sale_month: string;
  readonly refund_month: string;
  readonly kind: CohortKind;
}

/**
 * Stores the kept sums of refunds and chargebacks by month of sale and month of refund. A month is
 * represented by its first day. The item of a total is 0.
 */
export const RefundCohortsEntity = new EntitySchema<StoredCohort>({
  name: 'RefundCohorts',
  tableName: 'refund_cohorts',
  columns: {
    vendor_id: key(wholeNumber()),
    series: key(text(32)),
    item_id: key(wholeNumber()),
    sale_month: key(day()),
    refund_month: key(day()),
    kind: key(text(32)),
    ...recordOf(COHORT_SUMS, wholeNumber),
  },
});
