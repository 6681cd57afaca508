import { useContext } from 'preact/hooks';
import {
  MAX_PERIODS,
  type Comparison,
  type Figures,
  type Period,
  type PeriodStep,
  type Report,
} from '../../modules/reports/report.model.js';
import { formatCents } from '../../common/money.js';
import { Currency, currencyAround } from '../ui/currency.js';
import { Table, type Column } from '../ui/table.view.js';
import { Money, numberText } from './figures.view.js';
import { periodText } from './period-text.js';
import type { Role } from './report-query.js';

export const CHART_SCRIPTS = ['chart.js', 'report-chart.js'] as const;

const COMPARED_WORDS: Readonly<Record<Comparison, string>> = {
  none: '',
  previous: 'previous period',
  year: 'previous year',
};
/** Next finer step, which had too many periods. */
const FINER: Readonly<Record<PeriodStep, string>> = {
  day: 'day',
  week: 'day',
  month: 'week',
  year: 'month',
};

interface Shown {
  readonly report: Pick<Report, 'by' | 'periods' | 'compared'>;
  readonly role: Role;
  readonly comparison: Comparison;
  /** True if the report has a longer step than requested. */
  readonly isCoarser: boolean;
}

/** A period with the corresponding period of the compared range. */
interface Row extends Period {
  readonly compared: Period | undefined;
}

/**
 * Shows a chart that a script draws from the data table below it; the table also serves screen
 * readers.
 */
export function Chart({ report, role, comparison, isCoarser }: Shown) {
  const { by, periods, compared } = report;
  const net = role === 'vendor' ? 'Net earnings' : 'My commissions';
  const { before, after } = currencyAround(useContext(Currency));
  const rows = periods.map((period, at) => ({ ...period, compared: compared?.periods[at] }));
  const dashed =
    compared === null ? '' : `, beside them those of the ${COMPARED_WORDS[comparison]}`;
  return (
    <section class="card" aria-labelledby="chart-title">
      <h2 id="chart-title">
        Gross and {net.toLowerCase()} by {by}
      </h2>
      {isCoarser && (
        <p>
          Shown by {by}, because by {FINER[by]} would be more than {MAX_PERIODS} periods.
        </p>
      )}
      <div class="chart">
        <canvas
          data-chart="periods"
          data-before={before}
          data-after={after}
          data-compared={compared === null ? undefined : COMPARED_WORDS[comparison]}
          role="img"
          aria-label={`Bars of the gross and a line of the ${net.toLowerCase()}${dashed}; the table below has the numbers.`}
        />
      </div>
      <details>
        <summary>Data table</summary>
        <Table
          id="periods"
          label="Data table"
          isWide={compared !== null}
          columns={[
            ...columnsOf(by, net, role),
            ...(compared === null ? [] : comparedColumns(by, net, role)),
          ]}
          rows={rows}
        />
      </details>
    </section>
  );
}

function columnsOf(by: PeriodStep, net: string, role: Role): Column<Row>[] {
  return [
    { name: 'From', cell: ({ start_date }) => periodText(start_date, by) },
    { name: 'Sales', isNumber: true, cell: ({ figures }) => numberText(figures.sales) },
    {
      name: 'Gross',
      isNumber: true,
      cell: ({ figures: { gross } }) => (
        <span data-gross={formatCents(gross)}>
          <Money cents={gross} />
        </span>
      ),
    },
    {
      name: 'Refunds',
      isNumber: true,
      cell: ({ figures }) => numberText(figures.refunds.transactions),
    },
    {
      name: net,
      isNumber: true,
      cell: ({ figures }) => (
        <span data-net={formatCents(netOf(figures, role))}>
          <Money cents={netOf(figures, role)} />
        </span>
      ),
    },
  ];
}

function comparedColumns(by: PeriodStep, net: string, role: Role): Column<Row>[] {
  return [
    {
      name: 'Compared with',
      cell: ({ compared }) => (
        <span data-period>{compared ? periodText(compared.start_date, by) : '–'}</span>
      ),
    },
    {
      name: 'Gross there',
      isNumber: true,
      cell: ({ compared }) =>
        compared ? (
          <span data-compared-gross={formatCents(compared.figures.gross)}>
            <Money cents={compared.figures.gross} />
          </span>
        ) : (
          '–'
        ),
    },
    {
      name: `${net} there`,
      isNumber: true,
      cell: ({ compared }) =>
        compared ? (
          <span data-compared-net={formatCents(netOf(compared.figures, role))}>
            <Money cents={netOf(compared.figures, role)} />
          </span>
        ) : (
          '–'
        ),
    },
  ];
}

function netOf({ earnings, commissions }: Figures, role: Role): bigint {
  return role === 'vendor' ? earnings : commissions;
}
