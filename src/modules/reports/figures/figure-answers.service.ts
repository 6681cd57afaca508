import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import type { Reader } from '../../../platform/database/database.js';
import { daysAfter, daysBetween } from '../../../platform/values/time.js';
import { comparedPeriods, comparedRange, lastComparedDay } from '../figures.js';
import type { DayRange } from '../report.model.js';
import { FiguresRepository } from '../sums/figures.repository.js';
import type { FigureAnswer, FigureInterval, FigureRequest, LedgerState } from './figure.model.js';
import type { GroupKey } from './figure-row.model.js';
import { FigureBounds, FigureReadsService, type ReadFigures } from './figure-reads.service.js';
import type { FigureNeeds, FigureSpan } from '../sums/figure-sources.js';
import { type FigureTable, hasAny, sumOf } from './figure-table.js';
import {
  calendarIntervals,
  intervalOf,
  intervalsOf,
  numberOfIntervals,
  type Intervals,
} from './intervals.js';
import { type FigureValues, addCounts, measureOf, neededSums, valuesOf } from './measures.js';

/**
 * Maximum number of days of all groups that are read for intervals that do not follow the calendar.
 */
const MAX_GROUP_DAYS = 200_000;

/** A request for a range that is known. */
interface RangedRequest extends Omit<FigureRequest, 'range'> {
  readonly range: DayRange;
  readonly compared: ComparedDays | null;
}

/** A range that is compared, and the range as it was asked for. */
interface ComparedDays {
  readonly range: DayRange;
  readonly asked: DayRange;
}

/** Makes the answer to a request for figures from one state of the database. */
@Injectable()
export class FigureAnswersService {
  constructor(
    private readonly reads: FigureReadsService,
    private readonly repository: FiguresRepository,
    private readonly bounds: FigureBounds,
  ) {}

  /**
   * Returns the answer without names.
   * @param product_ids the products whose clicks count; null for those of all vendors
   * @throws ApiError invalid_parameters if too much would be read or returned
   */
  async answer(
    reader: Reader,
    asked: FigureRequest,
    product_ids: readonly number[] | null,
    state: LedgerState | null,
  ): Promise<FigureAnswer> {
    const request = await this.ranged(reader, asked);
    this.checkItems(request, 1);
    const compared = request.compared?.range ?? null;
    const of = { reader, request, product_ids };
    const whole = await this.whole(of, request.range);
    const wholeCompared = compared === null ? null : await this.whole(of, compared);
    const keys = keysOf(request, [whole, ...(wholeCompared === null ? [] : [wholeCompared])]);
    this.checkItems(request, keys.length);
    const intervals = calendarIntervals(request.range, request.interval);
    const table = await this.byInterval(of, whole, { range: request.range, intervals });
    const comparedTable =
      compared === null || wholeCompared === null
        ? null
        : await this.comparedByInterval(of, wholeCompared, intervals, keys.length);
    const totals = { ...this.totalsOf(request, whole), ...(await this.unpaid(of)) };
    return {
      groups: keys.map((key) => ({
        key,
        name: null,
        counts: table.countsOf(key),
        compared: comparedTable?.countsOf(key) ?? null,
      })),
      intervals: intervalsShown(request, intervals),
      totals: inOrder(request, totals),
      range: request.range,
      comparedRange: compared,
      comparedTotals: wholeCompared === null ? null : this.totalsOf(request, wholeCompared),
      leftOut: leftOutOf(request, whole),
      state,
    };
  }

  /** Returns the request with its range. If something is compared, the range ends before today. */
  private async ranged(reader: Reader, request: FigureRequest): Promise<RangedRequest> {
    const { viewer, today, comparison } = request;
    const asked = request.range ??
      (await this.repository.firstAndLastDay(reader, viewer)) ?? {
        start_date: today,
        end_date: today,
      };
    // A ledger without days before today has nothing to compare.
    const isNew = request.range === null && asked.start_date >= today;
    if (comparison === 'none' || isNew) return { ...request, range: asked, compared: null };
    if (asked.start_date >= today) {
      const problem =
        'Only days before today are compared, so the range must begin before today (UTC).';
      throw new ApiError('invalid_parameters', problem);
    }
    const before = comparedRange({ ...asked, comparison, today });
    return {
      ...request,
      range: { ...asked, end_date: lastComparedDay({ ...asked, today }) },
      compared: before === null ? null : { range: before, asked },
    };
  }

  private checkItems({ interval, range }: RangedRequest, groups: number): void {
    const items = groups * (interval === null ? 1 : numberOfIntervals(range, interval));
    if (items <= this.bounds.items) return;
    const detail = `The answer would have ${items} items; at most ${this.bounds.items} are returned. Use a longer interval, a shorter range or a filter.`;
    throw new ApiError('invalid_parameters', detail);
  }

  private async whole(of: Reading, range: DayRange): Promise<ReadFigures> {
    return this.read(of, { range, intervals: calendarIntervals(range, null) });
  }

  private async byInterval(of: Reading, whole: ReadFigures, span: FigureSpan) {
    if (span.intervals.ranges.length === 1) return whole.table;
    return (await this.read(of, span)).table;
  }

  private async comparedByInterval(
    of: Reading,
    whole: ReadFigures,
    { ranges }: Intervals,
    groups: number,
  ): Promise<FigureTable> {
    const { interval, comparison, today, compared } = of.request;
    if (interval === null || compared === null) return whole.table;
    const { asked, range } = compared;
    const periods = comparedPeriods({ ...asked, comparison, today }, range, ranges, interval);
    const intervals = intervalsOf(periods, interval);
    const read = groups * (daysBetween(range.start_date, range.end_date) + 1);
    if (interval !== 'day' && intervals.bucket === 'day' && read > MAX_GROUP_DAYS) {
      const detail = `This comparison would read ${read} days of groups; at most ${MAX_GROUP_DAYS} are read. Leave the interval out, or shorten the range.`;
      throw new ApiError('invalid_parameters', detail);
    }
    const last = periods.at(-1)?.end_date ?? range.end_date;
    return (await this.read(of, { range: { ...range, end_date: last }, intervals })).table;
  }

  private async read({ reader, request, product_ids }: Reading, span: FigureSpan) {
    const found = await this.reads.read(reader, request, span, needsOf(request));
    if (!hasClicks(request)) return found;
    const { viewer, group, filter } = request;
    const affiliate_id = viewer.role === 'affiliate' ? viewer.user_id : filter.affiliate_id;
    const criteria = {
      product_ids,
      ...(affiliate_id === undefined ? {} : { affiliate_id }),
      group: group === 'product' || group === 'affiliate' ? group : null,
      ...span.range,
    };
    const rows = await this.repository.clicks(reader, criteria, span.intervals.bucket);
    for (const row of rows) found.table.addClicks(row);
    return found;
  }

  private totalsOf({ measures }: RangedRequest, { table, leftOut }: ReadFigures): FigureValues {
    const counts = sumOf(table.allGroups());
    if (leftOut !== null) addCounts(counts, leftOut);
    return valuesOf(counts, measures);
  }

  private async unpaid({ reader, request }: Reading): Promise<FigureValues> {
    const { viewer, filter, measures } = request;
    if (!measures.includes('unpaid_commissions')) return {};
    const { user_id } = viewer;
    const unpaid_commissions =
      viewer.role === 'vendor'
        ? await this.repository.unpaidOfVendor(reader, user_id, filter.affiliate_id)
        : await this.repository.unpaidOfAffiliate(reader, user_id);
    return { unpaid_commissions };
  }
}

interface Reading {
  readonly reader: Reader;
  readonly request: RangedRequest;
  readonly product_ids: readonly number[] | null;
}

export function hasClicks({ measures }: Pick<FigureRequest, 'measures'>): boolean {
  return measures.some((name) => measureOf(name).hasClicks === true);
}

export function needsOf({ measures }: Pick<FigureRequest, 'measures'>): FigureNeeds {
  return {
    money: ['amount', ...neededSums(measures)],
    hasPending: measures.includes('pending') || measures.includes('pending_amount'),
  };
}

/** Returns the groups with anything in the range or the compared one, highest gross first. */
function keysOf(request: RangedRequest, all: readonly ReadFigures[]): GroupKey[] {
  if (request.group === null) return [null];
  const { hasPending } = needsOf(request);
  const keys = new Set<GroupKey>();
  for (const { table } of all) {
    for (const key of table.keys) {
      if (hasAny(table.totalOf(key), hasPending)) keys.add(key);
    }
  }
  const [whole] = all;
  return [...keys]
    .map((key) => ({ key, gross: whole?.table.totalOf(key).gross ?? 0n }))
    .sort((left, right) =>
      left.gross === right.gross
        ? comparedKeys(left.key, right.key)
        : left.gross < right.gross
          ? 1
          : -1,
    )
    .map(({ key }) => key);
}

/** Compares ids by number and values by their bytes; sales without either come last. */
function comparedKeys(left: GroupKey, right: GroupKey): number {
  if (left === null || right === null) return left === null ? 1 : -1;
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)));
}

function intervalsShown(
  { interval, range }: RangedRequest,
  { ranges }: Intervals,
): FigureAnswer['intervals'] {
  return interval === null ? [null] : ranges.map((each) => intervalShown(each, interval, range));
}

/** Marks an interval as partial if the range begins after its start or ends before its end. */
function intervalShown(
  each: DayRange,
  step: NonNullable<FigureRequest['interval']>,
  { start_date, end_date }: DayRange,
): FigureInterval {
  const isCutBefore = each.start_date === start_date && intervalOf(start_date, step) !== start_date;
  const isCutAfter =
    each.end_date === end_date &&
    end_date < LAST_DAY &&
    intervalOf(daysAfter(end_date, 1), step) === intervalOf(end_date, step);
  return { ...each, isPartial: isCutBefore || isCutAfter };
}
const LAST_DAY = '9999-12-31';

function leftOutOf({ measures }: RangedRequest, { leftOut }: ReadFigures): FigureValues | null {
  if (leftOut === null || !hasAny(leftOut, true)) return null;
  return valuesOf(leftOut, measures);
}

/** Returns values in the order in which they were asked for. */
function inOrder({ measures }: RangedRequest, values: FigureValues): FigureValues {
  return Object.fromEntries(measures.map((name) => [name, values[name]]));
}
