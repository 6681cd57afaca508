import { setImmediate as othersFirst } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../database/database.js';
import { LedgerReadsService } from '../../transactions/revisions/ledger-reads.service.js';
import type { Transaction } from '../../transactions/transaction.model.js';
import type { SumPart } from '../sums/report-sums.model.js';
import { ReportSumsRepository } from '../sums/report-sums.repository.js';
import { BYTE_ORDER_MARK, csvRecord, type Cell } from './csv.js';
import { daysBehind, indexRangesOf, rangesOf } from './index-ranges.js';
import { cutPage, formatCursor, parseCursor } from './report-cursor.js';
import type {
  AffiliateTransaction,
  ListRequest,
  Placed,
  ReportCriteria,
  ReportCursor,
  ReportPage,
  TransactionsPage,
} from './report-list.model.js';
import {
  ReportListsRepository,
  type IndexRangeOfDays,
  type PageKeys,
} from './report-lists.repository.js';
import {
  AFFILIATE_COLUMNS,
  affiliateCells,
  VENDOR_COLUMNS,
  vendorCells,
} from './transaction-columns.js';

const PAGE_SIZE = 50;
/** Rows that a download holds at a time; so long it keeps the others waiting. */
const CSV_PAGE_SIZE = 200;

/** Which page: what stands after or before a cursor, or the first where that is null. */
interface PageWanted {
  readonly cursor: ReportCursor | null;
  readonly size: number;
}

type ReadRows<Row> = (reader: Reader, keys: PageKeys) => Promise<Placed<Row>[]>;

/** The transactions behind the figures of a report, as pages and as a download. */
@Injectable()
export class ReportListsService {
  constructor(
    private readonly transactions: ReportListsRepository,
    private readonly sums: ReportSumsRepository,
    private readonly reads: LedgerReadsService,
  ) {}

  /**
   * One page of 50, newest sale first, ties by the order of arrival, newest first.
   * @param cursor the text that a page gave for the page after or before it, null for the first page
   * @throws ApiError invalid_parameters for a text that is no cursor
   */
  async page(request: ListRequest, cursor: string | null): Promise<TransactionsPage> {
    const criteria = criteriaOf(request);
    const wanted = { cursor: cursor === null ? null : parseCursor(cursor), size: PAGE_SIZE };
    const { role } = request.viewer;
    const counted = this.countOf(criteria);
    if (role === 'vendor') {
      const [page, total_count] = await Promise.all([this.ofVendor(criteria, wanted), counted]);
      return { role, ...listed(page), total_count };
    }
    const [page, total_count] = await Promise.all([this.ofAffiliate(criteria, wanted), counted]);
    return { role, ...listed(page), total_count };
  }

  /**
   * The same transactions as CSV (RFC 4180, UTF-8 with its mark), in parts of whole records. Money is
   * plain decimals, moments are as the interface writes them, statuses are the words of 3.0; texts
   * that a spreadsheet would take for a formula begin with an apostrophe.
   */
  csv(request: ListRequest): AsyncGenerator<string> {
    const criteria = criteriaOf(request);
    const size = CSV_PAGE_SIZE;
    return request.viewer.role === 'vendor'
      ? csvOf(VENDOR_COLUMNS, vendorCells, (cursor) => this.ofVendor(criteria, { cursor, size }))
      : csvOf(AFFILIATE_COLUMNS, affiliateCells, (cursor) =>
          this.ofAffiliate(criteria, { cursor, size }),
        );
  }

  private ofVendor(criteria: ReportCriteria, wanted: PageWanted) {
    return this.read<Transaction>(criteria, wanted, (reader, keys) =>
      this.transactions.pageOfVendor(reader, keys),
    );
  }

  private ofAffiliate(criteria: ReportCriteria, wanted: PageWanted) {
    return this.read<AffiliateTransaction>(criteria, wanted, (reader, keys) =>
      this.transactions.pageOfAffiliate(reader, keys),
    );
  }

  private read<Row>(
    criteria: ReportCriteria,
    { cursor, size }: PageWanted,
    readRows: ReadRows<Row>,
  ): Promise<ReportPage<Row>> {
    const { viewer, filter } = criteria;
    // One more tells whether there is another page.
    const take = size + 1;
    return this.reads.readFor(viewer, async (reader) => {
      const ranges = await this.rangesWithDays(reader, criteria, cursor, take);
      if (ranges.length === 0) return { rows: [], next: null, previous: null };
      return cutPage(
        await readRows(reader, { viewer, filter, ranges, cursor, take }),
        cursor,
        size,
      );
    });
  }

  /** Where few rows of a range count, the kept sums tell the days on which there are any. */
  private async rangesWithDays(
    reader: Reader,
    criteria: ReportCriteria,
    cursor: ReportCursor | null,
    take: number,
  ): Promise<IndexRangeOfDays[]> {
    const { viewer, filter } = criteria;
    const order = cursor?.direction === 'before' ? 'ASC' : 'DESC';
    const ranges: IndexRangeOfDays[] = [];
    for (const { range, kinds, ...rows } of indexRangesOf(criteria)) {
      const left = daysBehind(range, cursor);
      if (left.start_date > left.end_date) continue;
      if (kinds === null) {
        ranges.push({ ...rows, days: [left] });
        continue;
      }
      // Each of these days has a row, but for the cursor's own, which may have none left.
      const most = take + 1;
      const found = { viewer, filter, ...left };
      const days = await this.sums.daysWith(reader, found, kinds, { order, most });
      if (days.length > 0) ranges.push({ ...rows, days: rangesOf(days) });
    }
    return ranges;
  }

  /**
   * How many transactions a list holds; null where the sums don't tell: those sold in a range or
   * refunded in it, of a part of what was sold.
   */
  private countOf(criteria: ReportCriteria): Promise<number | null> {
    const { viewer, attribution, kind, filter } = criteria;
    return this.reads.readFor(viewer, async (reader) => {
      const sums = await this.sumsOf(reader, criteria);
      const countOf = (parts: readonly SumPart[]) =>
        sums
          .filter(({ part }) => parts.includes(part))
          .reduce((total, { transactions }) => total + transactions, 0);
      if (kind !== 'all') return countOf([kind]);
      const sold = countOf(['sales', 'pending']);
      if (attribution === 'sale') return sold;
      if (viewer.role === 'affiliate' || Object.keys(filter).length > 0) return null;
      return sold + (await this.sums.refundsOfEarlierSales(reader, viewer.user_id, criteria));
    });
  }

  private sumsOf(reader: Reader, criteria: ReportCriteria) {
    const { viewer, filter } = criteria;
    const { product_id, affiliate_id } = filter;
    // A vendor's product has sums of its months, which are far fewer than those of its days.
    return viewer.role === 'vendor' && product_id !== undefined && affiliate_id === undefined
      ? this.sums.itemSums(reader, criteria, 'product', [product_id])
      : this.sums.daySums(reader, criteria);
  }
}

async function* csvOf<Row extends Transaction | AffiliateTransaction>(
  columns: readonly string[],
  cells: (transaction: Row) => Cell[],
  pageFrom: (cursor: ReportCursor | null) => Promise<ReportPage<Row>>,
): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvRecord(columns.map((value) => ({ value })));
  let cursor: ReportCursor | null = null;
  do {
    const page: ReportPage<Row> = await pageFrom(cursor);
    if (page.rows.length > 0) {
      yield page.rows.map(({ transaction }) => csvRecord(cells(transaction))).join('');
    }
    cursor = page.next;
    await othersFirst();
  } while (cursor !== null);
}

function listed<Row>({ rows, next, previous }: ReportPage<Row>) {
  return {
    transactions: rows.map(({ transaction }) => transaction),
    next: next && formatCursor(next),
    previous: previous && formatCursor(previous),
  };
}

function criteriaOf({ product_id, partner_id, ...request }: ListRequest): ReportCriteria {
  const partner = request.viewer.role === 'vendor' ? 'affiliate_id' : 'vendor_id';
  return {
    ...request,
    filter: {
      ...(product_id === undefined ? {} : { product_id }),
      ...(partner_id === undefined ? {} : { [partner]: partner_id }),
    },
  };
}
