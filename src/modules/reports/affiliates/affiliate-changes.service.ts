import { Injectable } from '@nestjs/common';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { todayInUtc } from '../../../platform/values/time.js';
import { comparedRange, figuresFrom, lastComparedDay } from '../figures.js';
import { FigureReadsService } from '../figures/figure-reads.service.js';
import type { FigureTable } from '../figures/figure-table.js';
import { calendarIntervals } from '../figures/intervals.js';
import type { Comparison, DayRange, Figures, Viewer } from '../report.model.js';
import type { FigureNeeds } from '../sums/figure-sources.js';
import type { AffiliateRow, FiguresRequest } from './affiliate-figures.model.js';

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

/** The days before today of a range, and the range that they are compared with. */
interface ComparedDays {
  readonly now: DayRange;
  readonly before: DayRange;
}

/** Compares figures of affiliates with those of another range. */
@Injectable()
export class AffiliateChangesService {
  constructor(
    private readonly figures: FigureReadsService,
    private readonly reads: LedgerReadsService,
  ) {}

  /** @param rows the rows of the table of the same range, which have the gross of the whole range */
  async grossOf(
    request: FiguresRequest,
    comparison: Comparison,
    rows: readonly AffiliateRow[],
  ): Promise<GrossChanges> {
    const days = comparedDays(request, comparison);
    if (days === null) return { compared: null, changeOf: () => 0n };
    const ids = rows.map(({ id }) => id);
    const isOver = days.now.end_date === request.end_date;
    const ranges = isOver ? [days.before] : [days.before, days.now];
    const [then, now] = await this.tablesOf(request, ids, ranges, ['amount']);
    const whole = new Map(rows.map(({ id, figures }) => [id, figures.gross]));
    const grossNow = (id: number) => (isOver ? (whole.get(id) ?? 0n) : grossIn(now, id));
    return { compared: days.before, changeOf: (id) => grossNow(id) - grossIn(then, id) };
  }

  /** Returns null if nothing is compared. Fees and other commissions are left out. */
  async ofAffiliate(
    request: FiguresRequest,
    comparison: Comparison,
    affiliate_id: number,
  ): Promise<AffiliateChange | null> {
    const days = comparedDays(request, comparison);
    if (days === null) return null;
    const money = ['amount', 'affiliate'] as const;
    const ranges = [days.now, days.before];
    const tables = await this.tablesOf(request, [affiliate_id], ranges, money);
    const [now, before] = tables.map((table) => figuresFrom(table.totalOf(affiliate_id)));
    if (now === undefined || before === undefined) return null;
    return { compared: days.before, now, before };
  }

  /** Reads a table of these affiliates for each range, all from one state of the ledger. */
  private async tablesOf(
    { vendor_id, attribution }: FiguresRequest,
    affiliate_ids: readonly number[],
    ranges: readonly DayRange[],
    money: FigureNeeds['money'],
  ): Promise<FigureTable[]> {
    const viewer: Viewer = { role: 'vendor', user_id: vendor_id };
    const scope = { viewer, attribution, group: 'affiliate', filter: {} } as const;
    const needs = { money, hasPending: false } as const;
    return this.reads.readFor(viewer, async (reader) => {
      const tables: FigureTable[] = [];
      for (const range of ranges) {
        const span = { range, intervals: calendarIntervals(range, null) };
        tables.push(await this.figures.ofItems(reader, scope, affiliate_ids, span, needs));
      }
      return tables;
    });
  }
}

/** Leaves today out of both ranges, because it is not over. Returns null if nothing is compared. */
function comparedDays(request: FiguresRequest, comparison: Comparison): ComparedDays | null {
  const { start_date, end_date } = request;
  const asked = { start_date, end_date, comparison, today: todayInUtc() };
  const before = comparedRange(asked);
  return before && { now: { start_date, end_date: lastComparedDay(asked) }, before };
}

function grossIn(table: FigureTable | undefined, affiliate_id: number): bigint {
  return table?.totalOf(affiliate_id).gross ?? 0n;
}
