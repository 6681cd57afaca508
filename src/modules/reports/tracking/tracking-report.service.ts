import { Injectable } from '@nestjs/common';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { FigureReadsService } from '../figures/figure-reads.service.js';
import { mayReadSales } from '../sums/figure-sources.js';
import { sumOf } from '../figures/figure-table.js';
import { calendarIntervals } from '../figures/intervals.js';
import { addCounts } from '../figures/measures.js';
import { dividedByValue } from './tracking-lines.js';
import type { TrackingReport, TrackingRequest } from './tracking-report.model.js';

const NEEDS = { money: ['amount', 'earnings'], hasPending: false } as const;

/** Reports a vendor's sales by the values of a tracking field. */
@Injectable()
export class TrackingReportService {
  constructor(
    private readonly figures: FigureReadsService,
    private readonly reads: LedgerReadsService,
  ) {}

  /**
   * Returns the report, or the number of sales to read if there are too many: fields and filters
   * without kept sums are read from the sales.
   */
  report({
    vendor_id,
    field,
    attribution,
    filter,
    ...range
  }: TrackingRequest): Promise<TrackingReport | number> {
    const viewer = { role: 'vendor', user_id: vendor_id } as const;
    const scope = { viewer, attribution, group: field, filter };
    const span = { range, intervals: calendarIntervals(range, null) };
    // All parts are read from one state, because waiting sales are added to the kept sums at any
    // time.
    return this.reads.readState(vendor_id, async (reader) => {
      if (mayReadSales(scope, NEEDS)) {
        const sales = await this.figures.tooManyForPage(reader, scope, range);
        if (sales !== null) return sales;
      }
      const { table, leftOut, mostValues } = await this.figures.read(reader, scope, span, NEEDS);
      const total = sumOf(table.allGroups());
      if (leftOut !== null) addCounts(total, leftOut);
      return { ...dividedByValue(table, total, 'gross'), mostValues };
    });
  }
}
