import { Injectable } from '@nestjs/common';
import { ApiError } from '../../../api/errors/api-error.js';
import { groupedBy } from '../../../platform/values/grouped-by.js';
import type { Reader } from '../../../platform/database/database.js';
import { TRANSACTION_ID } from '../../../ledger/records/transaction.record.js';
import { byListOrder } from '../../../ledger/reads/transaction-row.model.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import type { PaymentKind } from '../../../ledger/reads/counted-transaction.model.js';
import { CountedRowsService } from '../../transactions/index.js';
import type { Viewer } from '../report.model.js';
import {
  SearchRepository,
  type EmailKey,
  type FoundSale,
  type SaleKey,
} from './search.repository.js';
import {
  after,
  endOf,
  beginsWith,
  nextSpelling,
  rangeOfSpellings,
} from '../../../platform/database/entities/spellings.js';

/**
 * Minimum number of characters for a search by beginning; a shorter text finds only a whole
 * transaction id.
 */
export const MIN_SEARCHED = 3;
/** In characters. No transaction id or e-mail address is longer. */
export const MAX_SEARCHED = 255;

interface SearchRequest {
  readonly viewer: Viewer;
  /** Up to MAX_SEARCHED characters. */
  readonly text: string;
  /** A cursor of another page, or null for the first page. */
  readonly cursor: string | null;
}

/** One page. Sales found by transaction id come before those found by e-mail address. */
export interface SearchPage {
  readonly byId: readonly FoundSale[];
  readonly byEmail: readonly FoundSale[];
  /** True if so many ids of the ledger begin with the text that not all were read. */
  readonly hasMoreIds: boolean;
  /**
   * Null on the last page. A page ends early, perhaps without a sale, if the search reaches its
   * limit of reads.
   */
  readonly next: string | null;
}

/**
 * Maximum number of reads for a page. Few are needed, unless the ledger's e-mail addresses mix
 * upper and lower case.
 */
const MAX_READS = 50;
/** A position before every sale of a customer, newest first. */
const NEWEST = { sale_date: '9999-12-31 23:59:59', arrival: Number.MAX_SAFE_INTEGER } as const;

const PAGE_SIZE = 50;
/** The additional sale shows whether there is another page. */
const TAKE = PAGE_SIZE + 1;
/** Maximum number of ids that are read for a page, including those of other vendors. */
const MAX_IDS = 10_000;
const CURSOR = /^(ids|emails)-(\d{1,15})-(\d{1,15})$/;

/** The earnings of a vendor on all days, after refunds and chargebacks. */
const EARNINGS = {
  figure: 'seller_earnings',
  start_date: '1000-01-01',
  end_date: '9999-12-31',
  attribution: 'sale',
} as const;

/** A sale of a customer, with what the vendor has of it in cents: nothing while it is pending. */
export interface CustomerSale extends FoundSale {
  readonly payment: PaymentKind;
  readonly earned: bigint;
}

export interface CustomerSales {
  readonly sales: readonly CustomerSale[];
  readonly hasMore: boolean;
}

/** Last sale of the preceding page, and the order in which the search found it. */
interface Position {
  readonly part: 'ids' | 'emails';
  readonly sale: FoundSale;
}

interface Search {
  readonly reader: Reader;
  readonly viewer: Viewer;
  readonly text: string;
  readonly position: Position | null;
}

/**
 * Finds a user's sales by the beginning of their transaction ids, and a vendor's sales by the
 * beginning of the customers' e-mail addresses. Affiliates may not see customers.
 */
@Injectable()
export class SearchService {
  constructor(
    private readonly repository: SearchRepository,
    private readonly counted: CountedRowsService,
    private readonly reads: LedgerReadsService,
  ) {}

  /** @throws ApiError invalid_parameters if the text is not a cursor of this user's search */
  search({ viewer, text, cursor }: SearchRequest): Promise<SearchPage> {
    return this.reads.readFor(viewer, async (reader) => {
      const position = cursor === null ? null : await this.positionOf(reader, viewer, cursor);
      const search = { reader, viewer, text, position };
      const { byId, hasMoreIds } = await this.findIds(search);
      const { keys, stoppedAt } = await this.findEmails(search, TAKE - byId.length);
      const shown = keys.slice(0, PAGE_SIZE - byId.length);
      const lastShown = shown.at(-1);
      const isFull = byId.length + keys.length > PAGE_SIZE;
      const next = isFull
        ? cursorAt(lastShown === undefined ? 'ids' : 'emails', lastShown ?? byId[PAGE_SIZE - 1])
        : cursorAt('emails', stoppedAt);
      return {
        byId: byId.slice(0, PAGE_SIZE),
        byEmail: await this.repository.salesOf(reader, shown),
        hasMoreIds,
        next,
      };
    });
  }

  /**
   * Returns the latest sales of a vendor's customer, newest first, each with what the vendor has of
   * it, and whether there are more.
   */
  async salesOfCustomer(vendor_id: number, email: string): Promise<CustomerSales> {
    const viewer = { role: 'vendor', user_id: vendor_id } as const;
    return this.reads.readFor(viewer, async (reader) => {
      const found = await this.repository.salesOfCustomer(reader, vendor_id, email, TAKE);
      const shown = found.slice(0, PAGE_SIZE);
      const arrivals = shown.map(({ arrival }) => arrival);
      const counted = await this.counted.byArrival(reader, vendor_id, arrivals, EARNINGS);
      const sales = shown.flatMap((sale) => {
        const of = counted.get(sale.arrival);
        return of === undefined ? [] : [{ ...sale, payment: of.payment, earned: of.in_period }];
      });
      return { sales, hasMore: found.length > PAGE_SIZE };
    });
  }

  /** Returns the newest sale of a vendor, or null if there is none. */
  latestSale(vendor_id: number): Promise<FoundSale | null> {
    const viewer = { role: 'vendor', user_id: vendor_id } as const;
    return this.reads.readFor(viewer, (reader) => this.repository.latestSale(reader, vendor_id));
  }

  private async findIds({ reader, viewer, text, position }: Search) {
    if (position?.part === 'emails' || !TRANSACTION_ID.test(text)) {
      return { byId: [], hasMoreIds: false };
    }
    // Skip users without sales: the id index spans all vendors.
    if (!(await this.repository.hasSales(reader, viewer))) return { byId: [], hasMoreIds: false };
    const from = position === null ? text : after(position.sale.transaction_id);
    const range = { from, until: text.length < MIN_SEARCHED ? after(text) : endOf(text) };
    const beyond = await this.repository.idAfter(reader, range, MAX_IDS);
    const looked = { from, until: beyond ?? range.until };
    const byId = await this.repository.salesById(reader, viewer, looked, TAKE);
    return { byId, hasMoreIds: beyond !== null && byId.length < TAKE };
  }

  /**
   * Finds customers by the beginning of their e-mail addresses, ignoring the case of the letters A
   * to Z. The ledger and its index compare e-mail addresses byte for byte, so the search visits all
   * spellings in the index and skips the entries between them. No additional column has to be
   * stored and kept up to date.
   * @returns sales in the order of the e-mail addresses, the newest first for each, and the
   *   position where the next page continues if the search ended before the page was full and
   *   before the last e-mail address; otherwise null
   */
  private async findEmails({ reader, viewer, text, position }: Search, take: number) {
    const isSearched = viewer.role === 'vendor' && text.length >= MIN_SEARCHED && take > 0;
    if (!isSearched) return { keys: [], stoppedAt: null };
    const vendor_id = viewer.user_id;
    let last: EmailKey | null = position?.part === 'emails' ? position.sale : null;
    // The preceding page may have left over sales of its last customer.
    const keys =
      last !== null && beginsWith(last.customer_email, text)
        ? await this.repository.salesBefore(reader, last, take)
        : [];
    const range = rangeOfSpellings(text);
    const { until } = range;
    let from = nextSpelling(text, last === null ? range.from : after(last.customer_email));
    for (let reads = 0; from !== null && keys.length < take; reads += 1) {
      if (reads === MAX_READS) return { keys, stoppedAt: last };
      const size = take - keys.length + 1;
      const run = await this.repository.emailsFrom(reader, vendor_id, { from, until }, size);
      last = run.length === size ? (run.at(-1) ?? null) : null;
      const found = run.filter(({ customer_email }) => beginsWith(customer_email, text));
      for (const [customer_email, sales] of groupedBy(found, (sale) => sale.customer_email)) {
        // Not all sales of the last customer may have been read.
        const isCut = customer_email === last?.customer_email;
        const newest = { vendor_id, customer_email, ...NEWEST };
        const all = isCut ? await this.repository.salesBefore(reader, newest, take) : sales;
        keys.push(...all.sort(byListOrder));
      }
      // The next page begins after the oldest sale that was found of this customer, so that none is
      // found twice.
      if (keys.at(-1)?.customer_email === last?.customer_email) last = keys.at(-1) ?? null;
      from = last === null ? null : nextSpelling(text, after(last.customer_email));
    }
    return { keys, stoppedAt: null };
  }

  private async positionOf(reader: Reader, viewer: Viewer, cursor: string): Promise<Position> {
    const [, part, vendor_id, arrival] = CURSOR.exec(cursor) ?? [];
    const key = { vendor_id: Number(vendor_id), arrival: Number(arrival) };
    const sale = part === undefined ? null : await this.repository.saleAt(reader, viewer, key);
    if (sale === null) throw new ApiError('invalid_parameters', 'Invalid page link.');
    return { part: part === 'ids' ? 'ids' : 'emails', sale };
  }
}

function cursorAt(part: Position['part'], sale: SaleKey | null | undefined): string | null {
  return sale ? `${part}-${sale.vendor_id}-${sale.arrival}` : null;
}
