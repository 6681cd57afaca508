import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database.js';
import { csvFile, type Column } from '../../../platform/files/csv.js';
import { endOfMonth, monthOf, monthsAfter, monthsBetween } from '../../../platform/values/time.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { ItemNamesService } from '../item-names.service.js';
import { FigureReadsService } from '../figures/figure-reads.service.js';
import { FiguresRepository } from '../sums/figures.repository.js';
import {
  COHORTS_PER_PAGE,
  type Cohort,
  type CohortItem,
  type CohortItems,
  type CohortMeasure,
  type CohortPage,
  type CohortRequest,
  MONTHS_AFTER,
} from './cohort.model.js';
import { CohortsRepository, type MonthSums, type ReturnedSums } from './cohorts.repository.js';
import type { CountAndAmount } from '../report.model.js';

/** Number of products and of affiliates to choose from: those with the highest gross in a year. */
const CHOICES = 50;
const MONTHS_OF_CHOICES = 12;

/** Reports the share of each month's sales refunded or charged back, by months since the sale. */
@Injectable()
export class CohortsService {
  constructor(
    private readonly repository: CohortsRepository,
    private readonly figures: FigureReadsService,
    private readonly sums: FiguresRepository,
    private readonly names: ItemNamesService,
    private readonly reads: LedgerReadsService,
  ) {}

  page(request: CohortRequest): Promise<CohortPage> {
    return this.reads.read(request.vendor_id, null, (reader) => this.pageIn(reader, request));
  }

  /** Returns the page as it is in the state that a reader sees. */
  async pageIn(reader: Reader, request: CohortRequest): Promise<CohortPage> {
    const { vendor_id, until } = request;
    const thisMonth = monthOf(request.today);
    const months = Array.from({ length: COHORTS_PER_PAGE }, (_, ago) => monthsAfter(until, -ago));
    const [sold, returned, days] = await Promise.all([
      this.repository.soldIn(reader, request, months),
      this.repository.returned(reader, request, months),
      this.sums.firstAndLastDay(reader, { role: 'vendor', user_id: vendor_id }),
    ]);
    const older = monthsAfter(until, -COHORTS_PER_PAGE);
    const newer = monthsAfter(until, COHORTS_PER_PAGE);
    return {
      cohorts: cohortsOf(months, sold, returned, thisMonth),
      undated: total(sold.filter(({ kind }) => kind !== 'sale')).transactions,
      older: days !== null && monthOf(days.start_date) <= older ? older : null,
      newer: until < thisMonth ? (newer < thisMonth ? newer : thisMonth) : null,
    };
  }

  /**
   * Returns all months of sales until `until`, newest first, as CSV for a spreadsheet, in chunks of
   * whole records.
   */
  csv(request: CohortRequest, measure: CohortMeasure): AsyncGenerator<string> {
    return csvFile(cohortColumns(measure), 'spreadsheet', this.batches(request));
  }

  private async *batches(request: CohortRequest): AsyncGenerator<readonly Cohort[]> {
    for (let until: string | null = request.until; until !== null;) {
      const page: CohortPage = await this.page({ ...request, until });
      yield page.cohorts;
      until = page.older;
    }
  }

  /**
   * Returns the vendor's products and affiliates with the highest gross in the year until the
   * month, and the requested product or affiliate.
   * @param isKnown false if the requested product or affiliate may have no sale of this vendor; it
   * is left out then, so that its name is not revealed
   */
  async items(request: CohortRequest, isKnown: boolean): Promise<CohortItems> {
    const [products, affiliates] = await Promise.all([
      this.itemsBy('product', request, isKnown),
      this.itemsBy('affiliate', request, isKnown),
    ]);
    return { products, affiliates };
  }

  private async itemsBy(
    by: 'product' | 'affiliate',
    { vendor_id, until, scope }: CohortRequest,
    isKnown: boolean,
  ): Promise<CohortItem[]> {
    const viewer = { role: 'vendor', user_id: vendor_id } as const;
    const of = { viewer, attribution: 'sale', group: by, filter: {} } as const;
    const year = {
      start_date: monthsAfter(until, 1 - MONTHS_OF_CHOICES),
      end_date: endOfMonth(until),
    };
    const ids = await this.reads.read(vendor_id, null, (reader) =>
      this.figures.topIds(reader, of, year, CHOICES),
    );
    const chosen = isKnown && scope.series === by ? [scope.id] : [];
    const all = [...new Set([...ids, ...chosen])];
    const names = await this.names.namesOf(viewer, by, all);
    return all.map((id) => ({ id, name: names.get(id) ?? String(id) }));
  }
}

/**
 * Returns the cohorts of those months that have sales, in the order of `months`. Refunds and
 * chargebacks without a date count in the month of the sale.
 * @param thisMonth the last month whose refunds and chargebacks count
 */
function cohortsOf(
  months: readonly string[],
  sold: readonly MonthSums[],
  returned: readonly ReturnedSums[],
  thisMonth: string,
): Cohort[] {
  return months.flatMap((month) => {
    const ofMonth = sold.filter((sums) => sums.month === month);
    const sales = total(ofMonth.filter(({ kind }) => kind === 'sale'));
    if (sales.transactions === 0) return [];
    const back = returned.filter(({ sale_month }) => sale_month === month);
    const undated = total(ofMonth.filter(({ kind }) => kind !== 'sale'));
    const until = (months: number) =>
      total([
        undated,
        ...back.filter(({ refund_month }) => monthsBetween(month, refund_month) <= months),
      ]);
    const age = monthsBetween(month, thisMonth);
    const shown = Math.min(age, MONTHS_AFTER) + 1;
    return {
      month,
      sales: sales.transactions,
      gross: sales.amount,
      after: Array.from({ length: shown }, (_, months) => until(months)),
      to_date: until(age),
    };
  });
}

function total(sums: readonly CountAndAmount[]): CountAndAmount {
  const all = { transactions: 0, amount: 0n };
  for (const { transactions, amount } of sums) {
    all.transactions += transactions;
    all.amount += amount;
  }
  return all;
}

/**
 * Returns columns with numbers or amounts rather than shares, so that nothing is rounded. Cells of
 * future months are empty.
 */
function cohortColumns(measure: CohortMeasure): readonly Column<Cohort>[] {
  return [
    { name: 'sale_month', kind: 'word', valueOf: ({ month }) => month.slice(0, 7) },
    { name: 'sales', kind: 'number', valueOf: ({ sales }) => sales },
    { name: 'gross', kind: 'money', valueOf: ({ gross }) => gross },
    ...Array.from({ length: MONTHS_AFTER + 1 }, (_, month) =>
      returnsColumn(measure, `month_${month}`, ({ after }) => after[month]),
    ),
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
