import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { type Column, csvFile } from '../../../platform/files/csv.js';
import type { DayRange } from '../report.model.js';
import { ReportsService } from '../reports.service.js';
import type { TrackingReport } from './tracking-report.model.js';
import { firstOrderOf, LINE_SORTS, sortedReport } from './line-order.js';
import { Bounds, type Line, linesOf, Whole } from './line-table.view.js';
import { grossOf, Lines, type Shown, trackingAddress, type TrackingQuery } from './lines.view.js';
import { TrackingReportService } from './tracking-report.service.js';
import { ApiError } from '../../../api/errors/api-error.js';
import { ProductsService } from '../../products/index.js';
import { type ValueField } from '../figures/figure.model.js';
import { ItemNamesService } from '../item-names.service.js';
import { formatDecimal, RATE_PLACES } from '../../../platform/values/money.js';
import { csvDownload, pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { TRACKING_PATH } from '../../../platform/pages/paths.js';
import { oneOf, type SignedInVisit, type Visit } from '../../../platform/pages/visit.js';
import { CsvLink, pageIn, Tabs } from '../../../platform/pages/ui/facts.view.js';
import { type FormProblem, problemsOf } from '../../../platform/pages/ui/form.view.js';
import { Menu, MenuLinks } from '../../../platform/pages/ui/menu.view.js';
import { ORDERS } from '../../../platform/pages/ui/sorting.view.js';
import { numberText } from '../../../platform/pages/ui/values.view.js';
import { PeriodBar, PrintedRange } from '../ranges/period-bar.view.js';
import { rangeText } from '../../../platform/pages/ui/day-text.js';
import {
  FIELD_NAMES,
  figureFilterOf,
  type FilterNames,
  FilterProblems,
  reportFilterIn,
  ReportFilters,
} from '../ranges/report-filter.js';
import {
  addressOf,
  rangeProblems,
  validRange,
  rangeQueryOf,
  vendorRange,
} from '../ranges/report-query.js';

/** The fields in the order of their tabs: those of campaigns first. */
const FIELDS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'tid',
  'sub_id1',
  'sub_id2',
  'sub_id3',
  'sub_id4',
  'sub_id5',
] as const satisfies readonly ValueField[];

/** Fields with a tab of their own; the others are in a menu. */
const COMMON: readonly ValueField[] = ['utm_source', 'utm_campaign', 'tid'];

/** Serves the report of a vendor's sales by the values of tracking fields. */
@Injectable()
export class TrackingPages implements Pages {
  constructor(
    private readonly reports: ReportsService,
    private readonly tracking: TrackingReportService,
    private readonly products: ProductsService,
    private readonly names: ItemNamesService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/tracking', (visit) => this.show(visit));
    routes.get('/tracking.csv', (visit) => this.download(visit));
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const query = trackingQueryOf(visit);
    const range = await vendorRange(this.reports, query.report, visit);
    const problems = problemsIn(query, range);
    if (range === null || problems.length > 0) return trackingPage(query, range, problems, null);
    const report = await this.report(visit, query, range);
    const names = await this.namesOf(visit, query);
    const view =
      typeof report === 'number' ? (
        <Unread sales={report} query={query} />
      ) : (
        <Sales query={query} range={range} report={report} />
      );
    return trackingPage(query, range, [], view, names);
  }

  /** Returns the names of the product and the affiliate that the page is narrowed to. */
  private async namesOf(visit: SignedInVisit, { report }: TrackingQuery): Promise<FilterNames> {
    const { product_id, affiliate_id } = figureFilterOf(report.filter, 'vendor');
    const products = product_id === undefined ? [] : await this.products.productsOf(visit.user.id);
    const product = products.find(({ id }) => id === product_id)?.name;
    const affiliates = await this.names.namesOf(
      { user_id: visit.user.id },
      'affiliate',
      affiliate_id === undefined ? [] : [affiliate_id],
    );
    const partner = affiliates.get(affiliate_id ?? 0);
    return { ...(product && { product }), ...(partner && { partner }) };
  }

  private async download(visit: SignedInVisit): Promise<PageAnswer> {
    const query = trackingQueryOf(visit);
    const range = validRange(await vendorRange(this.reports, query.report, visit));
    const [problem] = problemsIn(query, range);
    if (problem !== undefined) throw new ApiError('invalid_parameters', problem.message);
    const report = await this.report(visit, query, range);
    if (typeof report === 'number') throw new ApiError('invalid_parameters', unreadText(report));
    const rows = linesOf(sortedReport(report, query));
    const csv = csvFile(FILE_COLUMNS, 'spreadsheet', [rows]);
    return csvDownload(`${query.field}-${range.start_date}-to-${range.end_date}`, csv);
  }

  private report(
    visit: SignedInVisit,
    { report: { attribution, filter }, field }: TrackingQuery,
    range: DayRange,
  ): Promise<TrackingReport | number> {
    const figureFilter = figureFilterOf(filter, 'vendor');
    const of = { vendor_id: visit.user.id, field, attribution, filter: figureFilter };
    return this.tracking.report({ ...of, ...range });
  }
}

/** Reads the query from the address; unknown words are replaced by the defaults. */
function trackingQueryOf(visit: Visit): TrackingQuery {
  const { product, partner } = reportFilterIn(visit);
  const filter = {
    ...(product === undefined ? {} : { product }),
    ...(partner === undefined ? {} : { partner }),
  };
  const sort = oneOf(LINE_SORTS, visit.query('sort')) ?? 'gross';
  return {
    report: { ...rangeQueryOf(visit), filter },
    field: oneOf(FIELDS, visit.query('field')) ?? FIELDS[0],
    sort,
    order: oneOf(ORDERS, visit.query('order')) ?? firstOrderOf(sort),
    page: pageIn(visit),
  };
}

function problemsIn({ report }: TrackingQuery, range: DayRange | null): FormProblem[] {
  return [
    ...(range === null ? rangeProblems(report) : []),
    ...problemsOf([() => figureFilterOf(report.filter, 'vendor')]),
  ];
}

/**
 * Columns of the CSV file. The first one distinguishes a value from sales without a value and from
 * all other values together.
 */
const FILE_COLUMNS: readonly Column<Line>[] = [
  { name: 'line', kind: 'word', valueOf: ({ line }) => line },
  { name: 'value', kind: 'text', valueOf: ({ value }) => value },
  { name: 'sales', kind: 'number', valueOf: ({ figures }) => figures.sales },
  { name: 'gross', kind: 'money', valueOf: ({ figures }) => figures.gross },
  { name: 'refunds', kind: 'number', valueOf: ({ figures }) => figures.refunds.transactions },
  {
    name: 'refund_rate',
    kind: 'word',
    valueOf: ({ figures }) => formatDecimal(figures.refund_rate, RATE_PLACES),
  },
  {
    name: 'chargebacks',
    kind: 'number',
    valueOf: ({ figures }) => figures.chargebacks.transactions,
  },
  { name: 'net_earnings', kind: 'money', valueOf: ({ figures }) => figures.earnings },
];

/** @param range null if the input is not a valid range */
function trackingPage(
  query: TrackingQuery,
  range: DayRange | null,
  problems: readonly FormProblem[],
  sales: VNode | null,
  names: FilterNames = {},
) {
  const { field, report, sort, order } = query;
  return pageOf(
    {
      title: range === null ? 'Tracking' : `Tracking, ${rangeText(range)}`,
      heading: 'Tracking',
      problems,
      tools: (
        <div class="tools">
          <PeriodBar
            path={TRACKING_PATH}
            query={report}
            range={range}
            more={{ field, sort, order }}
          />
          {range !== null && (
            <CsvLink href={trackingAddress(query, { path: `${TRACKING_PATH}.csv` })} />
          )}
        </div>
      ),
    },
    <>
      <FieldTabs {...query} />
      <FilterProblems problems={problems} />
      <ReportFilters path={TRACKING_PATH} query={report} role="vendor" names={names} />
      {sales}
    </>,
  );
}

/** Chooses the field: one of those that most vendors use, or one of a menu. */
function FieldTabs(query: TrackingQuery) {
  const { field } = query;
  const to = (each: ValueField) => trackingAddress({ ...query, field: each });
  const isTab = (each: ValueField) => COMMON.includes(each) || each === field;
  const others = FIELDS.filter((each) => !isTab(each)).map((each) => ({
    href: to(each),
    words: FIELD_NAMES[each],
  }));
  return (
    <div class="tab-line">
      <Tabs
        label="Field"
        tabs={FIELDS.filter(isTab).map((each) => [each, FIELD_NAMES[each]])}
        current={field}
        to={to}
      />
      <Menu isButton name="field" summary="More">
        <nav aria-label="Further fields">
          <MenuLinks links={others} />
        </nav>
      </Menu>
    </div>
  );
}

function Sales({ query, range, report }: Shown & { readonly range: DayRange }) {
  return (
    <>
      <PrintedRange query={query.report} range={range} />
      <Whole field={query.field} of="gross" sumOf={grossOf} report={report} />
      <Lines query={query} report={sortedReport(report, query)} />
      <Bounds report={report} />
    </>
  );
}

function unreadText(sales: number): string {
  return `These figures would read the ${numberText(sales)} sales and refunds of the period. Choose a shorter period.`;
}

/** Says that figures without kept sums would read too many sales. */
function Unread({ sales, query }: { readonly sales: number; readonly query: TrackingQuery }) {
  const month = addressOf(
    TRACKING_PATH,
    { ...query.report, preset: '30-days' },
    { field: query.field },
  );
  return (
    <p class="empty">
      {unreadText(sales)} <a href={month}>Show 30 days</a>
    </p>
  );
}
