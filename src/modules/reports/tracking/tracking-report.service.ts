import { Injectable } from '@nestjs/common';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { figuresFrom } from '../figures.js';
import { FigureReadsService } from '../figures/figure-reads.service.js';
import { mayReadSales } from '../sums/figure-sources.js';
import { type FigureTable, hasAny, sumOf } from '../figures/figure-table.js';
import { calendarIntervals } from '../figures/intervals.js';
import { addCounts, type Counts } from '../figures/measures.js';
import type { Figures } from '../report.model.js';
import { TOP_VALUES, type TrackingReport, type TrackingRequest } from './tracking-report.model.js';

interface Sold {
  readonly value: string;
  readonly counts: Readonly<Counts>;
}

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
      const none = table.totalOf(null);
      const shown = topOf(table);
      const other = { ...total };
      const known = [none, ...shown.map(({ counts }) => counts)];
      for (const counts of known) addCounts(other, counts, -1);
      return {
        lines: shown.map(({ value, counts }) => ({ value, figures: figuresFrom(counts) })),
        other: unlessNothing(other),
        none: unlessNothing(none),
        total: figuresFrom(total),
        mostValues,
      };
    });
  }
}

/** Returns the values with a sale, highest gross first, as many as are shown. */
function topOf(table: FigureTable): Sold[] {
  return table.keys
    .flatMap((key) => (key === null ? [] : [{ value: String(key), counts: table.totalOf(key) }]))
    .filter(({ counts }) => counts.sales > 0n)
    .sort(byGross)
    .slice(0, TOP_VALUES);
}

function unlessNothing(counts: Counts): Figures | null {
  return hasAny(counts, false) ? figuresFrom(counts) : null;
}

/** Compares values by gross, highest first, and ties in the order of their bytes. */
function byGross(left: Sold, right: Sold): number {
  if (left.counts.gross !== right.counts.gross) {
    return left.counts.gross < right.counts.gross ? 1 : -1;
  }
  return Buffer.compare(Buffer.from(left.value), Buffer.from(right.value));
}
