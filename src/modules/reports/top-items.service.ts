import { Injectable } from '@nestjs/common';
import { LedgerReadsService } from '../../ledger/revisions/ledger-reads.service.js';
import type { Reader } from '../../platform/database/database.js';
import { comparedRange, lastComparedDay } from './figures.js';
import type { FigureScope, ItemGroup } from './figures/figure.model.js';
import { FigureReadsService } from './figures/figure-reads.service.js';
import type { FigureTable } from './figures/figure-table.js';
import { calendarIntervals } from './figures/intervals.js';
import { ItemNamesService } from './item-names.service.js';
import type { DayRange, ReportRequest, TopItem } from './report.model.js';

const TOP = 10;
/** The sum of money that the viewer keeps. */
const NET = { vendor: 'earnings', affiliate: 'affiliate' } as const;
type Net = (typeof NET)[keyof typeof NET];

/** A range and the range that it is compared with. */
interface ComparedRanges {
  readonly now: DayRange;
  readonly before: DayRange;
}

/** The figures of items, and those of the days that are compared, if any. */
interface ItemTables {
  readonly table: FigureTable;
  readonly compared: { readonly now: FigureTable; readonly before: FigureTable } | null;
}

/** Finds the products, affiliates or vendors behind the figures of a report. */
@Injectable()
export class TopItemsService {
  constructor(
    private readonly figures: FigureReadsService,
    private readonly reads: LedgerReadsService,
    private readonly names: ItemNamesService,
  ) {}

  /** Returns the items with the highest gross, or those that changed most, in that order. */
  async topOf(request: ReportRequest, group: ItemGroup): Promise<TopItem[]> {
    const { viewer, attribution, filter } = request;
    const scope = { viewer, attribution, group, filter };
    const { ids, tables } = await this.reads.readFor(viewer, async (reader) => {
      if (filter.tracked !== undefined) return this.fromSales(reader, scope, request);
      const ids = await this.idsOf(reader, scope, request);
      const tableOf = (range: DayRange) =>
        this.figures.ofItems(reader, scope, ids, wholeOf(range), needsOf(viewer));
      return { ids, tables: await tablesOf(tableOf, request) };
    });
    const names = await this.names.namesOf(viewer, group, ids);
    const items = topItems(tables, ids, names, NET[viewer.role]);
    return isByChange(request) ? items.sort(byChange) : items;
  }

  private idsOf(reader: Reader, scope: FigureScope, request: ReportRequest): Promise<number[]> {
    const compared = comparedRangesOf(request);
    return compared !== null && isByChange(request)
      ? this.figures.mostChangedIds(reader, scope, compared, NET[request.viewer.role], TOP)
      : this.figures.topIds(reader, scope, rangeOf(request), TOP);
  }

  /** Reads all items of a tracked value from the sales, because there are no kept sums of them. */
  private async fromSales(reader: Reader, scope: FigureScope, request: ReportRequest) {
    const tables = await tablesOf(async (range) => {
      const found = await this.figures.read(reader, scope, wholeOf(range), needsOf(scope.viewer));
      return found.table;
    }, request);
    const { table, compared } = tables;
    const net = NET[scope.viewer.role];
    const keys = new Set([...table.keys, ...(compared?.before.keys ?? [])]);
    const sizeIn = (key: number) => {
      if (!isByChange(request) || compared === null) return table.totalOf(key).gross;
      return sizeOf(compared.now.totalOf(key)[net] - compared.before.totalOf(key)[net]);
    };
    const ids = [...keys]
      .flatMap((key) => (typeof key === 'number' ? [key] : []))
      .filter((id) => isByChange(request) || table.totalOf(id).sales > 0n)
      .sort((left, right) => comparedSizes(sizeIn(left), sizeIn(right)) || left - right);
    return { ids: ids.slice(0, TOP), tables };
  }
}

/** Reads the tables of the range, and of the days that are compared. */
async function tablesOf(
  tableOf: (range: DayRange) => Promise<FigureTable>,
  request: ReportRequest,
): Promise<ItemTables> {
  const table = await tableOf(rangeOf(request));
  const ranges = comparedRangesOf(request);
  if (ranges === null) return { table, compared: null };
  const isWhole = ranges.now.end_date === request.end_date;
  const now = isWhole ? table : await tableOf(ranges.now);
  return { table, compared: { now, before: await tableOf(ranges.before) } };
}

function wholeOf(range: DayRange) {
  return { range, intervals: calendarIntervals(range, null) };
}

function needsOf({ role }: ReportRequest['viewer']) {
  return { money: ['amount', NET[role]], hasPending: false } as const;
}

/**
 * Returns items with their figures, highest gross first. This corrects the order of the database,
 * which ranks by numbers that are not exact beyond 2^53.
 */
export function topItems(
  { table, compared }: ItemTables,
  ids: readonly number[],
  names: ReadonlyMap<number, string>,
  net: Net,
): TopItem[] {
  return ids
    .map((id): TopItem => {
      const counts = table.totalOf(id);
      const before = compared?.before.totalOf(id)[net];
      return {
        id,
        name: names.get(id) ?? String(id),
        sales: Number(counts.sales),
        gross: counts.gross,
        refunds: Number(counts.refunds),
        net: counts[net],
        compared:
          before === undefined || compared === null
            ? null
            : { before, change: compared.now.totalOf(id)[net] - before },
      };
    })
    .sort((left, right) => comparedSizes(left.gross, right.gross) || left.id - right.id);
}

function byChange(left: TopItem, right: TopItem): number {
  const [one, other] = [left, right].map(({ compared }) => sizeOf(compared?.change ?? 0n));
  return comparedSizes(one ?? 0n, other ?? 0n) || left.id - right.id;
}

/** Compares sizes, largest first. */
function comparedSizes(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left < right ? 1 : -1;
}

function sizeOf(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function isByChange(request: ReportRequest): boolean {
  return request.top === 'change' && comparedRangesOf(request) !== null;
}

function comparedRangesOf(request: ReportRequest): ComparedRanges | null {
  const before = comparedRange(request);
  if (before === null) return null;
  return { now: { ...rangeOf(request), end_date: lastComparedDay(request) }, before };
}

function rangeOf({ start_date, end_date }: DayRange): DayRange {
  return { start_date, end_date };
}
