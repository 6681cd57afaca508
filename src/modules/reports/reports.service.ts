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
import { FigureReadsService } from './figures/figure-reads.service.js';
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
    const [table, compared, top_products, top_partners] = await Promise.all([
      this.tableOf(request, request, [...startsOf(ranges), ...cuts], by),
      this.compared(request, ranges, by),
      this.tops.topOf(request, 'product'),
      this.tops.topOf(request, viewer.role === 'vendor' ? 'affiliate' : 'vendor'),
    ]);
    return {
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

  private async compared(
    request: ReportRequest,
    ranges: readonly DayRange[],
    by: PeriodStep,
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
    );
    return {
      ...range,
      figures: figuresFrom(table.totalOf(null)),
      periods: figuresByPeriod(table, periods),
    };
  }

  /** Reads the figures of a range, split at these days. */
  private tableOf(
    { viewer, attribution }: ReportRequest,
    { start_date, end_date }: DayRange,
    days: readonly string[],
    by: PeriodStep,
  ): Promise<FigureTable> {
    const range = { start_date, end_date };
    const scope = { viewer, attribution, group: null, filter: {} };
    const span = { range, intervals: intervalsOf(splitAt(range, days), by) };
    const needs = { money: MONEY_OF[viewer.role], hasPending: true };
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
