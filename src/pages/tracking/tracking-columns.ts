import type { Column } from '../../common/columns.js';
import type { Figures } from '../../modules/reports/report.model.js';
import type { TrackingReport } from '../../modules/reports/tracking/tracking-report.model.js';

interface TrackingRow {
  readonly line: 'value' | 'other' | 'none';
  /** Empty if the line does not stand for a single value. */
  readonly value: string;
  readonly figures: Figures;
}

/**
 * Columns of the CSV file. The first one distinguishes a value from sales without a value and from
 * all other values together.
 */
export const TRACKING_COLUMNS: readonly Column<TrackingRow>[] = [
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

/** Returns the lines of the page, without the total. */
export function trackingRows({ lines, other, none }: TrackingReport): TrackingRow[] {
  const rows = lines.map(({ value, figures }): TrackingRow => ({ line: 'value', value, figures }));
  if (other !== null) rows.push({ line: 'other', value: '', figures: other });
  if (none !== null) rows.push({ line: 'none', value: '', figures: none });
  return rows;
}
