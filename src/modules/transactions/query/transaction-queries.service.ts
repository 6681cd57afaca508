import { Injectable } from '@nestjs/common';
import type { QueryMeta } from '../../../api/envelope/envelope.js';
import { ChangesFeedService } from '../../../ledger/changes/changes-feed.service.js';
import { noCursor, placeInQuery, queryCursorOf } from '../../../ledger/reads/query-cursor.js';
import { Settings } from '../../../config/settings.js';
import { type Counted, withCounted } from '../../../ledger/reads/counted-transaction.model.js';
import type { ListedTransaction } from '../../../ledger/reads/rendered-transaction.model.js';
import { rowsInPieces, type FoundRows } from '../../../ledger/reads/row-sizes.model.js';
import type { LedgerPosition } from '../../../ledger/reads/transaction.model.js';
import type { CountedFigure } from '../../../ledger/sums/list-figures.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { SaleDaysRepository } from '../../../ledger/sums/sale-days.repository.js';
import type { Reader } from '../../../platform/database/database.js';
import { PieceTurns } from '../../../platform/limits/memory/piece-turns.js';
import { formatCents } from '../../../platform/values/money.js';
import { dayOf, isCalendarDay } from '../../../platform/values/time.js';
import { ListCountsRepository } from '../list/list-counts.repository.js';
import { TransactionsRepository } from '../list/transactions.repository.js';
import { CountedRowsService } from './counted-rows.service.js';
import { FigureTotals } from './figure-totals.js';
import { QueryKeysRepository } from './query-keys.repository.js';
import { QueryPages } from './query-pages.js';
import {
  MAX_IN_CURSOR,
  type QueryCursor,
  type QueryPage,
  type TransactionsQuery,
} from './query.model.js';

export const QUERY_ORDERS = ['newest', 'oldest'] as const;
export type QueryOrder = (typeof QUERY_ORDERS)[number];

/** Requests one page of a query of a vendor's transactions. */
export interface QueryPageRequest {
  readonly query: TransactionsQuery;
  readonly order: QueryOrder;
  readonly limit: number;
  /** Cursor of the page; null for the first one. */
  readonly after: string | null;
  readonly isMasked: boolean;
  /** Figure to which the transactions add up; null for none. */
  readonly counted: CountedFigure | null;
}

/** Contains the transactions of a page, or yields them in parts if they are large. */
export type QueriedTransactions =
  | { readonly isLarge: false; readonly rows: readonly ListedTransaction[] }
  | {
      readonly isLarge: true;
      readonly count: number;
      /** Yields the parts in their order, with changes that were made after the page was found. */
      readonly pieces: () => AsyncGenerator<readonly ListedTransaction[]>;
    };

export interface TransactionsPage {
  readonly content: QueriedTransactions;
  readonly meta: QueryMeta;
}

/** Reads pages of a vendor's transactions that meet a filter (docs/queries.md). */
@Injectable()
export class TransactionQueriesService {
  constructor(
    private readonly feed: ChangesFeedService,
    private readonly pages: QueryPages,
    private readonly keys: QueryKeysRepository,
    private readonly transactions: TransactionsRepository,
    private readonly days: SaleDaysRepository,
    private readonly counts: ListCountsRepository,
    private readonly reads: LedgerReadsService,
    private readonly turns: PieceTurns,
    private readonly figures: CountedRowsService,
    private readonly totals: FigureTotals,
    private readonly settings: Settings,
  ) {}

  /**
   * Returns one page, with everything that was committed before the call.
   * @throws ApiError invalid_parameters if the cursor is not one of this query
   */
  page(request: QueryPageRequest): Promise<TransactionsPage> {
    const { query, order, limit: size } = request;
    const cursor = cursorOf(request);
    return this.feed.readCurrent(query.viewer.user_id, async (snapshot, feedCursor) => {
      const page = await this.pages.page(snapshot, query, { cursor, size }, (keys) =>
        this.keys.positions(snapshot, keys),
      );
      const isOnly = request.after === null && onwards(page, order) === null;
      const total_count = isOnly ? page.rows.length : await this.countOf(snapshot, query);
      const meta = metaOf(request, page, total_count, String(feedCursor));
      const content = await this.contentOf(snapshot, request, page.rows);
      if (request.counted === null) return { content, meta };
      const arrivals = page.rows.map(({ arrival }) => arrival);
      const { figure } = request.counted;
      const byArrival = await this.figures.byArrival(
        snapshot,
        query.viewer.user_id,
        arrivals,
        request.counted,
      );
      const total = isOnly
        ? sumOf(byArrival.values())
        : await this.totals.totalOf(snapshot, query, figure);
      return {
        content: this.withCounted(content, byArrival),
        meta: { ...meta, figure_total: total === null ? null : formatCents(total) },
      };
    });
  }

  /** Adds to each transaction what its figure counts. */
  private withCounted(
    content: QueriedTransactions,
    byArrival: ReadonlyMap<number, Counted>,
  ): QueriedTransactions {
    const { currency } = this.settings;
    const added = (rows: readonly ListedTransaction[]) =>
      rows.map((row) => {
        const counted = byArrival.get(row.arrival);
        return counted === undefined ? row : withCounted(row, counted, currency);
      });
    if (!content.isLarge) return { ...content, rows: added(content.rows) };
    const { pieces } = content;
    async function* addedPieces() {
      for await (const piece of pieces()) yield added(piece);
    }
    return { ...content, pieces: addedPieces };
  }

  /** Returns the number of transactions, or null if too many would have to be read. */
  private async countOf(reader: Reader, query: TransactionsQuery): Promise<number | null> {
    const { viewer, date, filter, start_date, end_date } = query;
    const { product_ids, affiliate_ids, ...others } = filter;
    const hasItems = (product_ids ?? affiliate_ids) !== undefined;
    if (Object.keys(others).length === 0 && !hasItems && date === 'either') {
      const range = { vendor_id: viewer.user_id, start_date, end_date };
      const { sold, refunds } = await this.counts.countsOf(range, reader);
      return sold.reduce((sum, { count }) => sum + count, refunds);
    }
    if (Object.keys(others).length > 0 || date !== 'sale') {
      return this.pages.countWithin(reader, query);
    }
    const items = { ...(product_ids && { product_ids }), ...(affiliate_ids && { affiliate_ids }) };
    const kinds = ['sale', 'pending'] as const;
    return this.days.count(reader, { owner: viewer, kinds, start_date, end_date, ...items });
  }

  private async contentOf(
    snapshot: Reader,
    { query, order, isMasked }: QueryPageRequest,
    positions: readonly LedgerPosition[],
  ): Promise<QueriedTransactions> {
    if (positions.length === 0) return { isLarge: false, rows: [] };
    const of = { vendor_id: query.viewer.user_id, isMasked };
    const arrivals = positions.map(({ arrival }) => arrival);
    const found = await this.transactions.listedOn(snapshot, of, arrivals);
    return order === 'newest' ? this.inOrder(of, found) : this.inOrder(of, reversed(found));
  }

  private inOrder(
    of: { readonly vendor_id: number; readonly isMasked: boolean },
    found: FoundRows<ListedTransaction>,
  ): QueriedTransactions {
    if (!found.isLarge) return found;
    const revision = found.rows[0]?.revision ?? null;
    const read = async (arrivals: readonly number[]) => {
      await this.turns.next(of.vendor_id);
      return this.reads.read(of.vendor_id, revision, (reader) =>
        this.transactions.transactionsByArrivals(of, arrivals, reader),
      );
    };
    const pieces = () => rowsInPieces(found.rows, read);
    return { isLarge: true, count: found.rows.length, pieces };
  }
}

function sumOf(all: Iterable<Counted>): bigint {
  let sum = 0n;
  for (const { in_period } of all) sum += in_period;
  return sum;
}

function reversed(found: FoundRows<ListedTransaction>): FoundRows<ListedTransaction> {
  return found.isLarge
    ? { isLarge: true, rows: found.rows.toReversed() }
    : { isLarge: false, rows: found.rows.toReversed() };
}

/** Returns the cursor of the next page in the order of the query. */
function onwards(page: QueryPage<LedgerPosition>, order: QueryOrder): QueryCursor | null {
  return order === 'newest' ? page.next : page.previous;
}

function metaOf(
  request: QueryPageRequest,
  page: QueryPage<LedgerPosition>,
  total_count: number | null,
  cursor: string,
): QueryMeta {
  const next = onwards(page, request.order);
  const { stopped_at } = page;
  return {
    total_count,
    searched_to: stopped_at && dayOf(stopped_at.sale_date),
    next_cursor: next && textOf(request, next.position),
    cursor,
  };
}

function textOf(request: QueryPageRequest, { sale_date, arrival }: LedgerPosition): string {
  return queryCursorOf(identityOf(request), [sale_date, arrival]);
}

function identityOf({ query, order }: QueryPageRequest) {
  const { viewer, filter, ...range } = query;
  const tracking = Object.entries(filter.tracking ?? {});
  const parameters = { ...filter, tracking, ...range, order };
  return { vendor_id: viewer.user_id, operation: 'transactions', parameters };
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2}) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** Returns the cursor of a page in the engine of lists, in which newest sales come first. */
function cursorOf(request: QueryPageRequest): QueryCursor | null {
  const { after, order, query } = request;
  const vendor_id = query.viewer.user_id;
  if (after === null) {
    // The oldest sales first are the page before a position that is older than every sale.
    const position = { sale_date: '1000-01-01 00:00:00', vendor_id: 0, arrival: 0 };
    return order === 'newest' ? null : { direction: 'before', position };
  }
  const [sale_date, arrival] = placeInQuery(identityOf(request), after);
  if (typeof sale_date !== 'string' || typeof arrival !== 'number') throw noCursor();
  const day = DATE_TIME.exec(sale_date)?.[1];
  if (day === undefined || !isCalendarDay(day)) throw noCursor();
  if (arrival < 0 || arrival > MAX_IN_CURSOR) throw noCursor();
  const direction = order === 'newest' ? 'after' : 'before';
  return { direction, position: { sale_date, vendor_id, arrival } };
}
