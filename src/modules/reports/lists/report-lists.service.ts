import { Injectable } from '@nestjs/common';
import { PieceTurns } from '../../../platform/limits/memory/piece-turns.js';
import { csvFile, type Column } from '../../../platform/files/csv.js';
import { dayOf } from '../../../platform/values/time.js';
import type { Reader } from '../../../platform/database/database.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { rowsInPieces, type SizedRow, smallOf } from '../../../ledger/reads/row-sizes.model.js';
import {
  CountedRowsService,
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
import {
  type Counted,
  type CountedTransaction,
  countedColumns,
} from '../../../ledger/reads/counted-transaction.model.js';
import { countedOf, type CountedRow, type ListFigure } from '../../../ledger/sums/list-figures.js';
import { CSV_COLUMNS } from '../../../ledger/reads/transaction-columns.model.js';
import { STATUS_OF_3, type Transaction } from '../../../ledger/reads/transaction.model.js';
import { Settings } from '../../../config/settings.js';
import type { Attribution } from '../report.model.js';
import {
  figureOf,
  formatCursor,
  type ListedReferral,
  type ListedSale,
  type ListPage,
  type ListRequest,
  parseCursor,
  type ReportCriteria,
  type ReportKind,
  type TransactionsPage,
} from './report-list.model.js';
import { ListTotalsService, type Totals } from './list-totals.service.js';
import { ReportListsRepository } from './report-lists.repository.js';

/**
 * Columns of an affiliate's CSV file. An affiliate sees neither the customer of a sale nor the
 * vendor's share.
 */
const AFFILIATE_COLUMNS: readonly Column<ListedReferral>[] = [
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
  { name: 'in_period', kind: 'money', valueOf: (sale) => sale.in_period },
];

/** Shares that an affiliate does not see. */
const NO_SHARES = {
  seller_earnings: 0,
  service_fee: 0,
  agent_payout: 0,
  jv_payout: 0,
  seller_refund_impact: null,
  service_fee_adjustment: null,
  agent_refund_impact: null,
  jv_refund_impact: null,
} as const satisfies Partial<CountedRow>;

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
    private readonly totals: ListTotalsService,
    private readonly reads: LedgerReadsService,
    private readonly turns: PieceTurns,
    private readonly counted: CountedRowsService,
    private readonly settings: Settings,
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
    const totals = this.reads.readFor(request.viewer, (reader) =>
      this.totals.totalsOf(reader, criteria),
    );
    const { figure } = criteria;
    if (role === 'vendor') return listPage({ role, figure }, this.ofVendor(criteria, page), totals);
    return listPage({ role, figure }, this.ofAffiliate(criteria, page), totals);
  }

  /** Returns the transactions of the first page of a vendor's list, without its totals. */
  async firstOf(request: ListRequest): Promise<readonly ListedSale[]> {
    const { rows } = await this.ofVendor(criteriaOf(request), { cursor: null, size: PAGE_SIZE });
    return rows;
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
      const columns = [...CSV_COLUMNS, ...countedColumns(this.settings.currency)];
      return csvFile(columns, 'spreadsheet', this.countedRows(read, criteria));
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
  walk(reader: Reader, request: ListRequest): AsyncGenerator<readonly CountedTransaction[]> {
    return this.countedRows((work) => work(reader), criteriaOf(request));
  }

  private async *countedRows(
    read: ReadLedger,
    criteria: ReportCriteria,
  ): AsyncGenerator<readonly CountedTransaction[]> {
    const vendor_id = criteria.viewer.user_id;
    for await (const rows of this.wholeRows(read, criteria)) {
      yield await read((reader) => this.counted.counted(reader, vendor_id, rows, criteria));
    }
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
    const { viewer } = criteria;
    return this.reads.readFor(viewer, async (reader) => {
      const page = await this.pages.page(reader, queryOf(criteria), request, (keys) =>
        this.lists.pageOfVendor(reader, keys),
      );
      const rows = await this.counted.counted(reader, viewer.user_id, page.rows, criteria);
      return { ...page, rows };
    });
  }

  private ofAffiliate(
    criteria: ReportCriteria,
    request: PageRequest,
  ): Promise<QueryPage<ListedReferral>> {
    return this.reads.readFor(criteria.viewer, async (reader) => {
      const page = await this.pages.page(reader, queryOf(criteria), request, (keys) =>
        this.lists.pageOfAffiliate(reader, keys),
      );
      const rows = page.rows.map((row) => ({
        ...row,
        in_period: countedOf({ ...NO_SHARES, ...row }, criteria),
      }));
      return { ...page, rows };
    });
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

async function listPage<Role, Row extends Pick<Counted, 'in_period'>>(
  { role, figure }: { readonly role: Role; readonly figure: ListFigure },
  page: Promise<QueryPage<Row>>,
  totals: Promise<Totals>,
): Promise<ListPage<Role, Row>> {
  const [{ rows, next, previous, stopped_at }, { count, total, parts }] = await Promise.all([
    page,
    totals,
  ]);
  const isOnly = next === null && previous === null;
  const ofRows = rows.reduce((sum, { in_period }) => sum + in_period, 0n);
  return {
    role,
    figure,
    transactions: rows,
    parts,
    total_count: count ?? (isOnly ? rows.length : null),
    total: total ?? (isOnly ? ofRows : null),
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
    figure: figureOf(request),
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
  const { status, commission, least_amount, most_amount, email, tracking } = rows;
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
      commission_statuses: commission === undefined ? undefined : [commission],
      least_amount,
      most_amount,
      email: range.viewer.role === 'vendor' ? email : undefined,
      tracking,
    }),
  };
}

/** Returns the date that places a transaction in the range of a list. */
function dateOf(kind: ReportKind, attribution: Attribution): QueryDate {
  if (attribution === 'sale' || kind === 'sales' || kind === 'pending') return 'sale';
  return kind === 'all' ? 'either' : 'refund';
}
