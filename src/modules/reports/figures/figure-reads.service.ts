import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import type { TrackedField } from '../../../ledger/sums/kept-sums.model.js';
import type { MoneySum } from '../../../ledger/sums/report-sums.js';
import { ANY_VALUE, isTrackable, TrackingBounds } from '../../../ledger/sums/tracking-sums.js';
import type { Reader } from '../../../platform/database/database.js';
import type { DayRange } from '../report.model.js';
import { FiguresRepository } from '../sums/figures.repository.js';
import { negated, ofItems, trackedSources, type KeptSource } from '../sums/kept-sources.js';
import { kindsOf } from '../../../ledger/sums/sum-parts.js';
import { TRACKED_PARTS } from '../tracking/tracking-report.model.js';
import { TrackingReportRepository } from '../tracking/tracking-report.repository.js';
import type { FigureScope } from './figure.model.js';
import type { FigureRow, GroupKey } from './figure-row.model.js';
import { FigureTable, sumOf } from './figure-table.js';
import { calendarIntervals } from './intervals.js';
import {
  columnsOf,
  type FigureNeeds,
  type FigureSpan,
  isKeptByTracking,
  keptOf,
  servingSources,
  trackedFieldOf,
  waitingRows,
} from '../sums/figure-sources.js';
import { LedgerFiguresRepository } from './ledger-figures.repository.js';
import { addCounts, type Counts } from './measures.js';

/** Bounds what a request for figures may read and return. */
@Injectable()
export class FigureBounds {
  /** Maximum number of sales that are read for figures without kept sums. */
  sales = 200_000;
  /** Maximum number of sales that an account page reads, which reads them several times. */
  salesOfPage = 50_000;
  /** Number of sales that one statement reads. */
  slice = 10_000;
  /** Maximum number of items in an answer. */
  items = 10_000;
}

export interface ReadFigures {
  readonly table: FigureTable;
  /** Counts of tracked values that have no group of their own; null if all have one. */
  readonly leftOut: Counts | null;
  /** Maximum number of values with kept sums, if the field of the group has reached it; or null. */
  readonly mostValues: number | null;
}

/** Reads the counts of groups and intervals: from kept sums, or else from the sales. */
@Injectable()
export class FigureReadsService {
  constructor(
    private readonly figures: FiguresRepository,
    private readonly ledger: LedgerFiguresRepository,
    private readonly tracking: TrackingReportRepository,
    private readonly bounds: FigureBounds,
    private readonly trackingBounds: TrackingBounds,
  ) {}

  /**
   * Reads the counts of the groups with transactions.
   * @throws ApiError invalid_parameters if there are no kept sums and too many sales
   */
  async read(
    reader: Reader,
    scope: FigureScope,
    span: FigureSpan,
    needs: FigureNeeds,
  ): Promise<ReadFigures> {
    const field = trackedFieldOf(scope);
    if (field !== null && isKeptByTracking(needs)) {
      const { tracked } = scope.filter;
      const found =
        tracked === undefined
          ? await this.byValue(reader, scope, field, span, needs)
          : await this.ofValue(reader, scope, field, span, needs);
      if (found !== null) return found;
    }
    const kept = await this.fromKeptSums(reader, scope, span, needs);
    const table = kept ?? (await this.fromLedger(reader, scope, span, needs));
    return { table, leftOut: null, mostValues: null };
  }

  /**
   * Returns the number of sales that a page would have to read for figures without kept sums, or
   * null if there are few enough.
   */
  async tooManyForPage(
    reader: Reader,
    scope: FigureScope,
    { start_date, end_date }: DayRange,
  ): Promise<number | null> {
    const sales = await this.ledger.count(reader, scope, { start_date, end_date });
    return sales > this.bounds.salesOfPage ? sales : null;
  }

  /**
   * Reads the counts of sales with an affiliate: of one affiliate, or by affiliate.
   * @throws Error if there are no kept sums of them
   */
  ofAffiliates(
    reader: Reader,
    scope: FigureScope,
    span: FigureSpan,
    needs: FigureNeeds,
  ): Promise<FigureTable> {
    return this.tableOf(reader, scope, keptOf(scope, span, needs), span, needs);
  }

  /** Returns the items of the group with the highest gross in a range, highest first. */
  topIds(reader: Reader, scope: FigureScope, range: DayRange, limit: number): Promise<number[]> {
    const span = { range, intervals: calendarIntervals(range, null) };
    return this.figures.topIds(reader, keptOf(scope, span, ONLY_GROSS), limit);
  }

  /**
   * Returns the items of the group whose sum of money differs most between two ranges, largest
   * difference first. Items without a difference are left out.
   */
  mostChangedIds(
    reader: Reader,
    scope: FigureScope,
    { now, before }: Readonly<Record<'now' | 'before', DayRange>>,
    sum: MoneySum,
    limit: number,
  ): Promise<number[]> {
    const needs = { money: [sum], hasPending: false };
    const sourcesOf = (range: DayRange) =>
      keptOf(scope, { range, intervals: calendarIntervals(range, null) }, needs);
    const sources = [...sourcesOf(now), ...sourcesOf(before).map(negated)];
    const kinds = kindsOf(TRACKED_PARTS, scope.attribution);
    return this.figures.mostChangedIds(reader, sources, { sum, kinds }, limit);
  }

  /** Reads the counts of these items of the group. */
  async ofItems(
    reader: Reader,
    scope: FigureScope,
    ids: readonly number[],
    span: FigureSpan,
    needs: FigureNeeds,
  ): Promise<FigureTable> {
    if (ids.length === 0) return new FigureTable(span.intervals);
    const sources = keptOf(scope, span, needs).map((source) => ofItems(source, ids));
    return this.tableOf(reader, scope, sources, span, needs);
  }

  private async fromKeptSums(
    reader: Reader,
    scope: FigureScope,
    span: FigureSpan,
    needs: FigureNeeds,
  ): Promise<FigureTable | null> {
    const { group, filter, viewer } = scope;
    const table = await this.kept(reader, scope, span, needs);
    if (table === null) return null;
    if (group !== 'affiliate' || filter.affiliate_id !== undefined || viewer.role === 'affiliate') {
      return table;
    }
    // Sales without an affiliate have no kept sums of their own.
    const all = servingSources({ ...scope, group: null }, span, needs);
    if (all === null) return null;
    const ofAffiliates = table.allGroups();
    for (const row of await this.rows(reader, scope, all, span, needs)) table.addRow(row, null);
    table.add(null, ofAffiliates, -1);
    return table;
  }

  /** Sales without a product or an affiliate are left out if the group is theirs. */
  private async kept(
    reader: Reader,
    scope: FigureScope,
    span: FigureSpan,
    needs: FigureNeeds,
  ): Promise<FigureTable | null> {
    const sources = servingSources(scope, span, needs);
    return sources && this.tableOf(reader, scope, sources, span, needs);
  }

  private async tableOf(
    reader: Reader,
    scope: FigureScope,
    sources: readonly KeptSource[],
    span: FigureSpan,
    needs: FigureNeeds,
  ): Promise<FigureTable> {
    const table = new FigureTable(span.intervals);
    for (const row of await this.rows(reader, scope, sources, span, needs)) {
      table.addRow(row, scope.group === null ? null : row.item);
    }
    return table;
  }

  private rows(
    reader: Reader,
    { attribution }: FigureScope,
    sources: readonly KeptSource[],
    { intervals }: FigureSpan,
    needs: FigureNeeds,
  ): Promise<FigureRow[]> {
    return this.figures.sums(reader, sources, columnsOf(attribution, intervals, needs));
  }

  private async fromLedger(
    reader: Reader,
    scope: FigureScope,
    { range, intervals }: FigureSpan,
    needs: FigureNeeds,
  ): Promise<FigureTable> {
    const sales = await this.ledger.count(reader, scope, range);
    if (sales > this.bounds.sales) throw tooManySales(sales, this.bounds.sales, range);
    const table = new FigureTable(intervals);
    const columns = columnsOf(scope.attribution, intervals, needs);
    const { slice } = this.bounds;
    for (const row of await this.ledger.rows(reader, scope, range, columns, slice)) {
      table.addRow(row, scope.group === null ? null : row.item);
    }
    return table;
  }

  /** Reads the sales by the values of a tracked field. */
  private async byValue(
    reader: Reader,
    scope: FigureScope,
    field: TrackedField,
    span: FigureSpan,
    needs: FigureNeeds,
  ): Promise<ReadFigures> {
    const vendor_id = scope.viewer.user_id;
    const table = new FigureTable(span.intervals);
    const rest = new FigureTable(span.intervals);
    const stored = await this.tracking.values(reader, vendor_id, field);
    const values = new Map(stored.map(({ id, value }) => [id, value]));
    const names = new Set(values.values());
    const bucket = span.intervals.bucket;
    const sources = trackedSources(vendor_id, field, { range: span.range, bucket }, null);
    for (const row of await this.rows(reader, scope, sources, span, needs)) {
      if (row.item === ANY_VALUE) rest.addRow(row, null);
      else table.addRow(row, values.get(Number(row.item)) ?? null);
    }
    // If the field has reached its limit of values, those without a number have no group.
    const isFull = stored.length >= this.trackingBounds.values;
    const waiting = await this.tracking.waitingSales(reader, vendor_id, field, span.range);
    for (const row of waitingRows(waiting, scope, span)) {
      rest.addRow(row, null);
      const value = String(row.item);
      if (names.has(value) || (!isFull && isTrackable(value))) table.addRow(row, value);
    }
    const withValue = rest.countsOf(null);
    const leftOut = sumOf(withValue);
    addCounts(leftOut, sumOf(table.allGroups()), -1);
    const without = await this.totals(reader, scope, span, needs);
    without.add(null, withValue, -1);
    table.add(null, without.countsOf(null));
    return { table, leftOut, mostValues: isFull ? this.trackingBounds.values : null };
  }

  /** @returns null if the value has no kept sums of its own */
  private async ofValue(
    reader: Reader,
    scope: FigureScope,
    field: TrackedField,
    span: FigureSpan,
    needs: FigureNeeds,
  ): Promise<ReadFigures | null> {
    const vendor_id = scope.viewer.user_id;
    const wanted = scope.filter.tracked?.value ?? '';
    const stored = await this.tracking.values(reader, vendor_id, field);
    const known = stored.find(({ value }) => value === wanted);
    const isFull = stored.length >= this.trackingBounds.values;
    if (known === undefined && (isFull || !isTrackable(wanted))) return null;
    const table = new FigureTable(span.intervals);
    const key: GroupKey = scope.group === null ? null : wanted;
    if (known !== undefined) {
      const spanned = { range: span.range, bucket: span.intervals.bucket };
      const sources = trackedSources(vendor_id, field, spanned, known.id);
      const rows = await this.rows(reader, scope, sources, span, needs);
      for (const row of rows) table.addRow(row, key);
    }
    const waiting = await this.tracking.waitingSales(reader, vendor_id, field, span.range);
    for (const row of waitingRows(waiting, scope, span)) {
      if (row.item === wanted) table.addRow(row, key);
    }
    return { table, leftOut: null, mostValues: null };
  }

  /** Returns the counts of all sales by interval, without groups. */
  private async totals(
    reader: Reader,
    scope: FigureScope,
    span: FigureSpan,
    needs: FigureNeeds,
  ): Promise<FigureTable> {
    const table = new FigureTable(span.intervals);
    const sources = servingSources({ ...scope, group: null }, span, needs) ?? [];
    for (const row of await this.rows(reader, scope, sources, span, needs)) {
      table.addRow(row, null);
    }
    return table;
  }
}

const ONLY_GROSS: FigureNeeds = { money: ['amount'], hasPending: false };

function tooManySales(sales: number, most: number, { start_date, end_date }: DayRange): ApiError {
  const detail = `These figures are not kept, and the range has ${sales} sales and refunds to read; at most ${most} are read. Shorten the range, or add up GET /ledger/v1/transactions.ndjson?start_date=${start_date}&end_date=${end_date}.`;
  return new ApiError('invalid_parameters', detail);
}
