import { Injectable } from '@nestjs/common';
import { Database, type Reader } from '../../../platform/database/database.js';
import { SharedRoom } from '../../../platform/limits/memory/shared-room.js';
import { daysAfter } from '../../../platform/values/time.js';
import { FIRST_DAY } from '../figures.js';
import { FigureBounds, FigureReadsService } from '../figures/figure-reads.service.js';
import { FigureTable, sumOf } from '../figures/figure-table.js';
import { calendarIntervals } from '../figures/intervals.js';
import { type Counts, MONEY_OF } from '../figures/measures.js';
import type { DayRange } from '../report.model.js';
import { dividedByValue } from '../tracking/tracking-lines.js';
import type { OwnTracking, OwnTrackingRequest } from './own-tracking.model.js';
import { OwnTrackingRepository, type SoldDay } from './own-tracking.repository.js';

/** At most this many requests read sales at a time, one per account. */
const MAX_READING_SALES = 3;
const NEEDS = { money: MONEY_OF.affiliate, hasPending: false };

/** Days of sale that one statement reads, and the number of their transactions. */
interface Slice extends DayRange {
  readonly transactions: number;
}

/** The counts by tracking id that were read, and how far, or null if nothing is missing. */
interface Search {
  readonly table: FigureTable;
  readonly searched_to: string | null;
}

/**
 * Reports the sales that an affiliate referred by their tracking id. The total is from kept sums;
 * its parts are read from the sales, newest first, until they add up to it.
 */
@Injectable()
export class OwnTrackingService {
  private readonly room = SharedRoom.refusingNobody(MAX_READING_SALES);

  constructor(
    private readonly repository: OwnTrackingRepository,
    private readonly figures: FigureReadsService,
    private readonly bounds: FigureBounds,
    private readonly database: Database,
  ) {}

  /**
   * Reads from one state of the primary, because the revision of a ledger does not cover the sales
   * of an affiliate.
   */
  trackingOf(request: OwnTrackingRequest): Promise<OwnTracking> {
    const read = () =>
      this.database.readSnapshot(
        () => Promise.resolve(false),
        async (reader) => {
          const total = await this.totalOf(reader, request);
          const { table, searched_to } = await this.search(reader, request, total);
          return { ...dividedByValue(table, total, 'affiliate'), searched_to };
        },
      );
    return this.room.during(request.affiliate_id, 1, read);
  }

  private async totalOf(reader: Reader, request: OwnTrackingRequest): Promise<Counts> {
    const { affiliate_id, vendor_id, attribution } = request;
    const viewer = { role: 'affiliate', user_id: affiliate_id } as const;
    const filter = vendor_id === undefined ? {} : { vendor_id };
    const scope = { viewer, attribution, group: null, filter };
    const { table } = await this.figures.read(reader, scope, spanOf(request), NEEDS);
    return table.totalOf(null);
  }

  /** Reads the sales of the range, then older ones that were returned in it. */
  private async search(
    reader: Reader,
    request: OwnTrackingRequest,
    total: Counts,
  ): Promise<Search> {
    const { start_date, end_date } = request;
    const table = new FigureTable(spanOf(request).intervals);
    const before = { start_date: FIRST_DAY, end_date: daysAfter(start_date, -1) };
    let left = this.bounds.salesOfPage;
    let searched_to = end_date;
    for (const days of [{ start_date, end_date }, before]) {
      if (hasAll(table, total)) break;
      const sold = await this.repository.days(reader, request, days);
      for (const slice of slicesOf(sold, this.bounds.slice)) {
        if (hasAll(table, total)) break;
        left -= slice.transactions;
        if (left < 0) return { table, searched_to };
        const rows = await this.repository.rows(reader, request, slice);
        for (const row of rows) table.addRow(row, row.item);
        searched_to = slice.start_date;
      }
    }
    return { table, searched_to: null };
  }
}

function spanOf({ start_date, end_date }: DayRange) {
  const range = { start_date, end_date };
  return { range, intervals: calendarIntervals(range, null) };
}

/** Returns true if the table has as many sales, refunds and chargebacks as there are. */
function hasAll(table: FigureTable, total: Counts): boolean {
  const found = sumOf(table.allGroups());
  return (['sales', 'refunds', 'chargebacks'] as const).every((of) => found[of] === total[of]);
}

/** Divides days into slices of whole days, of which only a single day may have more than `size`. */
function slicesOf(days: readonly SoldDay[], size: number): Slice[] {
  const slices: Slice[] = [];
  for (const { day, transactions } of days) {
    const last = slices.at(-1);
    if (last !== undefined && last.transactions + transactions <= size) {
      const sum = last.transactions + transactions;
      slices[slices.length - 1] = { ...last, start_date: day, transactions: sum };
    } else {
      slices.push({ start_date: day, end_date: day, transactions });
    }
  }
  return slices;
}
