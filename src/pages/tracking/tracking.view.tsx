import type { ComponentChildren } from 'preact';
import type { DayRange, Figures } from '../../modules/reports/report.model.js';
import {
  TOP_VALUES,
  type TrackingReport,
} from '../../modules/reports/tracking/tracking-report.model.js';
import type { Page } from '../http/page-answer.js';
import { Money, numberText } from '../reports/figures.view.js';
import type { FormProblem } from '../ui/form.view.js';
import { PageLinks } from '../ui/page-links.view.js';
import { Table, type Column } from '../ui/table.view.js';
import { TrackingForm } from './tracking-form.view.js';
import { TRACKING_PATH, trackingAddress, type TrackingQuery } from './tracking-query.js';

export interface ShownTracking {
  readonly query: TrackingQuery;
  readonly range: DayRange;
  readonly report: TrackingReport;
}

/** Number of lines on a page. Rendering more would take longer than adding up the sums. */
const PAGE_SIZE = 100;

interface Row {
  readonly name: ComponentChildren;
  readonly figures: Figures;
}

export function trackingPage({ query, range, report }: ShownTracking): Page {
  const { start_date, end_date } = range;
  const { field, report: chosen } = query;
  return {
    kind: 'page',
    title: 'Tracking',
    isWide: true,
    view: (
      <>
        <h1>Tracking</h1>
        <TrackingForm query={query} from={start_date} to={end_date} />
        <p>
          Sales by <strong>{field}</strong>, highest gross first. Whole days in UTC, from{' '}
          <strong>{start_date}</strong> through <strong>{end_date}</strong>. Refunds and chargebacks
          count on the day of the {chosen.attribution}.
        </p>
        <Bounds query={query} report={report} />
        <p>
          <a class="button quiet" href={trackingAddress(query, { path: `${TRACKING_PATH}.csv` })}>
            Download as CSV
          </a>
        </p>
        <Lines query={query} report={report} />
      </>
    ),
  };
}

/** Shows the form with its problems if the input is not a valid range. */
export function invalidTrackingPage(query: TrackingQuery, problems: readonly FormProblem[]): Page {
  const { from, to } = query.report;
  return {
    kind: 'page',
    title: 'Tracking',
    isWide: true,
    failure: 'invalid_parameters',
    view: (
      <>
        <h1>Tracking</h1>
        <TrackingForm query={query} from={from} to={to} problems={problems} />
      </>
    ),
  };
}

/** Explains which values do not have their own line. */
function Bounds({
  query: { field },
  report: { mostValues, other },
}: Pick<ShownTracking, 'query' | 'report'>) {
  if (other === null) return null;
  return (
    <p>
      <em>{OTHER}</em> has{' '}
      {mostValues !== null
        ? `the values after the first ${numberText(mostValues)} different ones of ${field}, and what is not among the ${numberText(TOP_VALUES)} with the highest gross`
        : `the values that are not among the ${numberText(TOP_VALUES)} with the highest gross, have no sale in this range, or are longer than 255 characters`}
      . All figures are exact.
    </p>
  );
}

/** Names of lines that do not stand for a single value. */
const [OTHER, NONE, TOTAL] = ['Other', '(none)', 'Total'] as const;
const LINE_NAMES = new Set<string>([OTHER, NONE, TOTAL]);

/**
 * Shows a value. It is in quotation marks if it begins or ends with a space, since values can
 * differ only in spaces, or if it is written like the name of another line.
 */
function Value({ text }: { readonly text: string }) {
  const isQuoted = /^\s|\s$/.test(text) || LINE_NAMES.has(text);
  return <span class="as-written">{isQuoted ? <>“{text}”</> : text}</span>;
}

/**
 * Shows the name of a line that does not stand for a single value. Screen readers also get a
 * description.
 */
function LineName({ name, has }: { readonly name: string; readonly has: string }) {
  return (
    <em>
      {name}
      <span class="unseen">: {has}</span>
    </em>
  );
}

/** Shows a page of values. All other values together and the total are on each page. */
function Lines({ query, report }: Pick<ShownTracking, 'query' | 'report'>) {
  const { lines, other, none, total } = report;
  const pages = Math.max(1, Math.ceil(lines.length / PAGE_SIZE));
  const page = Math.min(query.page, pages);
  const rows: readonly Row[] = [
    ...lines
      .slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)
      .map(({ value, figures }) => ({ name: <Value text={value} />, figures })),
    ...(other === null
      ? []
      : [{ name: <LineName name={OTHER} has="all further values" />, figures: other }]),
    ...(none === null
      ? []
      : [{ name: <LineName name={NONE} has="sales without a value" />, figures: none }]),
  ];
  if (rows.length === 0) return <p class="empty">Nothing in this range.</p>;
  return (
    <>
      <Table
        isWide
        label={`Sales by ${query.field}`}
        columns={[{ name: query.field, cell: ({ name }: Row) => name }, ...COLUMNS]}
        rows={[...rows, { name: <strong>{TOTAL}</strong>, figures: total }]}
      />
      <PageLinks
        page={page}
        pages={pages}
        to={(other) => trackingAddress(query, { page: other })}
      />
    </>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'Sales', isNumber: true, cell: ({ figures }) => numberText(figures.sales) },
  { name: 'Gross', isNumber: true, cell: ({ figures }) => <Money cents={figures.gross} /> },
  {
    name: 'Refunds',
    isNumber: true,
    cell: ({ figures }) => numberText(figures.refunds.transactions),
  },
  {
    name: 'Chargebacks',
    isNumber: true,
    cell: ({ figures }) => numberText(figures.chargebacks.transactions),
  },
  {
    name: 'Net earnings',
    isNumber: true,
    cell: ({ figures }) => <Money cents={figures.earnings} />,
  },
];
