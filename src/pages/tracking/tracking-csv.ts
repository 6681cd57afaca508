import { BYTE_ORDER_MARK, csvRecord, type Cell } from '../../common/csv.js';
import { formatCents } from '../../common/money.js';
import type { Figures } from '../../modules/reports/report.model.js';
import type { TrackingReport } from '../../modules/reports/tracking/tracking-report.model.js';

/** The first column tells a value from what has none, and from all others together. */
const COLUMNS = ['line', 'value', 'sales', 'gross', 'refunds', 'chargebacks', 'net_earnings'];

/** The lines of the page, without the total. */
export function trackingCsv({ lines, other, none }: TrackingReport): string {
  return [
    BYTE_ORDER_MARK + csvRecord(COLUMNS.map((value) => ({ value }))),
    ...lines.map(({ value, figures }) => csvRecord(cellsOf('value', value, figures))),
    ...(other === null ? [] : [csvRecord(cellsOf('other', '', other))]),
    ...(none === null ? [] : [csvRecord(cellsOf('none', '', none))]),
  ].join('');
}

function cellsOf(line: string, text: string, figures: Figures): Cell[] {
  const { sales, gross, refunds, chargebacks, earnings } = figures;
  return [
    ...[{ value: line }, { text }, { value: sales }, { value: formatCents(gross) }],
    ...[{ value: refunds.transactions }, { value: chargebacks.transactions }],
    { value: formatCents(earnings) },
  ];
}
