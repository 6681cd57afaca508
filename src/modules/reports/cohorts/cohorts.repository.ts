import { Injectable } from '@nestjs/common';
import { endOfMonth } from '../../../platform/values/time.js';
import { isOneOf } from '../../../platform/database/bulk.js';
import { Database, type Reader } from '../../../platform/database/database.js';
import type { CohortKind } from '../../../ledger/sums/refund-cohorts.js';
import type { SumKind } from '../../../ledger/sums/kept-sums.model.js';
import type { SumSeries } from '../../../ledger/sums/report-sums.js';
import type { CountAndAmount } from '../report.model.js';
import { listed } from '../../../ledger/sums/sum-parts.js';
import type { CohortRequest, CohortScope } from './cohort.model.js';

/** Sums of a month's sales, and of their refunds and chargebacks without a date. */
export interface MonthSums extends CountAndAmount {
  readonly month: string;
  readonly kind: SumKind;
}

/** Sums of sales made in one month and refunded or charged back in another (or the same) month. */
export interface ReturnedSums extends CountAndAmount {
  readonly sale_month: string;
  readonly refund_month: string;
}

/** Row with money as text, because a JavaScript number may not hold a sum exactly. */
type Row<Sums extends CountAndAmount> = Omit<Sums, 'amount'> & { readonly amount: string };

const SUMS =
  'CAST(SUM(transactions) AS SIGNED) AS transactions, CAST(SUM(amount) AS CHAR) AS amount';
const UNDATED: Readonly<Record<CohortKind, SumKind>> = {
  refund: 'undated_refund',
  chargeback: 'undated_chargeback',
};

/**
 * Reads the kept sums of cohorts with hand-written SQL: a page adds up hundreds of rows instead of
 * all sales of two years.
 */
@Injectable()
export class CohortsRepository {
  constructor(private readonly database: Database) {}

  /** @param months first days, newest first */
  async soldIn(
    reader: Reader,
    { vendor_id, scope, kinds }: CohortRequest,
    months: readonly string[],
  ): Promise<MonthSums[]> {
    const { month, days, values } = this.soldBy(scope, months);
    const counted = listed(['sale', ...kinds.map((kind) => UNDATED[kind])]);
    const rows = await reader.select<Row<MonthSums>>(
      `SELECT ${month} AS month, kind, ${SUMS} FROM vendor_sums
        WHERE vendor_id = ? AND series = '${seriesOf(scope)}' AND kind IN (${counted}) AND ${days}
        GROUP BY ${month}, kind`,
      [vendor_id, ...values],
    );
    return rows.map(exact);
  }

  /** @param months first days, newest first */
  async returned(
    reader: Reader,
    { vendor_id, scope, kinds }: CohortRequest,
    months: readonly string[],
  ): Promise<ReturnedSums[]> {
    const rows = await reader.select<Row<ReturnedSums>>(
      `SELECT sale_month, refund_month, ${SUMS} FROM refund_cohorts
        WHERE vendor_id = ? AND series = ? AND item_id = ? AND sale_month BETWEEN ? AND ?
          AND kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})
        GROUP BY sale_month, refund_month`,
      [vendor_id, scope.series, scope.series === 'total' ? 0 : scope.id, ...endsOf(months)],
    );
    return rows.map(exact);
  }

  /**
   * Returns the conditions for the months. Kept sums of all sales are by day, those of a product or
   * an affiliate are by month as well.
   */
  private soldBy(scope: CohortScope, months: readonly string[]) {
    if (scope.series === 'total') {
      const [first, last] = endsOf(months);
      const month = this.database.dialect.monthOf('day');
      return { month, days: 'day BETWEEN ? AND ?', values: [first, endOfMonth(last)] };
    }
    const { sql, values } = isOneOf('day', months);
    return { month: 'day', days: `${sql} AND item_id = ?`, values: [...values, scope.id] };
  }
}

function seriesOf({ series }: CohortScope): SumSeries {
  return series === 'total' ? series : `${series}_month`;
}

function endsOf(months: readonly string[]): [first: string, last: string] {
  return [months.at(-1) ?? '', months[0] ?? ''];
}

function exact<Sums extends { readonly amount: string }>(row: Sums) {
  return { ...row, amount: BigInt(row.amount) };
}
