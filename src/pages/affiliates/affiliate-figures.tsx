import type { ComponentChildren } from 'preact';
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
import { Money, numberText, percentText } from '../ui/values.view.js';

interface FigureColumn {
  readonly sort: Exclude<Sort, 'name'>;
  readonly name: string;
  readonly cell: (figures: AffiliateFigures) => ComponentChildren;
}

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
  { sort: 'sales', name: 'Sales', cell: ({ sales }) => numberText(sales) },
  { sort: 'gross', name: 'Gross', cell: ({ gross }) => <Money cents={gross} /> },
  {
    sort: 'commission',
    name: 'Commission',
    cell: ({ commission }) => <Money cents={commission} />,
  },
  { sort: 'refund_rate', name: 'Refund rate', cell: ({ refund_rate }) => rateText(refund_rate) },
  {
    sort: 'chargeback_rate',
    name: 'Chargeback rate',
    cell: ({ chargeback_rate }) => rateText(chargeback_rate),
  },
  { sort: 'clicks', name: 'Clicks', cell: ({ clicks }) => clicksText(clicks) },
  {
    sort: 'unique_clicks',
    name: 'Unique clicks',
    cell: ({ unique_clicks }) => clicksText(unique_clicks),
  },
  { sort: 'conversion', name: 'Conversion', cell: ({ conversion }) => rateText(conversion) },
  ...UNPAID_AGES.map((age) => ({
    sort: age,
    name: `Unpaid ${AGE_NAMES[age]}`,
    cell: ({ unpaid }: AffiliateFigures) => <Money cents={unpaid[age]} />,
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
