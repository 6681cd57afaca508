import type { Figures } from '../report.model.js';
import { addressOf, type ReportQuery } from '../ranges/report-query.js';
import { isTrackedField, type ValueField } from '../figures/figure.model.js';
import type { ReportKind } from '../lists/report-list.model.js';
import { LIST_PATH, REPORTS_PATH, TRACKING_PATH } from '../../../platform/pages/paths.js';
import { PageLinks } from '../../../platform/pages/ui/facts.view.js';
import { Share } from '../../../platform/pages/ui/figures.view.js';
import { Empty } from '../../../platform/pages/ui/next-step.view.js';
import { type Order, SortChoice, sortedHead } from '../../../platform/pages/ui/sorting.view.js';
import {
  amounts,
  counts,
  linked,
  numbers,
  Table,
  type Column,
} from '../../../platform/pages/ui/table.view.js';
import {
  countText,
  Money,
  numberText,
  percentText,
} from '../../../platform/pages/ui/values.view.js';
import { formatDecimal, quotient } from '../../../platform/values/money.js';
import { FIELD_NAMES } from '../ranges/report-filter.js';
import { firstOrderOf, LINE_SORTS, type LineSort } from './line-order.js';
import type { TrackingReport } from './tracking-report.model.js';

/** Query of the page: the range and the day of refunds as in reports, and the tracking field. */
export interface TrackingQuery {
  readonly report: ReportQuery;
  readonly field: ValueField;
  readonly sort: LineSort;
  readonly order: Order;
  /** Page number, starting at 1. */
  readonly page: number;
}

/** Number of lines on a page. Rendering more would take longer than adding up the sums. */
const PAGE_SIZE = 100;

/** A line of the table and of the CSV file. */
export interface Line {
  readonly line: 'value' | 'other' | 'none' | 'total';
  /** Empty if the line does not stand for a single value. */
  readonly value: string;
  readonly figures: Figures;
}

/** Returns the address of a page, which is the first one by default. */
export function trackingAddress(
  { report, field, sort, order }: TrackingQuery,
  { path = TRACKING_PATH, page = 1 }: { readonly path?: string; readonly page?: number } = {},
): string {
  const sorted = sort === 'gross' && order === 'desc' ? {} : { sort, order };
  const paged = page === 1 ? {} : { page: String(page) };
  return addressOf(path, report, { field, ...sorted, ...paged });
}

/** Returns the lines of the values, then those of all other sales, without the total. */
export function linesOf({ lines, other, none }: TrackingReport): Line[] {
  const rows = lines.map(({ value, figures }): Line => ({ line: 'value', value, figures }));
  if (other !== null) rows.push({ line: 'other', value: '', figures: other });
  if (none !== null) rows.push({ line: 'none', value: '', figures: none });
  return rows;
}

export interface Shown {
  readonly query: TrackingQuery;
  readonly report: TrackingReport;
}

/** Shows a page of values. All other values together and the total are on each page. */
export function Lines({ query, report }: Shown) {
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
        label={`Sales by ${FIELD_NAMES[query.field].toLowerCase()}`}
        sorting={<SortForm {...query} />}
        columns={columnsOf(query, report).map((column) => ({
          ...column,
          ...sortingOf(query, column),
        }))}
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

/** Names of lines that do not stand for a single value. */
export const NAMES = { other: 'Other', total: 'Total' } as const;

/** Names the line of the sales without a value, such as `No source`. */
function noneName(field: ValueField): string {
  return `No ${FIELD_NAMES[field].toLowerCase()}`;
}

/**
 * Shows the value or the name of a line. A value is in quotation marks if it begins or ends with a
 * space, since values can differ only in spaces, or if it is written like the name of another line.
 */
function Name({
  line: { line, value },
  field,
}: {
  readonly line: Line;
  readonly field: ValueField;
}) {
  if (line === 'total') return <strong>{NAMES.total}</strong>;
  if (line === 'none') return <em>{noneName(field)}</em>;
  if (line === 'other') {
    return (
      <em>
        {NAMES.other}
        <span class="unseen">: all further values</span>
      </em>
    );
  }
  const names: readonly string[] = [...Object.values(NAMES), noneName(field)];
  const isQuoted = /^\s|\s$/.test(value) || names.includes(value);
  return <span class="verbatim">{isQuoted ? <>“{value}”</> : value}</span>;
}

/** Shows a value with a link to its report, or to its sales if a report cannot be narrowed so. */
function LinkedName({ query, line }: { readonly query: TrackingQuery; readonly line: Line }) {
  const name = <Name line={line} field={query.field} />;
  return line.line === 'value' ? <a href={valueAddress(query, line)}>{name}</a> : name;
}

function valueAddress(query: TrackingQuery, line: Line): string {
  const { field, report } = query;
  if (!isTrackedField(field) || Object.keys(report.filter).length > 0) {
    return listAddress(query, line, 'all') ?? TRACKING_PATH;
  }
  return addressOf(REPORTS_PATH, report, { [field]: line.value });
}

/** Returns the address of the transactions of a line; undefined for lines without one value. */
function listAddress(
  { field, report }: TrackingQuery,
  { line, value }: Line,
  kind: ReportKind,
): string | undefined {
  if (line === 'other' || line === 'none') return undefined;
  const ofValue = line === 'value' ? { [field]: value } : {};
  return addressOf(LIST_PATH, { ...report, role: 'vendor' }, { kind, ...ofValue });
}

/** Shows a gross as a part of the highest one; the total is no part. */
function Gross({ line, most }: { readonly line: Line; readonly most: bigint }) {
  const { gross } = line.figures;
  if (gross === 0n) return <>–</>;
  const amount = <Money cents={gross} />;
  if (line.line === 'total') return amount;
  return (
    <Share part={gross} whole={most}>
      {amount}
    </Share>
  );
}

/** Says what the lines add up to. */
export function Whole({ query: { field }, report: { lines, other, none, total } }: Shown) {
  if (total.sales === 0) return null;
  // A value that was only refunded in the period has no line.
  const isCut = other !== null && other.sales > 0;
  const name = FIELD_NAMES[field].toLowerCase();
  const without = none?.sales ?? 0;
  return (
    <p class="lead">
      <Money cents={total.gross} /> gross from {countText(total.sales, 'sale')}:{' '}
      {isCut ? `more than ${numberText(lines.length)} ${name}s` : countText(lines.length, name)}
      {without > 0 && `, and ${countText(without, 'sale')} without one`}.
    </p>
  );
}

/** A column sorts the table, unless it follows from another one. */
type LineColumn = Column<Line> & { readonly sort: LineSort | null };

function shareText(part: bigint, whole: bigint): string {
  const tenths = quotient(part * 1_000n, whole);
  return `${numberText(formatDecimal(tenths, 1))}%`;
}

/** Returns the column with the share of each line of the whole gross. */
function shareOf({ gross: whole }: Figures): LineColumn {
  const isNothing = ({ figures }: Line) => figures.gross === 0n || whole === 0n;
  return {
    sort: null,
    ...numbers<Line>('Share', (line) =>
      isNothing(line) ? '–' : shareText(line.figures.gross, whole),
    ),
    narrow: 'fact',
    shortName: 'of gross',
    // A narrow screen leaves it out where it is the whole.
    isZero: (line) => line.line === 'total' || isNothing(line),
  };
}

function columnsOf(query: TrackingQuery, report: TrackingReport): readonly LineColumn[] {
  const grosses = linesOf(report).map(({ figures }) => figures.gross);
  const most = grosses.reduce((high, gross) => (gross > high ? gross : high), 0n);
  const behind = (kind: ReportKind) => (line: Line) => listAddress(query, line, kind);
  return [
    {
      sort: 'value',
      name: FIELD_NAMES[query.field],
      cell: (line) => <LinkedName query={query} line={line} />,
    },
    {
      sort: 'sales',
      narrow: 'fact',
      ...linked(
        counts('Sales', ({ figures }) => figures.sales),
        behind('sales'),
      ),
    },
    {
      sort: 'gross',
      ...amounts('Gross', ({ figures }: Line) => figures.gross),
      cell: (line) => <Gross line={line} most={most} />,
    },
    shareOf(report.total),
    {
      sort: 'refunds',
      ...linked(
        counts('Refunds', ({ figures }) => figures.refunds.transactions),
        behind('refunds'),
      ),
    },
    {
      sort: 'refund_rate',
      narrow: 'fact',
      shortName: 'refunded',
      ...numbers('Refund rate', ({ figures }: Line) =>
        figures.sales === 0 ? '–' : percentText(figures.refund_rate),
      ),
      isZero: ({ figures }) => figures.refund_rate === 0n,
    },
    {
      sort: 'chargebacks',
      ...linked(
        counts('Chargebacks', ({ figures }) => figures.chargebacks.transactions),
        behind('chargebacks'),
      ),
    },
    {
      sort: 'net',
      narrow: 'fact',
      shortName: 'net',
      ...amounts('Net earnings', ({ figures }) => figures.earnings),
    },
  ];
}

/** Links to the table in the order of a column; a second click reverses the order. */
function sortingOf(query: TrackingQuery, { sort, name }: LineColumn) {
  if (sort === null) return {};
  return sortedHead(name, query, { sort, firstOrder: firstOrderOf(sort) }, (order) =>
    trackingAddress({ ...query, sort, order }),
  );
}

/** Sorts the table on a screen that is too narrow for its header. */
function SortForm({ report, field, sort, order }: TrackingQuery) {
  const [, kept] = addressOf(TRACKING_PATH, report, { field }).split('?');
  return (
    <SortChoice
      action={TRACKING_PATH}
      hidden={new Map(new URLSearchParams(kept))}
      columns={new Map(LINE_SORTS.map((each) => [each, SORT_NAMES[each]]))}
      sort={sort}
      order={order}
    />
  );
}

const SORT_NAMES: Readonly<Record<LineSort, string>> = {
  value: 'Value',
  sales: 'Sales',
  gross: 'Gross',
  refunds: 'Refunds',
  refund_rate: 'Refund rate',
  chargebacks: 'Chargebacks',
  net: 'Net earnings',
};
