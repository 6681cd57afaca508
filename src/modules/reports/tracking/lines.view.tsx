import type { Figures } from '../report.model.js';
import { addressOf, type ReportQuery } from '../ranges/report-query.js';
import { isTrackedField, type ValueField } from '../figures/figure.model.js';
import type { ReportKind } from '../lists/report-list.model.js';
import { LIST_PATH, REPORTS_PATH, TRACKING_PATH } from '../../../platform/pages/paths.js';
import { Empty } from '../../../platform/pages/ui/next-step.view.js';
import { type Order, SortChoice, sortedHead } from '../../../platform/pages/ui/sorting.view.js';
import { amounts, counts, linked, type Column } from '../../../platform/pages/ui/table.view.js';
import { FIELD_NAMES } from '../ranges/report-filter.js';
import { firstOrderOf, LINE_SORTS, type LineSort, SORT_NAMES } from './line-order.js';
import {
  barsOf,
  type Line,
  LineName,
  linesOf,
  LineTable,
  REFUND_RATE,
  refundsTo,
  salesTo,
  sharesOf,
} from './line-table.view.js';
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

/** Returns the address of a page, which is the first one by default. */
export function trackingAddress(
  { report, field, sort, order }: TrackingQuery,
  { path = TRACKING_PATH, page = 1 }: { readonly path?: string; readonly page?: number } = {},
): string {
  const sorted = sort === 'gross' && order === 'desc' ? {} : { sort, order };
  const paged = page === 1 ? {} : { page: String(page) };
  return addressOf(path, report, { field, ...sorted, ...paged });
}

export interface Shown {
  readonly query: TrackingQuery;
  readonly report: TrackingReport;
}

/** Shows a page of values. All other values together and the total are on each page. */
export function Lines({ query, report }: Shown) {
  if (linesOf(report).length === 0) {
    const allTime = { ...query, report: { ...query.report, preset: 'all-time' as const } };
    return (
      <Empty next={[trackingAddress(allTime), 'Show all time']}>No sales in this period.</Empty>
    );
  }
  return (
    <LineTable
      label={`Sales by ${FIELD_NAMES[query.field].toLowerCase()}`}
      sorting={<SortForm {...query} />}
      columns={columnsOf(query, report).map((column) => ({
        ...column,
        ...sortingOf(query, column),
      }))}
      report={report}
      page={query.page}
      to={(page) => trackingAddress(query, { page })}
    />
  );
}

/** Shows a value with a link to its report, or to its sales if a report cannot be narrowed so. */
function LinkedName({ query, line }: { readonly query: TrackingQuery; readonly line: Line }) {
  const name = <LineName line={line} field={query.field} />;
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

/** A column sorts the table, unless it follows from another one. */
type LineColumn = Column<Line> & { readonly sort: LineSort | null };

export const grossOf = ({ gross }: Figures) => gross;

function columnsOf(query: TrackingQuery, report: TrackingReport): readonly LineColumn[] {
  const behind = (kind: ReportKind) => (line: Line) => listAddress(query, line, kind);
  return [
    {
      sort: 'value',
      name: FIELD_NAMES[query.field],
      cell: (line) => <LinkedName query={query} line={line} />,
    },
    { sort: 'sales', ...salesTo(behind('sales')) },
    { sort: 'gross', ...barsOf('Gross', grossOf, report) },
    { sort: null, ...sharesOf('gross', grossOf, report) },
    { sort: 'refunds', ...refundsTo(behind('refunds')) },
    { sort: 'refund_rate', ...REFUND_RATE },
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
