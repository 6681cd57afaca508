import { BYTE_ORDER_MARK, csvRecord, type Cell } from '../../../common/csv.js';
import { moneyCell } from '../../transactions/transaction-cells.model.js';
import type { CountAndAmount } from '../report.model.js';
import { MONTHS_AFTER, type Cohort, type CohortMeasure } from './cohort.model.js';

const MONTHS = Array.from({ length: MONTHS_AFTER + 1 }, (_, month) => month);
const COLUMNS = [
  'sale_month',
  'sales',
  'gross',
  ...MONTHS.map((month) => `month_${month}`),
  'to_date',
];

export const COHORT_CSV_HEAD = BYTE_ORDER_MARK + csvRecord(COLUMNS.map((value) => ({ value })));

/** Numbers or amounts, not shares, so that nothing is rounded. Months to come are empty. */
export function cohortCsvRecord(cohort: Cohort, measure: CohortMeasure): string {
  const { month, sales, gross, after, to_date } = cohort;
  const cell = (back: CountAndAmount | undefined): Cell => {
    if (back === undefined) return { value: '' };
    return measure === 'sales' ? { value: back.transactions } : moneyCell(back.amount);
  };
  return csvRecord([
    { value: month.slice(0, 7) },
    ...[{ value: sales }, moneyCell(gross)],
    ...MONTHS.map((months) => cell(after[months])),
    cell(to_date),
  ]);
}
