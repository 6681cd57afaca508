import { Injectable } from '@nestjs/common';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { csvFile } from '../../../common/csv.js';
import { dateTimeOf, dayOf } from '../../../common/time.js';
import { Database } from '../../../database/database.js';
import { affiliateNameOf } from '../../accounts/account.model.js';
import { SeenUsersService } from '../../accounts/seen/seen-users.service.js';
import { ProductsService } from '../../products/products.service.js';
import { LedgerReadsService } from '../../transactions/revisions/ledger-reads.service.js';
import { AFFILIATE_TABLE_COLUMNS } from './affiliate-table-columns.js';
import { AffiliateCounts } from './affiliate-figures.js';
import type {
  Affiliate,
  AffiliateRow,
  AffiliateTable,
  FiguresRequest,
  TableRequest,
} from './affiliate-figures.model.js';
import type { ClickSums } from './affiliate-sums.model.js';
import { AffiliateSumsRepository } from './affiliate-sums.repository.js';
import { sortedByFigure, sortedByName } from './affiliate-order.js';

const PAGE_SIZE = 50;
/** Rows that a download writes at a time; other requests wait while they are written. */
const CSV_ROWS = 500;

/**
 * Reports all affiliates of a vendor: those with affiliate terms, figures or unpaid commissions.
 */
@Injectable()
export class AffiliateTablesService {
  constructor(
    private readonly sums: AffiliateSumsRepository,
    private readonly reads: LedgerReadsService,
    private readonly products: ProductsService,
    private readonly users: SeenUsersService,
    private readonly database: Database,
  ) {}

  /** @param page starts at 1; a number beyond the last page means the last page */
  async table(request: TableRequest, page: number): Promise<AffiliateTable> {
    const counts = await this.countsOf(request);
    const sorted = await this.sorted(counts, request);
    const pages = Math.max(1, Math.ceil(sorted.length / PAGE_SIZE));
    const shown = Math.min(page, pages);
    const ids = sorted.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE);
    return {
      rows: await this.rowsOf(request, ids, counts),
      total: counts.total(),
      count: sorted.length,
      page: shown,
      pages,
    };
  }

  /** Returns all pages of the table as CSV for a spreadsheet, in chunks of whole records. */
  csv(request: TableRequest): AsyncGenerator<string> {
    return csvFile(AFFILIATE_TABLE_COLUMNS, 'spreadsheet', this.batches(request));
  }

  private async *batches(request: TableRequest): AsyncGenerator<AffiliateRow[]> {
    const counts = await this.countsOf(request);
    const sorted = await this.sorted(counts, request);
    for (let at = 0; at < sorted.length; at += CSV_ROWS) {
      yield await this.rowsOf(request, sorted.slice(at, at + CSV_ROWS), counts);
      await yieldToOthers();
    }
  }

  private async countsOf(request: FiguresRequest): Promise<AffiliateCounts> {
    const { vendor_id } = request;
    const viewer = { role: 'vendor', user_id: vendor_id } as const;
    const today = dayOf(dateTimeOf(new Date()));
    const [sums, unpaid, clicks, related] = await Promise.all([
      this.reads.readFor(viewer, (reader) => this.sums.sums(reader, request)),
      this.reads.readFor(viewer, (reader) => this.sums.unpaid(reader, { vendor_id }, today)),
      // Clicks and affiliate terms are not part of the ledger's revision, so they are read outside
      // of it.
      this.clicksOf(request),
      this.sums.related(this.database, vendor_id),
    ]);
    const counts = new AffiliateCounts();
    counts.addSums(sums);
    counts.addUnpaid(unpaid);
    counts.addClicks(clicks);
    counts.addAffiliates(related);
    return counts;
  }

  private async clicksOf(request: FiguresRequest): Promise<ClickSums[]> {
    const products = await this.products.productsOf(request.vendor_id);
    const ids = products.map(({ id }) => id);
    return this.sums.clicks(this.database, ids, request);
  }

  /**
   * Returns the ids in the requested order. Only sorting by name reads the names of all affiliates.
   */
  private async sorted(counts: AffiliateCounts, request: TableRequest): Promise<number[]> {
    const { sort, order } = request;
    const ids = counts.affiliate_ids;
    if (sort !== 'name') return sortedByFigure(ids, (id) => counts.figuresOf(id), sort, order);
    return sortedByName(await this.named(request, ids), order);
  }

  private async rowsOf(
    request: FiguresRequest,
    ids: readonly number[],
    counts: AffiliateCounts,
  ): Promise<AffiliateRow[]> {
    const affiliates = await this.named(request, ids);
    return affiliates.map(({ id, name }) => ({ id, name, figures: counts.figuresOf(id) }));
  }

  /** Returns the affiliates in the order of the ids. */
  private async named({ vendor_id }: FiguresRequest, ids: readonly number[]): Promise<Affiliate[]> {
    const users = await this.users.usersSeenBy(vendor_id, ids);
    const names = new Map(users.map((user) => [user.id, affiliateNameOf(user)]));
    return ids.map((id) => ({ id, name: names.get(id) ?? '' }));
  }
}
