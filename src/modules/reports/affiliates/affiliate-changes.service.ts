import { Injectable } from '@nestjs/common';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { todayInUtc } from '../../../platform/values/time.js';
import { comparedRange, figuresFrom, lastComparedDay } from '../figures.js';
import { FigureReadsService } from '../figures/figure-reads.service.js';
import type { FigureTable } from '../figures/figure-table.js';
import { calendarIntervals } from '../figures/intervals.js';
import type { Comparison, DayRange, Figures, Viewer } from '../report.model.js';
import type { FigureNeeds } from '../sums/figure-sources.js';
import type { FiguresRequest } from './affiliate-figures.model.js';

/** The change of the gross of some affiliates. */
export interface GrossChanges {
  /** Range that is compared; null if there is none. */
  readonly compared: DayRange | null;
  /** How much more the gross is than in the compared range, in cents. */
  readonly changeOf: (affiliate_id: number) => bigint;
}

/** The figures of an affiliate on the days before today, and in the compared range. */
export interface AffiliateChange {
  readonly compared: DayRange;
  readonly now: Figures;
  readonly before: Figures;
}

/** Two tables by affiliate. */
interface Tables {
  readonly compared: DayRange;
  readonly now: FigureTable;
  readonly then: FigureTable;
}

/** Compares figures of affiliates with those of another range. */
@Injectable()
export class AffiliateChangesService {
  constructor(
    private readonly figures: FigureReadsService,
    private readonly reads: LedgerReadsService,
  ) {}

  async grossOf(
    request: FiguresRequest,
    comparison: Comparison,
    affiliate_ids: readonly number[],
  ): Promise<GrossChanges> {
    const tables = await this.tables(request, comparison, affiliate_ids, ['amount']);
    if (tables === null) return { compared: null, changeOf: () => 0n };
    const { compared, now, then } = tables;
    return { compared, changeOf: (id) => now.totalOf(id).gross - then.totalOf(id).gross };
  }

  /** Returns null if nothing is compared. Fees and other commissions are left out. */
  async ofAffiliate(
    request: FiguresRequest,
    comparison: Comparison,
    affiliate_id: number,
  ): Promise<AffiliateChange | null> {
    const money = ['amount', 'affiliate'] as const;
    const tables = await this.tables(request, comparison, [affiliate_id], money);
    if (tables === null) return null;
    const { compared, now, then } = tables;
    const of = (table: FigureTable) => figuresFrom(table.totalOf(affiliate_id));
    return { compared, now: of(now), before: of(then) };
  }

  /** Today is left out of both ranges, because it is not over. */
  private async tables(
    request: FiguresRequest,
    comparison: Comparison,
    affiliate_ids: readonly number[],
    money: FigureNeeds['money'],
  ): Promise<Tables | null> {
    const { vendor_id, attribution, start_date } = request;
    const asked = { ...request, comparison, today: todayInUtc() };
    const compared = comparedRange(asked);
    if (compared === null) return null;
    const viewer: Viewer = { role: 'vendor', user_id: vendor_id };
    const scope = { viewer, attribution, group: 'affiliate', filter: {} } as const;
    const needs = { money, hasPending: false } as const;
    const spanOf = (range: DayRange) => ({ range, intervals: calendarIntervals(range, null) });
    const days = { start_date, end_date: lastComparedDay(asked) };
    return this.reads.readFor(viewer, async (reader) => {
      const tableOf = (range: DayRange) =>
        this.figures.ofItems(reader, scope, affiliate_ids, spanOf(range), needs);
      return { compared, now: await tableOf(days), then: await tableOf(compared) };
    });
  }
}
