import { Injectable } from '@nestjs/common';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { todayInUtc } from '../../../platform/values/time.js';
import { comparedRange, lastComparedDay } from '../figures.js';
import { FigureReadsService } from '../figures/figure-reads.service.js';
import { calendarIntervals } from '../figures/intervals.js';
import type { Comparison, DayRange, Viewer } from '../report.model.js';
import type { FiguresRequest } from './affiliate-figures.model.js';

/** The change of the gross of some affiliates. */
export interface GrossChanges {
  /** Range that is compared; null if there is none. */
  readonly compared: DayRange | null;
  /** How much more the gross is than in the compared range, in cents. */
  readonly changeOf: (affiliate_id: number) => bigint;
}

/** Compares the gross of affiliates with that of another range. */
@Injectable()
export class AffiliateChangesService {
  constructor(
    private readonly figures: FigureReadsService,
    private readonly reads: LedgerReadsService,
  ) {}

  /** Today is left out of both ranges, because it is not over. */
  async grossOf(
    request: FiguresRequest,
    comparison: Comparison,
    affiliate_ids: readonly number[],
  ): Promise<GrossChanges> {
    const { vendor_id, attribution, start_date } = request;
    const asked = { ...request, comparison, today: todayInUtc() };
    const before = comparedRange(asked);
    if (before === null) return { compared: null, changeOf: () => 0n };
    const viewer: Viewer = { role: 'vendor', user_id: vendor_id };
    const scope = { viewer, attribution, group: 'affiliate', filter: {} } as const;
    const needs = { money: ['amount'], hasPending: false } as const;
    const spanOf = (range: DayRange) => ({ range, intervals: calendarIntervals(range, null) });
    const days = { start_date, end_date: lastComparedDay(asked) };
    const { now, then } = await this.reads.readFor(viewer, async (reader) => {
      const tableOf = (range: DayRange) =>
        this.figures.ofItems(reader, scope, affiliate_ids, spanOf(range), needs);
      return { now: await tableOf(days), then: await tableOf(before) };
    });
    return {
      compared: before,
      changeOf: (id) => now.totalOf(id).gross - then.totalOf(id).gross,
    };
  }
}
