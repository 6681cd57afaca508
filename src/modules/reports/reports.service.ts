import { Injectable } from '@nestjs/common';
import { LedgerReadsService } from '../../ledger/revisions/ledger-reads.service.js';
import { daysAfter } from '../../platform/values/time.js';
import {
  comparedPeriods,
  comparedRange,
  figuresFrom,
  lastComparedDay,
  periodsUntil,
  splitAt,
} from './figures.js';
import type { ItemGroup } from './figures/figure.model.js';
import { FigureReadsService } from './figures/figure-reads.service.js';
import { type FigureNeeds, KEPT_BY_TRACKING } from './sums/figure-sources.js';
import type { FigureTable } from './figures/figure-table.js';
import { intervalsOf } from './figures/intervals.js';
import { MONEY_OF } from './figures/measures.js';
import type {
  Compared,
  DayRange,
  Period,
  PeriodStep,
  Report,
  ReportRequest,
  Viewer,
} from './report.model.js';
import { FiguresRepository } from './sums/figures.repository.js';
import { TopItemsService } from './top-items.service.js';

const NEEDS: Readonly<Record<Viewer['role'], FigureNeeds>> = {
  vendor: { money: MONEY_OF.vendor, hasPending: true },
  affiliate: { money: MONEY_OF.affiliate, hasPending: true },
};

/** Reports a user's sales as a vendor or as an affiliate, from the kept sums. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly figures: FigureReadsService,
    private readonly sums: FiguresRepository,
    private readonly reads: LedgerReadsService,
    private readonly tops: TopItemsService,
  ) {}

  /** @throws ApiError invalid_parameters if the range is longer than a chart can show */
  async report(request: ReportRequest): Promise<Report> {
    const { viewer, today } = request;
    const { by, ranges } = periodsUntil(today, request, request.by);
    const until = { start_date: request.start_date, end_date: lastComparedDay(request) };
    const cuts = [daysAfter(until.end_date, 1), daysAfter(today, 1)];
    const unread = await this.unread(request);
    const needs = unread === null ? NEEDS[viewer.role] : KEPT_BY_TRACKING;
    const partner = viewer.role === 'vendor' ? 'affiliate' : 'vendor';
    const topOf = (group: ItemGroup) =>
      unread === null ? this.tops.topOf(request, group) : Promise.resolve([]);
    const [table, compared, top_products, top_partners, unpaid] = await Promise.all([
      this.tableOf(request, request, [...startsOf(ranges), ...cuts], by, needs),
      this.compared(request, ranges, by, needs),
      topOf('product'),
      topOf(partner),
      this.unpaid(request),
    ]);
    return {
      unread,
      unpaid,
      figures: figuresFrom(table.totalOf(null)),
      figuresUntilToday: figuresFrom(
        compared === null ? table.totalOf(null) : table.countsIn(null, until),
      ),
      compared,
      by,
      periods: figuresByPeriod(table, ranges),
      top_products,
      top_partners,
    };
  }

  /** Returns the first and the last day with a transaction, or null if there are none. */
  allTime(viewer: Viewer): Promise<DayRange | null> {
    return this.reads.readFor(viewer, (reader) => this.sums.firstAndLastDay(reader, viewer));
  }

  /** Returns the number of sales to read, if a tracked value would have to read too many. */
  private unread(request: ReportRequest): Promise<number | null> {
    const { viewer, filter, attribution } = request;
    if (filter.tracked === undefined) return Promise.resolve(null);
    const scope = { viewer, attribution, group: null, filter };
    const before = comparedRange(request);
    return this.reads.readFor(viewer, async (reader) => {
      for (const range of [request, ...(before === null ? [] : [before])]) {
        const unread = await this.figures.tooManyForPage(reader, scope, range);
        if (unread !== null) return unread;
      }
      return null;
    });
  }

  private unpaid({ viewer, filter }: ReportRequest): Promise<bigint | null> {
    const { affiliate_id, ...others } = filter;
    if (Object.keys(others).length > 0) return Promise.resolve(null);
    return this.reads.readFor(viewer, (reader) =>
      viewer.role === 'vendor'
        ? this.sums.unpaidOfVendor(reader, viewer.user_id, affiliate_id)
        : this.sums.unpaidOfAffiliate(reader, viewer.user_id),
    );
  }

  private async compared(
    request: ReportRequest,
    ranges: readonly DayRange[],
    by: PeriodStep,
    needs: FigureNeeds,
  ): Promise<Compared | null> {
    const range = comparedRange(request);
    if (range === null) return null;
    const periods = comparedPeriods(request, range, ranges, by);
    const last = periods.at(-1)?.end_date ?? range.end_date;
    const table = await this.tableOf(
      request,
      range,
      [...startsOf(periods), daysAfter(last, 1)],
      by,
      needs,
    );
    return {
      ...range,
      figures: figuresFrom(table.totalOf(null)),
      periods: figuresByPeriod(table, periods),
    };
  }

  /** Reads the figures of a range, split at these days. */
  private tableOf(
    { viewer, attribution, filter }: ReportRequest,
    { start_date, end_date }: DayRange,
    days: readonly string[],
    by: PeriodStep,
    needs: FigureNeeds,
  ): Promise<FigureTable> {
    const range = { start_date, end_date };
    const scope = { viewer, attribution, group: null, filter };
    const span = { range, intervals: intervalsOf(splitAt(range, days), by) };
    return this.reads.readFor(viewer, async (reader) => {
      const { table } = await this.figures.read(reader, scope, span, needs);
      return table;
    });
  }
}

function startsOf(ranges: readonly DayRange[]): string[] {
  return ranges.map(({ start_date }) => start_date);
}

/** @param ranges parts of the range that begin and end with the intervals of the table */
export function figuresByPeriod(table: FigureTable, ranges: readonly DayRange[]): Period[] {
  return ranges.map((range) => ({ ...range, figures: figuresFrom(table.countsIn(null, range)) }));
}
