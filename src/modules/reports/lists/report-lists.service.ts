import { Injectable } from '@nestjs/common';
import { PieceTurns } from '../../../platform/limits/memory/piece-turns.js';
import { csvFile, type Column } from '../../../platform/files/csv.js';
import { dayOf } from '../../../platform/values/time.js';
import type { Reader } from '../../../platform/database/database.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { rowsInPieces, type SizedRow, smallOf } from '../../../ledger/reads/row-sizes.model.js';
import {
  filterOf,
  type PageRequest,
  type QueryCursor,
  type QueryPage,
  type QueryDate,
  QueryPages,
  type TransactionFilter,
  TransactionsRepository,
  type TransactionsQuery,
} from '../../transactions/index.js';
import { CSV_COLUMNS } from '../../../ledger/reads/transaction-columns.model.js';
import { STATUS_OF_3, type Transaction } from '../../../ledger/reads/transaction.model.js';
import type { Attribution } from '../report.model.js';
import { FigureReadsService } from '../figures/figure-reads.service.js';
import { calendarIntervals } from '../figures/intervals.js';
import type { Counts } from '../figures/measures.js';
import {
  type AffiliateTransaction,
  formatCursor,
  type ListPage,
  type ListRequest,
  parseCursor,
  type ReportCriteria,
  type ReportKind,
  type TransactionsPage,
} from './report-list.model.js';
import { ReportListsRepository } from './report-lists.repository.js';

/**
 * Columns of an affiliate's CSV file. An affiliate sees neither the customer of a sale nor the
 * vendor's share.
 */
const AFFILIATE_COLUMNS: readonly Column<AffiliateTransaction>[] = [
  { name: 'transaction_id', kind: 'text', valueOf: (sale) => sale.transaction_id },
  { name: 'sale_date', kind: 'date-time', valueOf: (sale) => sale.sale_date },
  { name: 'product_name', kind: 'text', valueOf: (sale) => sale.product_name },
  { name: 'vendor_name', kind: 'text', valueOf: (sale) => sale.vendor_name },
  { name: 'amount', kind: 'money', valueOf: (sale) => sale.amount },
  { name: 'status', kind: 'word', valueOf: (sale) => STATUS_OF_3[sale.status] },
  { name: 'commission', kind: 'money', valueOf: (sale) => sale.commission },
  {
    name: 'affiliate_commission_status',
    kind: 'word',
    valueOf: (sale) => sale.affiliate_commission_status,
  },
];

const PAGE_SIZE = 50;
/** Rows that a download reads at a time; other requests wait while they are read. */
const CSV_PAGE_SIZE = 200;

/** Runs a read on one snapshot of the ledger, or on its current state. */
type ReadLedger = <Result>(work: (reader: Reader) => Promise<Result>) => Promise<Result>;

/** Reads the transactions behind the figures of a report, as pages and as a CSV download. */
@Injectable()
export class ReportListsService {
  constructor(
    private readonly lists: ReportListsRepository,
    private readonly transactions: TransactionsRepository,
    private readonly pages: QueryPages,
    private readonly figures: FigureReadsService,
    private readonly reads: LedgerReadsService,
    private readonly turns: PieceTurns,
  ) {}

  /**
   * Returns one page of 50 transactions, newest sale first; ties are sorted by arrival, newest
   * first.
   * @param cursor a cursor of another page, or null for the first page
   * @throws ApiError invalid_parameters if the text is not a cursor
   */
  async page(request: ListRequest, cursor: string | null): Promise<TransactionsPage> {
    const criteria = criteriaOf(request);
    const page = { cursor: cursor === null ? null : parseCursor(cursor), size: PAGE_SIZE };
    const { role } = request.viewer;
    const counted = this.countOf(criteria);
    if (role === 'vendor') return listPage(role, this.ofVendor(criteria, page), counted);
    return listPage(role, this.ofAffiliate(criteria, page), counted);
  }

  /**
   * Returns all transactions of the list as CSV for a spreadsheet, in chunks of whole records.
   * Money and statuses are written as in API 3.0.
   */
  csv(request: ListRequest): AsyncGenerator<string> {
    const criteria = criteriaOf(request);
    const size = CSV_PAGE_SIZE;
    if (request.viewer.role === 'vendor') {
      const read: ReadLedger = (work) => this.reads.readFor(criteria.viewer, work);
      return csvFile(CSV_COLUMNS, 'spreadsheet', this.wholeRows(read, criteria));
    }
    const rows = rowsOf(this.turnOf(criteria), (cursor) =>
      this.ofAffiliate(criteria, { cursor, size }),
    );
    return csvFile(AFFILIATE_COLUMNS, 'spreadsheet', rows);
  }

  /**
   * Reads the vendor's transactions of a list, for an export.
   * @param reader reads from one snapshot
   */
  walk(reader: Reader, request: ListRequest): AsyncGenerator<readonly Transaction[]> {
    return this.wholeRows((work) => work(reader), criteriaOf(request));
  }

  /** Reads all rows with all columns. Large rows are read in parts. */
  private async *wholeRows(
    read: ReadLedger,
    criteria: ReportCriteria,
  ): AsyncGenerator<readonly Transaction[]> {
    const of = { vendor_id: criteria.viewer.user_id, isMasked: false };
    const turn = this.turnOf(criteria);
    const some = async (arrivals: readonly number[]) => {
      await turn();
      return read((reader) => this.transactions.columnsByArrivals(of, arrivals, reader));
    };
    const pages = rowsOf(turn, (cursor) =>
      read((reader) => this.wholePage(reader, criteria, { cursor, size: CSV_PAGE_SIZE })),
    );
    for await (const rows of pages) {
      if (rows.every(isWhole)) yield rows;
      else yield* rowsInPieces(rows.map(sized), some);
    }
  }

  private turnOf({ viewer }: ReportCriteria): () => Promise<void> {
    return () => this.turns.next(viewer.user_id);
  }

  private wholePage(reader: Reader, criteria: ReportCriteria, request: PageRequest) {
    return this.pages.page(reader, queryOf(criteria), request, (keys) =>
      this.lists.wholePageOfVendor(reader, criteria.viewer.user_id, keys),
    );
  }

  private ofVendor(criteria: ReportCriteria, request: PageRequest) {
    return this.reads.readFor(criteria.viewer, (reader) =>
      this.pages.page(reader, queryOf(criteria), request, (keys) =>
        this.lists.pageOfVendor(reader, keys),
      ),
    );
  }

  private ofAffiliate(criteria: ReportCriteria, request: PageRequest) {
    return this.reads.readFor(criteria.viewer, (reader) =>
      this.pages.page(reader, queryOf(criteria), request, (keys) =>
        this.lists.pageOfAffiliate(reader, keys),
      ),
    );
  }

  /**
   * Returns the number of transactions of a list. Returns null if the kept sums do not have it: if
   * the rows are filtered, or if a list of all kinds by refund has a filter or is an affiliate's.
   */
  private countOf(criteria: ReportCriteria): Promise<number | null> {
    const { viewer, attribution, kind, filter, rows } = criteria;
    if (Object.keys(rows).length > 0) return Promise.resolve(null);
    return this.reads.readFor(viewer, async (reader) => {
      const counts = await this.countsOf(reader, criteria);
      if (kind !== 'all') return Number(counts[kind]);
      const sold = Number(counts.sales + counts.pending);
      if (attribution === 'sale') return sold;
      if (viewer.role === 'affiliate' || Object.keys(filter).length > 0) return null;
      return sold + (await this.lists.refundsOfEarlierSales(reader, viewer.user_id, criteria));
    });
  }

  private async countsOf(reader: Reader, criteria: ReportCriteria): Promise<Counts> {
    const { viewer, attribution, filter, start_date, end_date } = criteria;
    const range = { start_date, end_date };
    const { table } = await this.figures.read(
      reader,
      { viewer, attribution, group: null, filter },
      { range, intervals: calendarIntervals(range, null) },
      { money: [], hasPending: true },
    );
    return table.totalOf(null);
  }
}

function isWhole(row: Transaction | SizedRow): row is Transaction {
  return !('bytes' in row);
}

function sized(row: Transaction | SizedRow): SizedRow {
  return isWhole(row) ? { ...row, bytes: smallOf(CSV_PAGE_SIZE) } : row;
}

/** Reads all pages that have rows. */
async function* rowsOf<Row>(
  turn: () => Promise<void>,
  pageFrom: (cursor: QueryCursor | null) => Promise<QueryPage<Row>>,
): AsyncGenerator<readonly Row[]> {
  let cursor: QueryCursor | null = null;
  do {
    await turn();
    const page: QueryPage<Row> = await pageFrom(cursor);
    if (page.rows.length > 0) yield page.rows;
    cursor = page.next;
  } while (cursor !== null);
}

async function listPage<Role, Row>(
  role: Role,
  page: Promise<QueryPage<Row>>,
  counted: Promise<number | null>,
): Promise<ListPage<Role, Row>> {
  const [{ rows, next, previous, stopped_at }, total_count] = await Promise.all([page, counted]);
  const isOnly = next === null && previous === null;
  return {
    role,
    transactions: rows,
    total_count: total_count ?? (isOnly ? rows.length : null),
    searched_to: stopped_at && dayOf(stopped_at.sale_date),
    next: next && formatCursor(next),
    previous: previous && formatCursor(previous),
  };
}

function criteriaOf({
  product_id,
  partner_id,
  rows = {},
  ...request
}: ListRequest): ReportCriteria {
  const partner = request.viewer.role === 'vendor' ? 'affiliate_id' : 'vendor_id';
  return {
    ...request,
    rows,
    filter: {
      ...(product_id === undefined ? {} : { product_id }),
      ...(partner_id === undefined ? {} : { [partner]: partner_id }),
    },
  };
}

type KindConditions = Pick<TransactionFilter, 'statuses' | 'refunded'>;

const CONDITIONS_OF_KIND = {
  all: {},
  sales: { statuses: ['completed', 'refunded', 'charged_back'] },
  pending: { statuses: ['pending'] },
  refunds: { refunded: true },
  chargebacks: { statuses: ['charged_back'] },
} as const satisfies Readonly<Record<ReportKind, KindConditions>>;

/** Returns the query for the transactions of a list. */
function queryOf({ kind, attribution, filter, rows, ...range }: ReportCriteria): TransactionsQuery {
  const { product_id, affiliate_id, vendor_id } = filter;
  const { status, least_amount, most_amount, tid } = rows;
  const { statuses, refunded }: KindConditions = CONDITIONS_OF_KIND[kind];
  const wanted = statuses?.filter((each) => status === undefined || each === status);
  const { viewer, start_date, end_date } = range;
  return {
    viewer,
    start_date,
    end_date,
    date: dateOf(kind, attribution),
    filter: filterOf({
      statuses: wanted ?? (status === undefined ? undefined : [status]),
      refunded,
      product_ids: product_id === undefined ? undefined : [product_id],
      affiliate_ids: affiliate_id === undefined ? undefined : [affiliate_id],
      vendor_id,
      least_amount,
      most_amount,
      tracking: tid === undefined ? undefined : { tid },
    }),
  };
}

/** Returns the date that places a transaction in the range of a list. */
function dateOf(kind: ReportKind, attribution: Attribution): QueryDate {
  if (attribution === 'sale' || kind === 'sales' || kind === 'pending') return 'sale';
  return kind === 'all' ? 'either' : 'refund';
}
