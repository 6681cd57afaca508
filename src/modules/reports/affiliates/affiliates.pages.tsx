import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { AffiliatesService } from '../../affiliates/index.js';
import { AffiliateChangesService, type GrossChanges } from './affiliate-changes.service.js';
import { SORTS, type AffiliateTable, type Sort } from './affiliate-figures.model.js';
import { AffiliateReportsService } from './affiliate-reports.service.js';
import type { DayRange } from '../report.model.js';
import { ReportsService } from '../reports.service.js';
import { csvDownload, pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { AFFILIATES_PATH, LIST_PATH, REPORTS_PATH } from '../../../platform/pages/paths.js';
import { namesWithIds } from '../ranges/equal-names.view.js';
import { PeriodBar, PrintedRange } from '../ranges/period-bar.view.js';
import { rangeText } from '../../../platform/pages/ui/day-text.js';
import { unpaidAddress } from '../ranges/unpaid-address.js';
import { Signed } from '../ranges/what-changed.view.js';
import {
  addressOf,
  rangeParameters,
  rangeProblems,
  validRange,
  rangeQueryOf,
  vendorRange,
  type ReportQuery,
} from '../ranges/report-query.js';
import type { SignedInVisit, Visit } from '../../../platform/pages/visit.js';
import { CsvLink, pageIn, PageLinks } from '../../../platform/pages/ui/facts.view.js';
import { Field, FilterForm } from '../../../platform/pages/ui/form.view.js';
import {
  ORDERS,
  type Order,
  sortedHead,
  SortFields,
} from '../../../platform/pages/ui/sorting.view.js';
import { numbers, Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { numberText } from '../../../platform/pages/ui/values.view.js';
import { todayInUtc } from '../../../platform/values/time.js';
import {
  type Figured,
  figureColumns,
  type FigureLinks,
  OwedFigures,
  requestOf,
} from './affiliate-figures.view.js';
import { Empty } from '../../../platform/pages/ui/next-step.view.js';
import { type Owed, PayoutsService } from './payouts.service.js';
import { TermsBadge, type TermsStatus, termsStatuses } from './terms-status.view.js';

const PAYOUTS_PATH = `${AFFILIATES_PATH}/payouts.csv`;

/** Query of the table. Values that cannot be parsed are replaced by the defaults. */
interface AffiliatesQuery {
  readonly report: ReportQuery;
  readonly sort: Sort;
  readonly order: Order;
  /** Part of the names to show; empty for all affiliates. */
  readonly name: string;
  /** Shows all columns. */
  readonly isWide: boolean;
  /** Page number, starting at 1. */
  readonly page: number;
}

interface ShownTable {
  readonly query: AffiliatesQuery;
  readonly range: DayRange;
  readonly table: AffiliateTable;
  /** Statuses of the terms of the shown affiliates, by id. */
  readonly statuses: ReadonlyMap<number, TermsStatus>;
  readonly changes: GrossChanges;
}

/** Serves the table of a vendor's affiliates. */
@Injectable()
export class AffiliatesPages implements Pages {
  constructor(
    private readonly tables: AffiliateReportsService,
    private readonly affiliateChanges: AffiliateChangesService,
    private readonly affiliates: AffiliatesService,
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
    const { report, page, sort, order, name } = query;
    const range = await vendorRange(this.reports, report, visit);
    if (range === null) return affiliatesPage(query, null, null, null);
    const request = { ...requestOf(visit, report, range), sort, order, name };
    const table = await this.tables.table(request, page);
    const ids = table.rows.map(({ id }) => id);
    // A range of all time has nothing before it to compare with.
    const comparison = report.preset === 'all-time' ? 'none' : report.comparison;
    const [changes, terms] = await Promise.all([
      this.affiliateChanges.grossOf(request, comparison, table.rows),
      this.affiliates.reads.statusesWith(request.vendor_id, ids),
    ]);
    const shown = { query, range, table, changes, statuses: termsStatuses(terms) };
    return affiliatesPage(query, range, changes.compared, <Affiliates {...shown} />);
  }

  private async download(visit: SignedInVisit): Promise<PageAnswer> {
    const { report, sort, order, name } = affiliatesQueryOf(visit);
    const range = validRange(await vendorRange(this.reports, report, visit));
    const request = { ...requestOf(visit, report, range), sort, order, name };
    const file = `affiliates-${range.start_date}-to-${range.end_date}`;
    return csvDownload(file, this.tables.csv(request));
  }
}

function affiliatesQueryOf(visit: Visit): AffiliatesQuery {
  const sort = SORTS.find((each) => each === visit.query('sort')) ?? 'gross';
  const order = ORDERS.find((each) => each === visit.query('order')) ?? firstOrderOf(sort);
  return {
    report: rangeQueryOf(visit),
    sort,
    order,
    name: visit.query('name').trim(),
    isWide: visit.query('columns') === ALL_COLUMNS.columns,
    page: pageIn(visit),
  };
}

const ALL_COLUMNS = { columns: 'all' } as const;

/** Returns the parameters of the table in its address, without the range and the page. */
function tableParameters({ sort, order, name, isWide }: AffiliatesQuery) {
  return { sort, order, ...(name === '' ? {} : { name }), ...(isWide ? ALL_COLUMNS : {}) };
}

function tableAddress(query: AffiliatesQuery, path: string = AFFILIATES_PATH): string {
  const { report, page } = query;
  const more = page === 1 ? {} : { page: String(page) };
  return addressOf(path, report, { ...tableParameters(query), ...more });
}

/** Returns the order after the first click on a column: names from A, figures from the highest. */
function firstOrderOf(sort: Sort): Order {
  return sort === 'name' ? 'asc' : 'desc';
}

/** @param range null if the input is not a valid range */
function affiliatesPage(
  query: AffiliatesQuery,
  range: DayRange | null,
  compared: DayRange | null,
  table: VNode | null,
) {
  const { report } = query;
  const bar = { query: report, range, compared, more: tableParameters(query) };
  return pageOf(
    {
      title: range === null ? 'Affiliates' : `Affiliates, ${rangeText(range)}`,
      heading: 'Affiliates',
      problems: range === null ? rangeProblems(report) : [],
      tools: (
        <div class="tools">
          <PeriodBar path={AFFILIATES_PATH} {...bar} />
          {range !== null && (
            <CsvLink href={tableAddress({ ...query, page: 1 }, `${AFFILIATES_PATH}.csv`)} />
          )}
        </div>
      ),
    },
    table,
  );
}

function Affiliates(shown: ShownTable) {
  const { query, range, table } = shown;
  if (table.count === 0 && query.name === '') {
    return (
      <Empty next={[REPORTS_PATH, 'Go to Reports']}>
        You have no affiliates. They come with your sales.
      </Empty>
    );
  }
  return (
    <>
      <PrintedRange query={query.report} range={range} />
      <OwedFigures
        owed={table.owed}
        hrefOf={(sort) => tableAddress({ ...query, ...sortedBy(sort), page: 1 })}
        payouts={PAYOUTS_PATH}
      />
      <TableForm {...query} />
      {table.count === 0 ? (
        <Empty next={[tableAddress({ ...query, name: '', page: 1 }), 'Show all affiliates']}>
          No affiliate has this name.
        </Empty>
      ) : (
        <AffiliatesTable {...shown} />
      )}
      <PageLinks
        page={table.page}
        pages={table.pages}
        to={(page) => tableAddress({ ...query, page })}
      />
    </>
  );
}

/** Returns the order of the table by a sum that is owed, with the column that shows it. */
function sortedBy(sort: keyof Owed) {
  return { sort, order: 'desc', isWide: sort === 'on_hold' } as const;
}

/**
 * Chooses which affiliates and columns the table shows, in one line. On a narrow screen a link opens
 * it, and it sorts the table, which has no header there.
 */
function TableForm(query: AffiliatesQuery) {
  const hidden = { ...hiddenOf(query), ...(query.isWide ? ALL_COLUMNS : {}) };
  const columns = figureColumns(linksIn(query.report), query.isWide);
  const names = columns.map(({ sort: by, name }) => [by, name] as const);
  return (
    <FilterForm
      words="Filter and sort"
      isOpen={query.name !== ''}
      action={AFFILIATES_PATH}
      label="Affiliates to show"
      hidden={new Map(Object.entries(hidden))}
      also={
        <a class="button quiet" href={tableAddress({ ...query, isWide: !query.isWide })}>
          {query.isWide ? 'Fewer columns' : 'More columns'}
        </a>
      }
    >
      <Field label="Name or id" name="name" type="search" value={query.name} />
      <div class="narrow-only">
        <SortFields
          columns={new Map([['name', 'Affiliate'], ...names])}
          sort={query.sort}
          order={query.order}
        />
      </div>
    </FilterForm>
  );
}

/** Returns the parameters of the report that forms keep. */
function hiddenOf({ report }: AffiliatesQuery): Readonly<Record<string, string>> {
  const { attribution, comparison } = report;
  return { ...rangeParameters(report), refunds: attribution, compare: comparison };
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

/** Shows the table of affiliates, sorted by links in its header. */
function AffiliatesTable({ query, table, statuses, changes }: ShownTable) {
  const { rows, count, total } = table;
  const shownName = namesWithIds(rows);
  const nameOf = (row: Row) => {
    if (row.id === null) return row.name;
    const status = statuses.get(row.id) ?? null;
    return (
      <>
        <a href={addressOf(`${AFFILIATES_PATH}/${row.id}`, query.report)}>{shownName(row)}</a>{' '}
        {/* Most are approved. */}
        {status !== null && status !== 'APPROVED' && <TermsBadge status={status} />}
      </>
    );
  };
  const name = count === 1 ? 'Total' : `Total of ${numberText(count)}`;
  const [first, ...figures] = [
    { sort: 'name', name: 'Affiliate', cell: nameOf } as const,
    ...figureColumns(linksIn(query.report), query.isWide),
  ].map((column) => ({ ...column, ...sortingOf(query, column) }));
  const columns: Column<Row>[] = [
    ...(first === undefined ? [] : [first]),
    ...figures,
    ...changeColumn(changes),
  ];
  return (
    <Table<Row>
      label="Affiliates"
      columns={columns}
      rows={rows}
      total={{ id: null, name, figures: total }}
    />
  );
}

/** Returns a column with the change of the gross; none if nothing is compared. */
function changeColumn({ compared, changeOf }: GrossChanges): Column<Row>[] {
  if (compared === null) return [];
  return [
    {
      ...numbers<Row>('Change of gross', ({ id }) => {
        if (id === null) return '';
        return changeOf(id) === 0n ? '–' : <Signed cents={changeOf(id)} />;
      }),
      isZero: ({ id }) => id === null || changeOf(id) === 0n,
    },
  ];
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
