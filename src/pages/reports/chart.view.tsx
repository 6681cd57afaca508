import type { Report } from '../../modules/reports/report.model.js';
import { formatCents } from '../../common/money.js';
import { Scroll } from '../shell/scroll.view.js';
import { Money, numberText } from './figures.view.js';
import type { Role } from './report-query.js';

/** What a page with a chart loads. */
export const CHART_SCRIPTS = ['chart.js', 'report-chart.js'] as const;

/**
 * The periods of a report, drawn from the table below the drawing: who can't see the one reads the
 * other, and nothing is told twice.
 */
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
        <summary>The numbers of the chart</summary>
        <Scroll label="The numbers of the chart">
          <table id="periods">
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">Sales</th>
                <th scope="col">Gross</th>
                <th scope="col">Refunds</th>
                <th scope="col">{net}</th>
              </tr>
            </thead>
            <tbody>
              {report.periods.map(({ start_date, figures }) => {
                const { sales, gross, refunds, earnings, commissions } = figures;
                const cents = role === 'vendor' ? earnings : commissions;
                return (
                  <tr>
                    <th scope="row">{start_date}</th>
                    <td>{numberText(sales)}</td>
                    <td data-gross={formatCents(gross)}>
                      <Money cents={gross} />
                    </td>
                    <td>{numberText(refunds.transactions)}</td>
                    <td data-net={formatCents(cents)}>
                      <Money cents={cents} />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </Scroll>
      </details>
    </section>
  );
}
