import { Injectable } from '@nestjs/common';
import { LedgerReadsService } from '../../ledger/revisions/ledger-reads.service.js';
import {
  comparedPeriods,
  comparedRange,
  figuresByPeriod,
  figuresOf,
  lastComparedDay,
  periodsUntil,
} from './figures.js';
import { ItemNamesService } from './item-names.service.js';
import type {
  Compared,
  DayRange,
  Figures,
  PeriodStep,
  Report,
  ReportRequest,
  TopItem,
  Viewer,
} from './report.model.js';
import type { DaySums, Dimension, SumsCriteria } from './sums/report-sums.model.js';
import { ReportSumsRepository } from './sums/report-sums.repository.js';

const TOP = 10;

/** Reports a user's sales as a vendor or as an affiliate, from the kept sums. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly sums: ReportSumsRepository,
    private readonly reads: LedgerReadsService,
    private readonly names: ItemNamesService,
  ) {}

  /** @throws ApiError invalid_parameters if the range is longer than a chart can show */
  async report(request: ReportRequest): Promise<Report> {
    const { viewer, today } = request;
    const { by, ranges } = periodsUntil(today, request, request.by);
    const [days, compared, top_products, top_partners] = await Promise.all([
      this.daySums(request),
      this.compared(request, ranges, by),
      this.topOf(request, 'product'),
      this.topOf(request, viewer.role === 'vendor' ? 'affiliate' : 'vendor'),
    ]);
    const periods = figuresByPeriod(ranges, days);
    const figures = figuresOf(days);
    const over = lastComparedDay(request);
    const figuresUntilToday =
      compared === null ? figures : figuresOf(days.filter(({ day }) => day <= over));
    return { figures, figuresUntilToday, compared, by, periods, top_products, top_partners };
  }

  /** Returns the first and the last day with a transaction, or null if there are none. */
  allTime(viewer: Viewer): Promise<DayRange | null> {
    return this.reads.readFor(viewer, (reader) => this.sums.firstAndLastDay(reader, viewer));
  }

  private daySums(criteria: SumsCriteria): Promise<DaySums[]> {
    return this.reads.readFor(criteria.viewer, (reader) => this.sums.daySums(reader, criteria));
  }

  private async compared(
    request: ReportRequest,
    ranges: readonly DayRange[],
    by: PeriodStep,
  ): Promise<Compared | null> {
    const range = comparedRange(request);
    if (range === null) return null;
    const days = await this.daySums({ ...request, ...range });
    const periods = figuresByPeriod(comparedPeriods(request, range, ranges, by), days);
    return { ...range, figures: figuresOf(days), periods };
  }

  private async topOf(request: ReportRequest, by: Dimension): Promise<TopItem[]> {
    const { viewer } = request;
    const { item_ids, sums } = await this.reads.readFor(viewer, async (reader) => {
      const item_ids = await this.sums.topIds(reader, request, by, TOP);
      return { item_ids, sums: await this.sums.itemSums(reader, request, by, item_ids) };
    });
    const names = await this.names.namesOf(viewer, by, item_ids);
    const items = item_ids.map((id) => {
      const figures = figuresOf(sums.filter(({ item_id }) => item_id === id));
      const net = viewer.role === 'vendor' ? figures.earnings : figures.commissions;
      return topItem(id, names.get(id) ?? '', figures, net);
    });
    return items.sort(byGross);
  }
}

function topItem(id: number, name: string, figures: Figures, net: bigint): TopItem {
  const { sales, gross, refunds } = figures;
  return { id, name, sales, gross, refunds: refunds.transactions, net };
}

/**
 * Compares items by gross, highest first. This corrects the order of the database, which ranks by
 * numbers that are not exact beyond 2^53.
 */
export function byGross(left: TopItem, right: TopItem): number {
  if (left.gross === right.gross) return left.id - right.id;
  return left.gross < right.gross ? 1 : -1;
}
