import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { endOfDay, startOfDay } from '../../../platform/values/time.js';
import type { Reader } from '../../../platform/database/database.js';
import type { LedgerPosition } from '../../../ledger/reads/transaction.model.js';
import { SaleDaysRepository } from '../../../ledger/sums/sale-days.repository.js';
import { indexRangesOf, isServed } from './index-ranges.js';
import type { IndexRangeOfDays } from './key-parts.js';
import { rangesOf, QueryKeysRepository, type PageKeys } from './query-keys.repository.js';
import {
  daysFromCursor,
  MAX_IN_CURSOR,
  pageOf,
  type QueryCursor,
  type QueryPage,
  type TransactionFilter,
  type TransactionsQuery,
} from './query.model.js';

/**
 * Limits how many transactions are read for one page of a filtered list. The list is read in slices
 * of `size` transactions until the page is full, or until `most` slices are read. The page then
 * reports the day it has reached, so that a page of rare matches takes about as long as any other
 * page. The first slice is short, because it fills the page if many transactions match.
 */
@Injectable()
export class QuerySlices {
  readonly size: number = 2_500;
  readonly most: number = 5;
  /**
   * Maximum number of days of a slice: the number of day ranges that fit one statement
   * (report-lists.repository.ts).
   */
  readonly days: number = 1_000;
  /** Maximum number of transactions that are read to count those of a list. */
  readonly counted: number = 10_000;
  /** Time in which an export counts its transactions, in milliseconds. */
  readonly countMs: number = 30_000;
}

export interface PageRequest {
  /** Null for the first page. */
  readonly cursor: QueryCursor | null;
  readonly size: number;
}

/** The first slice has this many transactions for each one of the page. */
const FIRST_SLICE = 4;

/** Number of transactions that are counted at a time. On SQLite, other requests wait for them. */
const COUNTED_SLICE = 20_000;

const TOO_MANY =
  'The transactions of this export could not be counted in time. Narrow the range from start_date to end_date, or filter by email, pre_key or one affiliate_id.';

/** A part of a list, up to a position; null if nothing is left behind it. */
interface Slice {
  readonly ranges: IndexRangeOfDays[];
  readonly until: LedgerPosition | null;
}

type ReadRows<Row> = (keys: PageKeys) => Promise<Row[]>;

/** Reads pages of lists: selects the index ranges of each page and their ends. */
@Injectable()
export class QueryPages {
  constructor(
    private readonly keys: QueryKeysRepository,
    private readonly days: SaleDaysRepository,
    private readonly slices: QuerySlices,
  ) {}

  /** @param readRows returns rows newest first */
  async page<Row extends LedgerPosition>(
    reader: Reader,
    query: TransactionsQuery,
    request: PageRequest,
    readRows: ReadRows<Row>,
  ): Promise<QueryPage<Row>> {
    if (!isServed(query)) {
      return this.filteredPage(reader, query, request, readRows);
    }
    const { cursor, size } = request;
    // The additional row shows whether there is another page.
    const take = size + 1;
    // Each of these days has a row, except possibly the cursor's own day.
    const { ranges } = await this.rangesWithDays(reader, query, cursor, take + 1);
    if (ranges.length === 0) return pageOf([], cursor, size);
    const found = await readRows({ ranges, cursor, until: null, take });
    return pageOf(found, cursor, size);
  }

  /** Reads slices of all rows, because no kept sum shows which days have matching rows. */
  private async filteredPage<Row extends LedgerPosition>(
    reader: Reader,
    query: TransactionsQuery,
    { cursor, size }: PageRequest,
    readRows: ReadRows<Row>,
  ): Promise<QueryPage<Row>> {
    const direction = cursor?.direction ?? 'after';
    const found: Row[] = [];
    let from = cursor;
    for (let slices = 0; slices < this.slices.most; slices += 1) {
      const most = slices === 0 ? FIRST_SLICE * (size + 1) : this.slices.size;
      const read = Math.min(most, this.slices.size);
      const { ranges, until } = await this.sliceFrom(reader, query, from, read);
      if (ranges.length === 0) return pageOf(found, cursor, size);
      const take = size + 1 - found.length;
      const some = await readRows({ ranges, cursor: from, until, take });
      if (direction === 'after') found.push(...some);
      else found.unshift(...some);
      if (until === null || found.length > size) return pageOf(found, cursor, size);
      from = { direction, position: until };
    }
    return pageOf(found, cursor, size, from?.position);
  }

  /** Counts the transactions of a query. @returns null if too many would have to be read */
  async countWithin(reader: Reader, query: TransactionsQuery): Promise<number | null> {
    const { ranges, until } = await this.sliceFrom(reader, query, null, this.slices.counted + 1);
    if (ranges.length === 0) return 0;
    return until === null ? this.keys.count(reader, { ranges, cursor: null, until }) : null;
  }

  /**
   * Counts the transactions of a query, slice by slice.
   * @param turn is called before each slice
   * @throws ApiError invalid_parameters if it takes too long
   */
  async countAll(
    reader: Reader,
    query: TransactionsQuery,
    turn: () => Promise<void>,
  ): Promise<number> {
    const end = performance.now() + this.slices.countMs;
    let count = 0;
    let cursor: QueryCursor | null = null;
    for (;;) {
      await turn();
      if (performance.now() > end) throw new ApiError('invalid_parameters', TOO_MANY);
      const { ranges, until }: Slice = await this.sliceFrom(reader, query, cursor, COUNTED_SLICE);
      if (ranges.length > 0) count += await this.keys.count(reader, { ranges, cursor, until });
      if (until === null) return count;
      cursor = { direction: 'after', position: until };
    }
  }

  /** Returns a part of a list. The next part begins at `until`; null if nothing is left. */
  private async sliceFrom(
    reader: Reader,
    query: TransactionsQuery,
    cursor: QueryCursor | null,
    size: number,
  ): Promise<Slice> {
    const { ranges, end } = await this.rangesWithDays(reader, query, cursor, this.slices.days);
    if (ranges.length === 0) return { ranges, until: null };
    const position = await this.keys.positionAfter(reader, { ranges, cursor }, size - 1);
    return { ranges, until: nearer(position, end, cursor) };
  }

  /**
   * Returns the index ranges of a list. If few rows of an index range match, they are limited to
   * the first `limit` days that have rows according to the kept sums.
   * @returns `end` is the position where the first index range with more days than that ends; null
   * if none has
   */
  private async rangesWithDays(
    reader: Reader,
    query: TransactionsQuery,
    cursor: QueryCursor | null,
    limit: number,
  ): Promise<{ ranges: IndexRangeOfDays[]; end: LedgerPosition | null }> {
    const { viewer: owner, filter } = query;
    const order = cursor?.direction === 'before' ? 'ASC' : 'DESC';
    const ranges: IndexRangeOfDays[] = [];
    let end: LedgerPosition | null = null;
    for (const { range, kinds, ...rows } of indexRangesOf(query)) {
      const left = daysFromCursor(range, cursor);
      if (left.start_date > left.end_date) continue;
      if (kinds === null) {
        ranges.push({ ...rows, days: [left] });
        continue;
      }
      const sums = { owner, kinds, ...itemsIn(filter), ...left };
      const days = await this.days.daysWith(reader, sums, { order, limit });
      if (days.length > 0) ranges.push({ ...rows, days: rangesOf(days) });
      const last = days[limit - 1];
      if (last !== undefined) end = nearer(end, endOfDays(last, order), cursor);
    }
    return { ranges, end };
  }
}

/** Returns the fields of a filter by which there are kept sums of days. */
function itemsIn({ product_ids, affiliate_ids, vendor_id }: TransactionFilter) {
  return {
    ...(product_ids === undefined ? {} : { product_ids }),
    ...(affiliate_ids === undefined ? {} : { affiliate_ids }),
    ...(vendor_id === undefined ? {} : { vendor_id }),
  };
}

/** Returns the position that a reader starting at the cursor reaches first. */
function nearer(
  one: LedgerPosition | null,
  other: LedgerPosition | null,
  cursor: QueryCursor | null,
): LedgerPosition | null {
  if (one === null || other === null) return one ?? other;
  const isFirst =
    cursor?.direction === 'before'
      ? one.sale_date <= other.sale_date
      : one.sale_date >= other.sale_date;
  return isFirst ? one : other;
}

/** Returns the position behind the last transaction of a day, in reading order. */
function endOfDays(day: string, order: 'ASC' | 'DESC'): LedgerPosition {
  return order === 'DESC'
    ? { sale_date: startOfDay(day), vendor_id: 0, arrival: 0 }
    : { sale_date: endOfDay(day), vendor_id: MAX_IN_CURSOR, arrival: MAX_IN_CURSOR };
}
