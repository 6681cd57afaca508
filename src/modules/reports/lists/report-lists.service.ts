import { setImmediate as othersFirst } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ReportSumsService } from '../sums/report-sums.service.js';
import type {
  AffiliateTransaction,
  ReportCriteria,
  ReportCursor,
  ReportPage,
} from './report-transactions.model.js';
import { ReportTransactionsService } from './report-transactions.service.js';
import type { Transaction } from '../../transactions/transaction.model.js';
import { BYTE_ORDER_MARK, csvRecord, type Cell } from './csv.js';
import { formatCursor, parseCursor } from './report-cursor.js';
import type { ListRequest, TransactionsPage } from '../report.model.js';
import {
  AFFILIATE_COLUMNS,
  affiliateCells,
  VENDOR_COLUMNS,
  vendorCells,
} from './transaction-columns.js';

const PAGE_SIZE = 50;
/** Rows that a download holds at a time; so long it keeps the others waiting. */
const CSV_PAGE_SIZE = 200;

/** The transactions behind the figures of a report, as pages and as a download. */
@Injectable()
export class ReportListsService {
  constructor(
    private readonly transactions: ReportTransactionsService,
    private readonly sums: ReportSumsService,
  ) {}

  /**
   * One page of 50, newest sale first, ties by the order of arrival, newest first.
   * @param cursor the text that a page gave for the page after or before it, null for the first page
   * @throws ApiError invalid_parameters for a text that is no cursor
   */
  async page(request: ListRequest, cursor: string | null): Promise<TransactionsPage> {
    const criteria = criteriaOf(request);
    const from = cursor === null ? null : parseCursor(cursor);
    const total = this.sums.countOf(criteria);
    if (request.viewer.role === 'vendor') {
      const page = await this.transactions.pageOfVendor(criteria, from, PAGE_SIZE);
      return { role: 'vendor', ...listed(page), total_count: await total };
    }
    const page = await this.transactions.pageOfAffiliate(criteria, from, PAGE_SIZE);
    return { role: 'affiliate', ...listed(page), total_count: await total };
  }

  /**
   * The same transactions as CSV (RFC 4180, UTF-8 with its mark), in parts of whole records. Money is
   * plain decimals, moments are as the interface writes them, statuses are the words of 3.0; texts
   * that a spreadsheet would take for a formula begin with an apostrophe.
   */
  csv(request: ListRequest): AsyncGenerator<string> {
    const criteria = criteriaOf(request);
    return request.viewer.role === 'vendor'
      ? csvOf(VENDOR_COLUMNS, vendorCells, (cursor) =>
          this.transactions.pageOfVendor(criteria, cursor, CSV_PAGE_SIZE),
        )
      : csvOf(AFFILIATE_COLUMNS, affiliateCells, (cursor) =>
          this.transactions.pageOfAffiliate(criteria, cursor, CSV_PAGE_SIZE),
        );
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
