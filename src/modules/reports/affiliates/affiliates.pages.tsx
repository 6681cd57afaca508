import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { SORTS, type AffiliateTable, type Sort } from './affiliate-figures.model.js';
import { AffiliateReportsService } from './affiliate-reports.service.js';
import type { DayRange } from '../report.model.js';
import { ReportsService } from '../reports.service.js';
import { csvDownload, pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { AFFILIATES_PATH, LIST_PATH, REPORTS_PATH } from '../../../platform/pages/paths.js';
import { PeriodBar, PrintedRange } from '../ranges/period-bar.view.js';
import { rangeText } from '../../../platform/pages/ui/day-text.js';
import { unpaidAddress } from '../ranges/unpaid-address.js';
import { Downloads } from '../ranges/report-parts.view.js';
import {
  addressOf,
  rangeParameters,
  rangeProblems,
  validRange,
  vendorQueryOf,
  vendorRange,
  type ReportQuery,
} from '../ranges/report-query.js';
import type { SignedInVisit, Visit } from '../../../platform/pages/visit.js';
import { Actions, pageIn, PageLinks } from '../../../platform/pages/ui/facts.view.js';
import {
  ORDERS,
  type Order,
  SortChoice,
  sortedHead,
} from '../../../platform/pages/ui/sorting.view.js';
import { Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { numberText } from '../../../platform/pages/ui/values.view.js';
import { todayInUtc } from '../../../platform/values/time.js';
import {
  type Figured,
  figureColumns,
  type FigureLinks,
  requestOf,
  UnpaidNote,
} from './affiliate-figures.view.js';
import { Empty } from '../../../platform/pages/ui/next-step.view.js';
import { PayoutsService } from './payouts.service.js';

/** Query of the table. Values that cannot be parsed are replaced by the defaults. */
interface AffiliatesQuery {
  readonly report: ReportQuery;
  readonly sort: Sort;
  readonly order: Order;
  /** Page number, starting at 1. */
  readonly page: number;
}

/** Serves the table of a vendor's affiliates. */
@Injectable()
export class AffiliatesPages implements Pages {
  constructor(
    private readonly tables: AffiliateReportsService,
    private readonly reports: ReportsService,
    private readonly payouts: PayoutsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/affiliates', (visit) => this.list(visit));
    routes.get('/affiliates.csv', (visit) => this.download(visit));
    routes.get('/affiliates/payouts.csv', ({ user }) => {
      return csvDownload(`payouts-${todayInUtc()}`, this.payouts.csv(user.id));
    });
  }

  private async list(visit: SignedInVisit): Promise<PageAnswer> {
    const query = affiliatesQueryOf(visit);
    const { report, page, ...order } = query;
    const range = await vendorRange(this.reports, report, visit);
    if (range === null) return affiliatesPage(query, null, null);
    const request = { ...requestOf(visit, report, range), ...order };
    const table = await this.tables.table(request, page);
    return affiliatesPage(query, range, <Affiliates query={query} range={range} table={table} />);
  }

  private async download(visit: SignedInVisit): Promise<PageAnswer> {
    const { report, sort, order } = affiliatesQueryOf(visit);
    const range = validRange(await vendorRange(this.reports, report, visit));
    const request = { ...requestOf(visit, report, range), sort, order };
    const name = `affiliates-${range.start_date}-to-${range.end_date}`;
    return csvDownload(name, this.tables.csv(request));
  }
}

function affiliatesQueryOf(visit: Visit): AffiliatesQuery {
  const sort = SORTS.find((each) => each === visit.query('sort')) ?? 'gross';
  const order = ORDERS.find((each) => each === visit.query('order')) ?? firstOrderOf(sort);
  return { report: vendorQueryOf(visit), sort, order, page: pageIn(visit) };
}

function tableAddress(
  { report, sort, order, page }: AffiliatesQuery,
  path: string = AFFILIATES_PATH,
): string {
  const more = page === 1 ? {} : { page: String(page) };
  return addressOf(path, report, { sort, order, ...more });
}

/** Returns the order after the first click on a column: names from A, figures from the highest. */
function firstOrderOf(sort: Sort): Order {
  return sort === 'name' ? 'asc' : 'desc';
}

interface ShownTable {
  readonly query: AffiliatesQuery;
  readonly table: AffiliateTable;
}

/** @param range null if the input is not a valid range */
function affiliatesPage(
  { report, sort, order }: AffiliatesQuery,
  range: DayRange | null,
  table: VNode | null,
) {
  return pageOf(
    {
      title: range === null ? 'Affiliates' : `Affiliates, ${rangeText(range)}`,
      heading: 'Affiliates',
      isWide: true,
      problems: range === null ? rangeProblems(report) : [],
      tools: (
        <PeriodBar path={AFFILIATES_PATH} query={report} range={range} more={{ sort, order }} />
      ),
    },
    table,
  );
}

function Affiliates({ query, range, table }: ShownTable & { readonly range: DayRange }) {
  const csv = tableAddress({ ...query, page: 1 }, `${AFFILIATES_PATH}.csv`);
  return (
    <>
      <PrintedRange query={query.report} range={range} />
      {table.count === 0 ? (
        <Empty next={[REPORTS_PATH, 'Go to Reports']}>
          You have no affiliates. They come with your sales.
        </Empty>
      ) : (
        <>
          <AffiliatesTable query={query} table={table} />
          <PageLinks
            page={table.page}
            pages={table.pages}
            to={(page) => tableAddress({ ...query, page })}
          />
          <p class="hint">
            Commission is that of affiliates, without agents and partners, after refunds and
            chargebacks. Rates are per sale, conversion per unique click.
          </p>
          <UnpaidNote />
          <Actions>
            <Downloads links={[['CSV', csv]]} />
            <a class="button quiet" href={`${AFFILIATES_PATH}/payouts.csv`}>
              Download payouts
            </a>
          </Actions>
        </>
      )}
    </>
  );
}

/** Sorts the table on a screen that is too narrow for its header. */
function SortForm({ report, sort, order }: AffiliatesQuery) {
  const columns = figureColumns(linksIn(report)).map(({ sort: by, name }) => [by, name] as const);
  const hidden = { ...rangeParameters(report), refunds: report.attribution };
  return (
    <SortChoice
      action={AFFILIATES_PATH}
      hidden={new Map(Object.entries(hidden))}
      columns={new Map([['name', 'Affiliate'], ...columns])}
      sort={sort}
      order={order}
    />
  );
}

interface Row extends Figured {
  readonly name: string;
}

function linksIn(query: ReportQuery): FigureLinks {
  const filterOf = ({ id }: Figured) => (id === null ? {} : { partner: String(id) });
  return {
    sales: (row) =>
      addressOf(LIST_PATH, { ...query, role: 'vendor' }, { ...filterOf(row), kind: 'sales' }),
    report: (row) => (row.id === null ? undefined : addressOf(REPORTS_PATH, query, filterOf(row))),
    unpaid: (row, age) => unpaidAddress(query, age, 'vendor', filterOf(row)),
    owed: ({ id }) =>
      id === null ? undefined : `${addressOf(`${AFFILIATES_PATH}/${id}`, query)}#unpaid-title`,
  };
}

/**
 * Shows the table of affiliates, sorted by links in its header. On a narrow screen each row is a
 * card without the header, and the form above the table sorts instead.
 */
function AffiliatesTable({ query, table: { rows, count, total } }: ShownTable) {
  const nameOf = ({ id, name }: Row) =>
    id === null ? name : <a href={addressOf(`${AFFILIATES_PATH}/${id}`, query.report)}>{name}</a>;
  const name = count === 1 ? 'Total' : `Total of ${numberText(count)}`;
  const columns = [
    { sort: 'name', name: 'Affiliate', cell: nameOf } as const,
    ...figureColumns(linksIn(query.report)),
  ];
  return (
    <Table<Row>
      label="Affiliates"
      sorting={<SortForm {...query} />}
      columns={columns.map((column) => ({ ...column, ...sortingOf(query, column) }))}
      rows={rows}
      total={{ id: null, name, figures: total }}
    />
  );
}

/** Links to the table in the order of a column; a second click reverses the order. */
function sortingOf(
  query: AffiliatesQuery,
  { sort, name }: { readonly sort: Sort; readonly name: string },
): Pick<Column<Row>, 'head' | 'order'> {
  return sortedHead(name, query, { sort, firstOrder: firstOrderOf(sort) }, (order) =>
    tableAddress({ ...query, sort, order, page: 1 }),
  );
}
