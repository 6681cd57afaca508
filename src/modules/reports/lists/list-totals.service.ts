import { Injectable } from '@nestjs/common';
import { LIST_FIGURES, type ListFigure } from '../../../ledger/sums/list-figures.js';
import type { Reader } from '../../../platform/database/database.js';
import { FigureTotals, type TransactionsQuery } from '../../transactions/index.js';
import type { FigureScope } from '../figures/figure.model.js';
import { FigureReadsService } from '../figures/figure-reads.service.js';
import { calendarIntervals } from '../figures/intervals.js';
import { type Counts, MONEY_OF } from '../figures/measures.js';
import type { DayRange } from '../report.model.js';
import type { ListParts, ReportCriteria, TransactionsPage } from './report-list.model.js';
import { ReportListsRepository } from './report-lists.repository.js';

/**
 * The number of transactions of a list, what it consists of, and their figure, which are null if
 * they are unknown.
 */
export interface Totals extends Pick<TransactionsPage, 'parts'> {
  readonly count: number | null;
  readonly total: bigint | null;
}

/** Reads the totals of lists from kept sums. */
@Injectable()
export class ListTotalsService {
  constructor(
    private readonly lists: ReportListsRepository,
    private readonly figures: FigureReadsService,
    totals: FigureTotals,
  ) {
    totals.servedBy((reader, query, figure) => this.totalOf(reader, query, figure));
  }

  /**
   * Returns the number of transactions of a list, what it consists of, and their figure. All are
   * null if the kept sums do not have them because the rows are filtered. The number is also null if
   * a list of all kinds by refund has a filter or is an affiliate's.
   */
  async totalsOf(reader: Reader, criteria: ReportCriteria): Promise<Totals> {
    const { figure, kind, rows } = criteria;
    if (Object.keys(rows).length > 0) return { count: null, parts: null, total: null };
    const counts = await this.countsOf(reader, criteria, criteria);
    const total = LIST_FIGURES[figure](counts);
    if (kind !== 'all') return { count: Number(counts[kind]), parts: null, total };
    const parts = await this.partsOf(reader, criteria, counts);
    if (parts === null) return { count: null, parts, total };
    const { sales, pending, returned } = parts;
    return { count: sales + pending + returned, parts, total };
  }

  /** Kept sums have the whole list of a range, of one product and of one affiliate. */
  private async totalOf(
    reader: Reader,
    { viewer, date, filter, ...range }: TransactionsQuery,
    figure: ListFigure,
  ): Promise<bigint | null> {
    const { product_ids, affiliate_ids, ...others } = filter;
    const [product_id, ...products] = product_ids ?? [];
    const [affiliate_id, ...affiliates] = affiliate_ids ?? [];
    const isServed =
      date !== 'refund' && products.length + affiliates.length + Object.keys(others).length === 0;
    if (!isServed) return null;
    const scope = {
      viewer,
      attribution: date === 'sale' ? 'sale' : 'refund',
      filter: {
        ...(product_id === undefined ? {} : { product_id }),
        ...(affiliate_id === undefined ? {} : { affiliate_id }),
      },
    } as const;
    return LIST_FIGURES[figure](await this.countsOf(reader, scope, range));
  }

  private async partsOf(
    reader: Reader,
    criteria: ReportCriteria,
    counts: Counts,
  ): Promise<ListParts | null> {
    const { viewer, attribution, filter } = criteria;
    const sold = { sales: Number(counts.sales), pending: Number(counts.pending) };
    if (attribution === 'sale') return { ...sold, returned: 0 };
    if (viewer.role === 'affiliate' || Object.keys(filter).length > 0) return null;
    const returned = await this.lists.refundsOfEarlierSales(reader, viewer.user_id, criteria);
    return { ...sold, returned };
  }

  private async countsOf(
    reader: Reader,
    { viewer, attribution, filter }: Pick<FigureScope, 'viewer' | 'attribution' | 'filter'>,
    { start_date, end_date }: DayRange,
  ): Promise<Counts> {
    const range = { start_date, end_date };
    const { table } = await this.figures.read(
      reader,
      { viewer, attribution, group: null, filter },
      { range, intervals: calendarIntervals(range, null) },
      { money: MONEY_OF[viewer.role], hasPending: true },
    );
    return table.totalOf(null);
  }
}
