import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { type Column as FileColumn, csvFile } from '../../../platform/files/csv.js';
import type { DayRange, Figures } from '../report.model.js';
import { ReportsService } from '../reports.service.js';
import { TOP_VALUES, type TrackingReport } from './tracking-report.model.js';
import { TrackingReportService } from './tracking-report.service.js';
import { TRACKED_FIELDS, type TrackedField } from '../../../ledger/sums/kept-sums.model.js';
import { csvDownload, pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import { TRACKING_PATH } from '../../../platform/pages/paths.js';
import type { SignedInVisit, Visit } from '../../../platform/pages/visit.js';
import { Actions, pageIn, PageLinks, Tabs } from '../../../platform/pages/ui/facts.view.js';
import { amounts, counts, Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { numberText } from '../../../platform/pages/ui/values.view.js';
import { PeriodBar, PrintedRange } from '../ranges/period-bar.view.js';
import { rangeText } from '../../../platform/pages/ui/day-text.js';
import {
  addressOf,
  rangeProblems,
  validRange,
  vendorQueryOf,
  vendorRange,
  type ReportQuery,
} from '../ranges/report-query.js';
import { Empty } from '../../../platform/pages/ui/next-step.view.js';

/** Query of the page: the range and the day of refunds as in reports, and the tracking field. */
interface TrackingQuery {
  readonly report: ReportQuery;
  readonly field: TrackedField;
  /** Page number, starting at 1. */
  readonly page: number;
}

/** Number of lines on a page. Rendering more would take longer than adding up the sums. */
const PAGE_SIZE = 100;

/** A line of the table and of the CSV file. */
interface Line {
  readonly line: 'value' | 'other' | 'none' | 'total';
  /** Empty if the line does not stand for a single value. */
  readonly value: string;
  readonly figures: Figures;
}

/** Serves the report of a vendor's sales by the values of tracking fields. */
@Injectable()
export class TrackingPages implements Pages {
  constructor(
    private readonly reports: ReportsService,
    private readonly tracking: TrackingReportService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/tracking', (visit) => this.show(visit));
    routes.get('/tracking.csv', (visit) => this.download(visit));
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const query = trackingQueryOf(visit);
    const range = await vendorRange(this.reports, query.report, visit);
    if (range === null) return trackingPage(query, null, null);
    const report = await this.report(visit, query, range);
    return trackingPage(query, range, <Sales query={query} range={range} report={report} />);
  }

  private async download(visit: SignedInVisit): Promise<PageAnswer> {
    const query = trackingQueryOf(visit);
    const range = validRange(await vendorRange(this.reports, query.report, visit));
    const rows = linesOf(await this.report(visit, query, range));
    const csv = csvFile(FILE_COLUMNS, 'spreadsheet', [rows]);
    return csvDownload(`${query.field}-${range.start_date}-to-${range.end_date}`, csv);
  }

  private report(
    visit: SignedInVisit,
    { report: { attribution }, field }: TrackingQuery,
    range: DayRange,
  ): Promise<TrackingReport> {
    return this.tracking.report({ vendor_id: visit.user.id, field, attribution, ...range });
  }
}

/** Reads the query from the address; an unknown field is replaced by the first one. */
function trackingQueryOf(visit: Visit): TrackingQuery {
  return {
    report: vendorQueryOf(visit),
    field: TRACKED_FIELDS.find((field) => field === visit.query('field')) ?? TRACKED_FIELDS[0],
    page: pageIn(visit),
  };
}

/** Returns the address of a page, which is the first one by default. */
function trackingAddress(
  { report, field }: Omit<TrackingQuery, 'page'>,
  { path = TRACKING_PATH, page = 1 }: { readonly path?: string; readonly page?: number } = {},
): string {
  return addressOf(path, report, { field, ...(page === 1 ? {} : { page: String(page) }) });
}

/**
 * Columns of the CSV file. The first one distinguishes a value from sales without a value and from
 * all other values together.
 */
const FILE_COLUMNS: readonly FileColumn<Line>[] = [
  { name: 'line', kind: 'word', valueOf: ({ line }) => line },
  { name: 'value', kind: 'text', valueOf: ({ value }) => value },
  { name: 'sales', kind: 'number', valueOf: ({ figures }) => figures.sales },
  { name: 'gross', kind: 'money', valueOf: ({ figures }) => figures.gross },
  { name: 'refunds', kind: 'number', valueOf: ({ figures }) => figures.refunds.transactions },
  {
    name: 'chargebacks',
    kind: 'number',
    valueOf: ({ figures }) => figures.chargebacks.transactions,
  },
  { name: 'net_earnings', kind: 'money', valueOf: ({ figures }) => figures.earnings },
];

/** Returns the lines of the values, then those of all other sales, without the total. */
function linesOf({ lines, other, none }: TrackingReport): Line[] {
  const rows = lines.map(({ value, figures }): Line => ({ line: 'value', value, figures }));
  if (other !== null) rows.push({ line: 'other', value: '', figures: other });
  if (none !== null) rows.push({ line: 'none', value: '', figures: none });
  return rows;
}

interface Shown {
  readonly query: TrackingQuery;
  readonly report: TrackingReport;
}

/** @param range null if the input is not a valid range */
function trackingPage(query: TrackingQuery, range: DayRange | null, sales: VNode | null) {
  const { field, report } = query;
  return pageOf(
    {
      title: range === null ? 'Tracking' : `Tracking, ${rangeText(range)}`,
      heading: 'Tracking',
      isWide: true,
      problems: range === null ? rangeProblems(report) : [],
      tools: <PeriodBar path={TRACKING_PATH} query={report} range={range} more={{ field }} />,
    },
    <>
      <Tabs
        label="Field"
        tabs={TRACKED_FIELDS.map((each) => [each, each])}
        current={field}
        to={(each) => trackingAddress({ ...query, field: each })}
      />
      {sales}
    </>,
  );
}

function Sales({ query, range, report }: Shown & { readonly range: DayRange }) {
  return (
    <>
      <PrintedRange query={query.report} range={range} />
      <Lines query={query} report={report} />
      <Bounds report={report} />
      <Actions>
        <a class="button quiet" href={trackingAddress(query, { path: `${TRACKING_PATH}.csv` })}>
          Download as CSV
        </a>
      </Actions>
    </>
  );
}

/** Explains which values do not have their own line. */
function Bounds({ report: { mostValues, other } }: Pick<Shown, 'report'>) {
  if (other === null) return null;
  return (
    <p class="hint">
      {mostValues !== null
        ? `Only the first ${numberText(mostValues)} different values, and of these the top ${numberText(TOP_VALUES)}, have a row.`
        : `Only the top ${numberText(TOP_VALUES)} values have a row.`}{' '}
      “{NAMES.other}” is the rest.
    </p>
  );
}

/** Shows a page of values. All other values together and the total are on each page. */
function Lines({ query, report }: Shown) {
  const all = linesOf(report);
  if (all.length === 0) {
    const allTime = { ...query, report: { ...query.report, preset: 'all-time' as const } };
    return (
      <Empty next={[trackingAddress(allTime), 'Show all time']}>No sales in this period.</Empty>
    );
  }
  const values = report.lines.length;
  const pages = Math.max(1, Math.ceil(values / PAGE_SIZE));
  const page = Math.min(query.page, pages);
  const end = Math.min(page * PAGE_SIZE, values);
  const total: Line = { line: 'total', value: '', figures: report.total };
  return (
    <>
      <Table
        label={`Sales by ${query.field}`}
        columns={[{ name: query.field, cell: (line) => <Name {...line} /> }, ...COLUMNS]}
        rows={[...all.slice((page - 1) * PAGE_SIZE, end), ...all.slice(values)]}
        total={total}
      />
      <PageLinks
        page={page}
        pages={pages}
        to={(other) => trackingAddress(query, { page: other })}
      />
    </>
  );
}

/** Names of lines that do not stand for a single value, and their meaning for screen readers. */
const NAMES = { other: 'Other', none: '(none)', total: 'Total' } as const;
const MEANINGS = { other: 'all further values', none: 'sales without a value' } as const;
const LINE_NAMES = new Set<string>(Object.values(NAMES));

/**
 * Shows the value or the name of a line. A value is in quotation marks if it begins or ends with a
 * space, since values can differ only in spaces, or if it is written like the name of another line.
 */
function Name({ line, value }: Line) {
  if (line === 'total') return <strong>{NAMES.total}</strong>;
  if (line !== 'value') {
    return (
      <em>
        {NAMES[line]}
        <span class="unseen">: {MEANINGS[line]}</span>
      </em>
    );
  }
  const isQuoted = /^\s|\s$/.test(value) || LINE_NAMES.has(value);
  return <span class="verbatim">{isQuoted ? <>“{value}”</> : value}</span>;
}

const COLUMNS: readonly Column<Line>[] = [
  counts('Sales', ({ figures }) => figures.sales),
  amounts('Gross', ({ figures }) => figures.gross),
  counts('Refunds', ({ figures }) => figures.refunds.transactions),
  counts('Chargebacks', ({ figures }) => figures.chargebacks.transactions),
  amounts('Net earnings', ({ figures }) => figures.earnings),
];
