import type { Figures, Report } from '../../modules/reports/report.model.js';
import { formatCents } from '../../common/money.js';
import { Table, type Column } from '../ui/table.view.js';
import { Money, numberText } from './figures.view.js';
import type { Role } from './report-query.js';

export const CHART_SCRIPTS = ['chart.js', 'report-chart.js'] as const;

/** A chart, drawn by a script from the data table below it, which also serves screen readers. */
export function Chart({ report, role }: { readonly report: Report; readonly role: Role }) {
  const net = role === 'vendor' ? 'Net earnings' : 'My commissions';
  return (
    <section class="card" aria-labelledby="chart-title">
      <h2 id="chart-title">
        Gross and {net.toLowerCase()} by {report.by}
      </h2>
      <div class="chart">
        <canvas
          data-chart="periods"
          role="img"
          aria-label={`Bars of the gross and a line of the ${net.toLowerCase()}; the table below has the numbers.`}
        />
      </div>
      <details>
        <summary>Data table</summary>
        <Table
          id="periods"
          label="Data table"
          columns={columnsOf(role, net)}
          rows={report.periods}
        />
      </details>
    </section>
  );
}

function columnsOf(role: Role, net: string): Column<Report['periods'][number]>[] {
  const netOf = ({ earnings, commissions }: Figures) =>
    role === 'vendor' ? earnings : commissions;
  return [
    { name: 'From', cell: ({ start_date }) => start_date },
    { name: 'Sales', isNumber: true, cell: ({ figures }) => numberText(figures.sales) },
    {
      ...{ name: 'Gross', isNumber: true },
      cell: ({ figures: { gross } }) => (
        <span data-gross={formatCents(gross)}>
          <Money cents={gross} />
        </span>
      ),
    },
    {
      ...{ name: 'Refunds', isNumber: true },
      cell: ({ figures }) => numberText(figures.refunds.transactions),
    },
    {
      ...{ name: net, isNumber: true },
      cell: ({ figures }) => (
        <span data-net={formatCents(netOf(figures))}>
          <Money cents={netOf(figures)} />
        </span>
      ),
    },
  ];
}
