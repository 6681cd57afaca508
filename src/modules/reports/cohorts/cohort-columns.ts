import type { Column } from '../../../common/columns.js';
import type { CountAndAmount } from '../report.model.js';
import { MONTHS_AFTER, type Cohort, type CohortMeasure } from './cohort.model.js';

const MONTHS = Array.from({ length: MONTHS_AFTER + 1 }, (_, month) => month);

/**
 * Returns columns with numbers or amounts rather than shares, so that nothing is rounded. Cells of
 * future months are empty.
 */
export function cohortColumns(measure: CohortMeasure): readonly Column<Cohort>[] {
  return [
    { name: 'sale_month', kind: 'word', valueOf: ({ month }) => month.slice(0, 7) },
    { name: 'sales', kind: 'number', valueOf: ({ sales }) => sales },
    { name: 'gross', kind: 'money', valueOf: ({ gross }) => gross },
    ...MONTHS.map((month) => returnsColumn(measure, `month_${month}`, ({ after }) => after[month])),
    returnsColumn(measure, 'to_date', ({ to_date }) => to_date),
  ];
}

function returnsColumn(
  measure: CohortMeasure,
  name: string,
  returnsOf: (cohort: Cohort) => CountAndAmount | undefined,
): Column<Cohort> {
  return measure === 'sales'
    ? { name, kind: 'number', valueOf: (cohort) => returnsOf(cohort)?.transactions ?? null }
    : { name, kind: 'money', valueOf: (cohort) => returnsOf(cohort)?.amount ?? null };
}
