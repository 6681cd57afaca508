import {
  UNPAID_AGES,
  type AffiliateFigures,
  type Sort,
  type UnpaidAge,
} from '../../modules/reports/affiliates/affiliate-figures.model.js';
import type { DayRange } from '../../modules/reports/report.model.js';
import type { ReportsService } from '../../modules/reports/reports.service.js';
import { rangeFor, reportQueryOf, type ReportQuery } from '../range/report-query.js';
import type { SignedInVisit, Visit } from '../session/visit.js';
import { amounts, counts, numbers, type Column } from '../ui/table.view.js';
import { numberText, percentText } from '../ui/values.view.js';

/** A column that the table can be sorted by. */
type FigureColumn = Column<{ readonly figures: AffiliateFigures }> & { readonly sort: Sort };

/** Names of the ages of unpaid commissions. Word joiners prevent a line break at the dash. */
export const AGE_NAMES: Readonly<Record<UnpaidAge, string>> = {
  '0-30': '0\u2060–\u206030 days',
  '31-60': '31\u2060–\u206060 days',
  '61-90': '61\u2060–\u206090 days',
  'over-90': 'over 90 days',
};

/** Text in place of an unknown figure. */
const NOT_KNOWN = '–';
export const rateText = (rate: bigint | null) => (rate === null ? NOT_KNOWN : percentText(rate));
export const clicksText = (count: number | null) =>
  count === null ? NOT_KNOWN : numberText(count);

/** Columns with the figures of an affiliate, in the order of the table. */
export const FIGURE_COLUMNS: readonly FigureColumn[] = [
  { sort: 'sales', ...counts('Sales', ({ figures }) => figures.sales) },
  { sort: 'gross', ...amounts('Gross', ({ figures }) => figures.gross) },
  { sort: 'commission', ...amounts('Commission', ({ figures }) => figures.commission) },
  {
    sort: 'refund_rate',
    ...numbers('Refund rate', ({ figures }) => rateText(figures.refund_rate)),
  },
  {
    sort: 'chargeback_rate',
    ...numbers('Chargeback rate', ({ figures }) => rateText(figures.chargeback_rate)),
  },
  { sort: 'clicks', ...numbers('Clicks', ({ figures }) => clicksText(figures.clicks)) },
  {
    sort: 'unique_clicks',
    ...numbers('Unique clicks', ({ figures }) => clicksText(figures.unique_clicks)),
  },
  { sort: 'conversion', ...numbers('Conversion', ({ figures }) => rateText(figures.conversion)) },
  ...UNPAID_AGES.map((age) => ({
    sort: age,
    ...amounts(
      `Unpaid ${AGE_NAMES[age]}`,
      ({ figures }: { readonly figures: AffiliateFigures }) => figures.unpaid[age],
    ),
  })),
];

/**
 * Reads only the range and the day on which refunds count, because these pages are a vendor's and
 * show months.
 */
export function rangeQueryOf(visit: Visit): ReportQuery {
  return { ...reportQueryOf(visit), by: null, role: null };
}

export function requestOf({ user }: SignedInVisit, { attribution }: ReportQuery, range: DayRange) {
  return { vendor_id: user.id, ...range, attribution };
}

/** Returns the range in the query; null if the input is not a valid range. */
export function vendorRange(reports: ReportsService, query: ReportQuery, { user }: SignedInVisit) {
  return rangeFor(reports, query, { role: 'vendor', user_id: user.id });
}

/** Explains what unpaid commissions are. */
export function UnpaidNote() {
  return (
    <p>
      Unpaid commissions are as of today, whatever the range: commissions with the status unpaid,
      after refunds and chargebacks, by the days since the sale. Pending sales are left out.
    </p>
  );
}
