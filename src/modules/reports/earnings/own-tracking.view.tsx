import {
  EARNINGS_PATH,
  LIST_PATH,
  OWN_TRACKING_PATH,
  withQuery,
} from '../../../platform/pages/paths.js';
import { Empty } from '../../../platform/pages/ui/next-step.view.js';
import { type Order, SortChoice, sortedHead } from '../../../platform/pages/ui/sorting.view.js';
import type { Column } from '../../../platform/pages/ui/table.view.js';
import type { ReportKind } from '../lists/report-list.model.js';
import { FIELD_NAMES } from '../ranges/report-filter.js';
import { addressOf, type ReportQuery } from '../ranges/report-query.js';
import type { Figures } from '../report.model.js';
import {
  firstOrderOf,
  OWN_SORTS,
  type OwnSort,
  SORT_NAMES,
  sortedReport,
} from '../tracking/line-order.js';
import {
  barsOf,
  Bounds,
  type Line,
  LineName,
  linesOf,
  LineTable,
  REFUND_RATE,
  refundsTo,
  salesTo,
  sharesOf,
  Whole,
} from '../tracking/line-table.view.js';
import type { TrackingReport } from '../tracking/tracking-report.model.js';
import type { OwnTracking } from './own-tracking.model.js';

/** Query of the page: the range, the day of refunds and the vendor as in reports, and the order. */
export interface OwnTrackingPageQuery {
  readonly report: ReportQuery;
  readonly sort: OwnSort;
  readonly order: Order;
  /** Page number, starting at 1. */
  readonly page: number;
}

/** Returns the address of a page, which is the first one by default. */
function ownTrackingAddress({ report, sort, order }: OwnTrackingPageQuery, page = 1): string {
  const sorted = sort === 'commission' && order === 'desc' ? {} : { sort, order };
  const paged = page === 1 ? {} : { page: String(page) };
  return addressOf(OWN_TRACKING_PATH, report, { ...sorted, ...paged });
}

interface Shown {
  readonly query: OwnTrackingPageQuery;
  readonly tracking: OwnTracking;
}

const FIELD = 'tid';
const commissionOf = ({ commissions }: Figures) => commissions;

/** Shows what each tracking id of an affiliate earned. */
export function OwnLines({ query, tracking }: Shown) {
  const { searched_to, ...lines } = tracking;
  const report = sortedReport({ ...lines, mostValues: null }, query);
  if (linesOf(report).length === 0) return <NoSales {...query} />;
  return (
    <>
      <Whole field={FIELD} of="commission" sumOf={commissionOf} report={report} />
      {report.lines.length === 0 && <HowTo />}
      <LineTable
        label="My sales by tracking id"
        sorting={<SortForm {...query} />}
        columns={columnsOf(query, report)}
        report={report}
        page={query.page}
        to={(page) => ownTrackingAddress(query, page)}
      />
      {searched_to === null ? <Bounds report={report} /> : <Searched to={searched_to} />}
    </>
  );
}

/** Says how far the sales were read, if there are too many. */
function Searched({ to }: { readonly to: string }) {
  return <p class="hint">Searched as far as {to}. What older sales add is in “Other”.</p>;
}

/** Says how a link gets a tracking id. */
function HowTo() {
  return (
    <p class="hint">
      Add <code>tid</code> to the links that you share, such as{' '}
      <code>https://example.com/?tid=newsletter</code>: each sale then says which link it came from.{' '}
      <a href={EARNINGS_PATH}>Show the addresses of my sales pages</a>
    </p>
  );
}

function NoSales({ report, ...query }: OwnTrackingPageQuery) {
  const allTime = { ...query, report: { ...report, preset: 'all-time' as const } };
  return (
    <>
      {report.preset === 'all-time' ? (
        <Empty next={[EARNINGS_PATH, 'Go to My earnings']}>
          You refer no sales yet. What each of your tracking ids earned will be here.
        </Empty>
      ) : (
        <Empty next={[ownTrackingAddress(allTime), 'Show all time']}>
          No sales that you referred in this period.
        </Empty>
      )}
      <HowTo />
    </>
  );
}

function columnsOf(query: OwnTrackingPageQuery, report: TrackingReport): readonly Column<Line>[] {
  const behind = (kind: ReportKind) => (line: Line) => listAddress(query, line, kind);
  const columns: readonly (Column<Line> & { readonly sort: OwnSort | null })[] = [
    {
      sort: 'value',
      name: FIELD_NAMES[FIELD],
      cell: (line) => <LineName line={line} field={FIELD} />,
    },
    { sort: 'sales', ...salesTo(behind('sales')) },
    { sort: 'commission', ...barsOf('Commission', commissionOf, report) },
    { sort: null, ...sharesOf('commission', commissionOf, report) },
    { sort: 'refunds', ...refundsTo(behind('refunds')) },
    { sort: 'refund_rate', ...REFUND_RATE },
  ];
  return columns.map(({ sort, ...column }) => ({
    ...column,
    ...sortingOf(query, column.name, sort),
  }));
}

/** Links to the table in the order of a column; a second click reverses the order. */
function sortingOf(query: OwnTrackingPageQuery, name: string, sort: OwnSort | null) {
  if (sort === null) return {};
  return sortedHead<Line, OwnSort>(name, query, { sort, firstOrder: firstOrderOf(sort) }, (order) =>
    ownTrackingAddress({ ...query, sort, order }),
  );
}

/** Returns the address of the transactions of a line; undefined for lines without one value. */
function listAddress(
  { report }: OwnTrackingPageQuery,
  { line, value }: Line,
  kind: ReportKind,
): string | undefined {
  if (line === 'other' || line === 'none') return undefined;
  const ofValue = line === 'value' ? { [FIELD]: value } : {};
  return addressOf(LIST_PATH, { ...report, role: 'affiliate' }, { kind, ...ofValue });
}

/** Sorts the table on a screen that is too narrow for its header. */
function SortForm({ report, sort, order }: OwnTrackingPageQuery) {
  const [, kept] = addressOf(OWN_TRACKING_PATH, report).split('?');
  return (
    <SortChoice
      action={OWN_TRACKING_PATH}
      hidden={new Map(new URLSearchParams(kept))}
      columns={new Map(OWN_SORTS.map((each) => [each, SORT_NAMES[each]]))}
      sort={sort}
      order={order}
    />
  );
}

/** Returns the address of what the tracking ids earned with one vendor. */
export function trackingOfVendor(vendor_id: number): string {
  return withQuery(OWN_TRACKING_PATH, { range: 'all-time', partner: String(vendor_id) });
}
