import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { type Column, csvFile } from '../../../platform/files/csv.js';
import { ApiError } from '../../../api/errors/api-error.js';
import { formatDecimal, RATE_PLACES } from '../../../platform/values/money.js';
import { todayInUtc } from '../../../platform/values/time.js';
import { Database } from '../../../platform/database/database.js';
import { affiliateNameOf, SeenUsersRepository } from '../../accounts/index.js';
import { ProductsService } from '../../products/index.js';
import { LedgerReadsService } from '../../../ledger/revisions/ledger-reads.service.js';
import { comparedPeriods, comparedRange, periodsUntil, stepFor } from '../figures.js';
import type { FigureFilter } from '../figures/figure.model.js';
import { FigureReadsService } from '../figures/figure-reads.service.js';
import type { ClickRow } from '../figures/figure-row.model.js';
import { type FigureTable, hasAny, sumOf } from '../figures/figure-table.js';
import { calendarIntervals, intervalsOf } from '../figures/intervals.js';
import { foldedName, ItemNamesService } from '../item-names.service.js';
import type {
  Compared,
  Comparison,
  DayRange,
  Period,
  PeriodStep,
  TopItem,
  Viewer,
} from '../report.model.js';
import { figuresByPeriod } from '../reports.service.js';
import { FiguresRepository } from '../sums/figures.repository.js';
import { topItems } from '../top-items.service.js';
import {
  AffiliateCounts,
  UNPAID_AGES,
  type Affiliate,
  type AffiliateFigures,
  type AffiliateRow,
  type AffiliateTable,
  type FiguresRequest,
  type TableRequest,
} from './affiliate-figures.model.js';
import { AffiliateSumsRepository } from './affiliate-sums.repository.js';
import { OWED, owedColumn, type OwedForProduct, PayoutsService } from './payouts.service.js';

interface OfAffiliate extends FiguresRequest {
  readonly affiliate_id: number;
  readonly comparison: Comparison;
}

export interface AffiliateReport {
  readonly figures: AffiliateFigures;
  /** Step of `periods`, by the length of the range. */
  readonly by: PeriodStep;
  /** Periods of the range until today, as in Report. */
  readonly periods: readonly Period[];
  /** The periods of the compared range; null if nothing is compared. */
  readonly compared: Pick<Compared, 'periods'> | null;
  /** Products with a sale, a refund or a chargeback in the range, highest gross first. */
  readonly products: readonly TopItem[];
  /** Products with unpaid commissions, whatever the range. */
  readonly owed: readonly OwedForProduct[];
}

/**
 * Columns of the affiliates' CSV file. Rates have the format of the statistics of API 2.1, and are
 * empty if unknown.
 */
const AFFILIATE_TABLE_COLUMNS: readonly Column<AffiliateRow>[] = [
  { name: 'affiliate_id', kind: 'number', valueOf: ({ id }) => id },
  { name: 'affiliate_name', kind: 'text', valueOf: ({ name }) => name },
  { name: 'sales', kind: 'number', valueOf: ({ figures }) => figures.sales },
  { name: 'gross', kind: 'money', valueOf: ({ figures }) => figures.gross },
  { name: 'commission', kind: 'money', valueOf: ({ figures }) => figures.commission },
  { name: 'refunds', kind: 'number', valueOf: ({ figures }) => figures.refunds },
  rateColumn('refund_rate', (figures) => figures.refund_rate),
  { name: 'chargebacks', kind: 'number', valueOf: ({ figures }) => figures.chargebacks },
  rateColumn('chargeback_rate', (figures) => figures.chargeback_rate),
  { name: 'clicks', kind: 'number', valueOf: ({ figures }) => figures.clicks },
  { name: 'unique_clicks', kind: 'number', valueOf: ({ figures }) => figures.unique_clicks },
  rateColumn('conversion_rate', (figures) => figures.conversion),
  ...OWED.map(owedColumn),
  ...UNPAID_AGES.map((age): Column<AffiliateRow> => ({
    name: `unpaid_${age.replace('-', '_')}`,
    kind: 'money',
    valueOf: ({ figures }) => figures.unpaid[age],
  })),
];

function rateColumn(
  name: string,
  rateOf: (figures: AffiliateFigures) => bigint | null,
): Column<AffiliateRow> {
  const textOf = (rate: bigint | null) => (rate === null ? null : formatDecimal(rate, RATE_PLACES));
  return { name, kind: 'word', valueOf: ({ figures }) => textOf(rateOf(figures)) };
}

const BY_NAME = new Intl.Collator('en');
const PAGE_SIZE = 50;
/** Rows that a download writes at a time; other requests wait while they are written. */
const CSV_ROWS = 500;

/** Reports the results of a vendor's affiliates: of one of them, or of all in a table. */
@Injectable()
export class AffiliateReportsService {
  constructor(
    private readonly affiliates: AffiliateSumsRepository,
    private readonly payouts: PayoutsService,
    private readonly figures: FigureReadsService,
    private readonly clicked: FiguresRepository,
    private readonly reads: LedgerReadsService,
    private readonly products: ProductsService,
    private readonly users: SeenUsersRepository,
    private readonly names: ItemNamesService,
    private readonly database: Database,
  ) {}

  /**
   * Returns an affiliate that the vendor may see. Any other id is treated as not found, so that no
   * name is revealed.
   * @throws ApiError not_found if the affiliate has no transaction, affiliate terms or click with
   * the vendor
   */
  async affiliateOf(vendor_id: number, affiliate_id: number): Promise<Affiliate> {
    const isKnown = await this.affiliates.isKnown(this.database, vendor_id, affiliate_id);
    const user = isKnown ? await this.users.userSeenBy(vendor_id, affiliate_id) : null;
    if (user === null) throw new ApiError('not_found', 'You have no such affiliate.');
    return { id: user.id, name: affiliateNameOf(user) };
  }

  /** Returns the e-mail of an affiliate; null if the vendor may not see it. */
  async emailOf(vendor_id: number, affiliate_id: number): Promise<string | null> {
    const user = await this.users.userSeenBy(vendor_id, affiliate_id);
    return user?.email ?? null;
  }

  /** @throws ApiError invalid_parameters if the range is longer than a chart can show */
  async report(request: OfAffiliate): Promise<AffiliateReport> {
    const { affiliate_id, comparison, ...of } = request;
    const { vendor_id } = of;
    const { by, ranges } = periodsUntil(todayInUtc(), of, stepFor(of));
    const compared = rangesBeside({ ...of, comparison }, ranges, by);
    const viewer: Viewer = { role: 'vendor', user_id: vendor_id };
    const [periods, before, items, unpaid, owed, clicks] = await Promise.all([
      this.periodsOf(of, affiliate_id, ranges, by),
      compared === null ? null : this.periodsOf(of, affiliate_id, compared, by),
      this.soldBy(of, 'product', { affiliate_id }),
      this.payouts.unpaidOf(vendor_id, affiliate_id),
      this.payouts.owedForProducts(vendor_id, affiliate_id),
      this.clicksOf(vendor_id, of, { affiliate_id }),
    ]);
    const counts = new AffiliateCounts();
    counts.addSales(affiliate_id, sumOf(items.allGroups()));
    counts.addUnpaid(unpaid);
    counts.addClicks(clicks);
    return {
      figures: counts.figuresOf(affiliate_id),
      by,
      periods,
      compared: before && { periods: before },
      products: await this.productsOf(viewer, items),
      owed,
    };
  }

  /**
   * Returns one page of all affiliates of a vendor: those with affiliate terms, figures or unpaid
   * commissions.
   * @param page starts at 1; a number beyond the last page means the last page
   */
  async table(request: TableRequest, page: number): Promise<AffiliateTable> {
    const counts = await this.countsOf(request);
    const sorted = await this.sorted(counts, request);
    const pages = Math.max(1, Math.ceil(sorted.length / PAGE_SIZE));
    const shown = Math.min(page, pages);
    const ids = sorted.slice((shown - 1) * PAGE_SIZE, shown * PAGE_SIZE);
    return {
      rows: await this.rowsOf(request, ids, counts),
      total: counts.total(sorted),
      owed: counts.total(),
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
    const [sold, unpaid, clicks, related] = await Promise.all([
      this.soldBy(request, 'affiliate'),
      this.payouts.unpaidOf(vendor_id),
      // Clicks and affiliate terms are not part of the ledger's revision, so they are read outside
      // of it.
      this.clicksOf(vendor_id, request),
      this.affiliates.related(this.database, vendor_id),
    ]);
    const counts = new AffiliateCounts();
    for (const id of sold.keys) counts.addSales(Number(id), sold.totalOf(id));
    counts.addUnpaid(unpaid);
    counts.addClicks(clicks);
    counts.addAffiliates(related);
    return counts;
  }

  /** Returns the affiliates with this part of a name, or with this id. */
  private async withName(request: TableRequest, ids: readonly number[]): Promise<number[]> {
    const wanted = foldedName((request.name ?? '').trim());
    if (wanted === '') return [...ids];
    const named = await this.named(request, ids);
    return named
      .filter(({ id, name }) => String(id) === wanted || foldedName(name).includes(wanted))
      .map(({ id }) => id);
  }

  /**
   * Returns the ids in the requested order. Only sorting by name, or a part of a name, reads the
   * names of all affiliates.
   */
  private async sorted(counts: AffiliateCounts, request: TableRequest): Promise<number[]> {
    const { sort, order } = request;
    const ids = await this.withName(request, counts.affiliate_ids);
    const sign = order === 'asc' ? 1 : -1;
    if (sort === 'name') {
      const named = await this.named(request, ids);
      return named
        .sort((left, right) => sign * BY_NAME.compare(left.name, right.name) || left.id - right.id)
        .map(({ id }) => id);
    }
    return ids
      .map((id) => ({ id, value: counts.figureOf(id, sort) }))
      .sort((left, right) => comparedFigures(left.value, right.value, sign) || left.id - right.id)
      .map(({ id }) => id);
  }

  private async rowsOf(
    request: FiguresRequest,
    ids: readonly number[],
    counts: AffiliateCounts,
  ): Promise<AffiliateRow[]> {
    const affiliates = await this.named(request, ids);
    return affiliates.map((one) => ({ ...one, figures: counts.figuresOf(one.id) }));
  }

  /** Returns the affiliates in the order of the ids. */
  private async named({ vendor_id }: FiguresRequest, ids: readonly number[]): Promise<Affiliate[]> {
    const names = await this.names.namesOf({ user_id: vendor_id }, 'affiliate', ids);
    return ids.map((id) => ({ id, name: names.get(id) ?? '' }));
  }

  /** Reads the gross and the commission of an affiliate's sales by period. */
  private async periodsOf(
    { vendor_id, attribution }: FiguresRequest,
    affiliate_id: number,
    ranges: readonly DayRange[],
    by: PeriodStep,
  ): Promise<Period[]> {
    const [first, last] = [ranges[0], ranges.at(-1)];
    if (first === undefined || last === undefined) return [];
    const viewer: Viewer = { role: 'vendor', user_id: vendor_id };
    const range = { start_date: first.start_date, end_date: last.end_date };
    const table = await this.reads.readFor(viewer, (reader) =>
      this.figures.ofAffiliates(
        reader,
        { viewer, attribution, group: null, filter: { affiliate_id } },
        { range, intervals: intervalsOf(ranges, by) },
        { money: ['amount', 'affiliate'], hasPending: false },
      ),
    );
    return figuresByPeriod(table, ranges);
  }

  /** Reads the figures of all affiliates or of one, without pending transactions. */
  private soldBy(
    { vendor_id, attribution, ...range }: FiguresRequest,
    group: 'affiliate' | 'product',
    filter: FigureFilter = {},
  ): Promise<FigureTable> {
    const viewer: Viewer = { role: 'vendor', user_id: vendor_id };
    const { start_date, end_date } = range;
    const days = { start_date, end_date };
    return this.reads.readFor(viewer, (reader) =>
      this.figures.ofAffiliates(
        reader,
        { viewer, attribution, group, filter },
        { range: days, intervals: calendarIntervals(days, null) },
        { money: ['amount', 'affiliate'], hasPending: false },
      ),
    );
  }

  private async clicksOf(
    vendor_id: number,
    { start_date, end_date }: DayRange,
    filter: Pick<FigureFilter, 'affiliate_id'> = {},
  ): Promise<ClickRow[]> {
    const products = await this.products.productsOf(vendor_id);
    const product_ids = products.map(({ id }) => id);
    const criteria = { product_ids, group: 'affiliate', start_date, end_date, ...filter } as const;
    return this.clicked.clicks(this.database, criteria, 'none');
  }

  private async productsOf(viewer: Viewer, items: FigureTable): Promise<TopItem[]> {
    // The product may have only pending transactions, or the subtraction leaves nothing.
    const ids = items.keys.map(Number).filter((id) => hasAny(items.totalOf(id), false));
    const names = await this.names.namesOf(viewer, 'product', ids);
    return topItems({ table: items, compared: null }, ids, names, 'affiliate');
  }
}

/** Returns the periods to compare with those of a range; null if nothing is compared. */
function rangesBeside(
  request: DayRange & Pick<OfAffiliate, 'comparison'>,
  ranges: readonly DayRange[],
  by: PeriodStep,
): DayRange[] | null {
  const asked = { ...request, today: todayInUtc() };
  const compared = comparedRange(asked);
  return compared && comparedPeriods(asked, compared, ranges, by);
}

/** Compares figures. Unknown ones come last in either order. */
function comparedFigures(
  left: number | bigint | null,
  right: number | bigint | null,
  sign: 1 | -1,
): number {
  if (left === right) return 0;
  if (left === null) return 1;
  if (right === null) return -1;
  return left < right ? -sign : sign;
}
