import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { formatCents } from '../../../platform/values/money.js';
import { todayInUtc } from '../../../platform/values/time.js';
import {
  type Compared,
  type Comparison,
  type DayRange,
  type Figures,
  MAX_PERIODS,
  type Period,
  PERIOD_STEPS,
  type PeriodStep,
  type Report,
} from '../report.model.js';
import { type Column, numbers, Table } from '../../../platform/pages/ui/table.view.js';
import {
  Currency,
  currencyAround,
  Money,
  numberText,
} from '../../../platform/pages/ui/values.view.js';
import { dayText, monthText } from '../../../platform/pages/ui/day-text.js';
import type { Role } from './report-query.js';

export const CHART_SCRIPTS = ['chart.js', 'report-chart.js'] as const;

export const COMPARISON_NAMES: Readonly<Record<Comparison, string>> = {
  none: 'Nothing',
  previous: 'Previous period',
  year: 'Previous year',
};

/** The share of the viewer or of an affiliate, which the chart shows first. */
export interface Kept {
  readonly name: string;
  /** Returns the share in cents. */
  readonly of: (figures: Figures) => bigint;
}
const KEPT: Readonly<Record<Role, Kept>> = {
  vendor: { name: 'Net earnings', of: ({ earnings }) => earnings },
  affiliate: { name: 'My commissions', of: ({ commissions }) => commissions },
};

interface Shown {
  readonly report: Pick<Report, 'by' | 'periods'> & {
    readonly compared: Pick<Compared, 'periods'> | null;
  };
  readonly role: Role;
  /** The share that the chart shows first; that of the role by default. */
  readonly kept?: Kept;
  /** True for a chart of half the usual height, and of less if it has few bars. */
  readonly isLow?: boolean;
  readonly comparison: Comparison;
  /** True if the report has a longer step than requested. */
  readonly isCoarser: boolean;
  /** Returns the address of the transactions of some days. */
  readonly behind: (days: DayRange) => string;
  /** Text above the chart. */
  readonly children?: ComponentChildren;
}

/** A low chart with up to this many bars is lower. */
const FEW_BARS = 6;

/** Figures that the chart can show, one at a time; the first is that which the viewer keeps. */
const METRICS = ['net', 'gross', 'sales', 'refunds'] as const;

/** A period with the corresponding period of the compared range. */
type Row = Period & { readonly compared: Period | undefined };

/**
 * Shows a chart that a script draws from the data table below it; the table also serves screen
 * readers.
 */
export function Chart({ report, role, kept = KEPT[role], isLow = false, ...shown }: Shown) {
  const { comparison, isCoarser, behind, children } = shown;
  const { by, periods, compared } = report;
  const net = kept.name;
  const { before, after } = currencyAround(useContext(Currency));
  const rows = periods.map((period, at) => ({ ...period, compared: compared?.periods[at] }));
  // The finer step had too many periods.
  const finer = PERIOD_STEPS[PERIOD_STEPS.indexOf(by) - 1];
  const comparedWords = COMPARISON_NAMES[comparison].toLowerCase();
  const bars = periods.filter(({ figures }) => kept.of(figures) !== 0n).length;
  const size = bars > FEW_BARS ? 'chart low' : 'chart low few';
  const beside = compared === null ? '' : `, beside them those of the ${comparedWords}`;
  return (
    <section class="card" aria-labelledby="chart-title">
      <div class="chart-head">
        <h2 id="chart-title">
          <span data-metric-name>{net}</span> by {by}
        </h2>
        <Metric net={net} />
      </div>
      {children}
      {isCoarser && (
        <p>
          Shown by {by}, because by {finer} would be more than {MAX_PERIODS} periods.
        </p>
      )}
      <div class={isLow ? size : 'chart'}>
        <canvas
          data-chart="periods"
          data-before={before}
          data-after={after}
          data-compared={compared === null ? undefined : comparedWords}
          role="img"
          aria-label={`Bars of one figure by ${by}${beside}; the table below has the numbers.`}
        />
      </div>
      <details>
        <summary>Data table</summary>
        <Table
          id="periods"
          label="Data table"
          columns={[
            ...columnsOf(by, kept, behind),
            ...(compared === null ? [] : comparedColumns(by, kept)),
          ]}
          rows={rows}
        />
      </details>
    </section>
  );
}

/** Chooses what the chart shows, in place of the name in its title. The script shows it. */
function Metric({ net }: { readonly net: string }) {
  const names = { net, gross: 'Gross', sales: 'Sales', refunds: 'Refunds' } as const;
  return (
    <label class="chart-metric no-print" hidden>
      <span class="unseen">Show</span>
      <select data-metric>
        {METRICS.map((metric) => (
          <option value={metric}>{names[metric]}</option>
        ))}
      </select>
    </label>
  );
}

function columnsOf(by: PeriodStep, kept: Kept, behind: Shown['behind']): Column<Row>[] {
  const today = todayInUtc();
  return [
    {
      name: 'From',
      cell: (period) => (
        <>
          <a data-name href={behind(period)}>
            {periodText(period.start_date, by)}
          </a>
          {period.end_date >= today && (
            <span class="aside" data-unfinished>
              {' '}
              so far
            </span>
          )}
        </>
      ),
    },
    numbers('Sales', ({ figures }) => <Counted as="data-sales" count={figures.sales} />),
    numbers('Gross', ({ figures }) => <Drawn as="data-gross" cents={figures.gross} />),
    numbers('Refunds', ({ figures }) => (
      <Counted as="data-refunds" count={figures.refunds.transactions} />
    )),
    {
      ...numbers<Row>(kept.name, ({ figures }) => <Drawn as="data-net" cents={kept.of(figures)} />),
      narrow: 'main',
    },
  ];
}

function comparedColumns(by: PeriodStep, kept: Kept): Column<Row>[] {
  return [
    {
      name: 'Compared with',
      cell: ({ compared }) => (
        <span
          data-period
          data-compared-sales={compared?.figures.sales}
          data-compared-refunds={compared?.figures.refunds.transactions}
        >
          {compared ? periodText(compared.start_date, by) : '–'}
        </span>
      ),
    },
    numbers('Gross there', ({ compared }) => (
      <Drawn as="data-compared-gross" cents={compared?.figures.gross} />
    )),
    numbers(`${kept.name} there`, ({ compared }) => (
      <Drawn as="data-compared-net" cents={compared && kept.of(compared.figures)} />
    )),
  ];
}

/** Shows a number that the script draws. */
function Counted({ as, count }: { readonly as: string; readonly count: number }) {
  const value = { [as]: count };
  return <span {...value}>{numberText(count)}</span>;
}

/** Shows an amount that the script draws. */
function Drawn({ as, cents }: { readonly as: string; readonly cents: bigint | undefined }) {
  if (cents === undefined) return <>–</>;
  const value = { [as]: formatCents(cents) };
  return (
    <span {...value}>
      <Money cents={cents} />
    </span>
  );
}

/** Names a period by its first day: `Oct 2025` or `2025`, or the day itself for a day or a week. */
function periodText(start_date: string, by: PeriodStep): string {
  if (by === 'month') return monthText(start_date);
  return by === 'year' ? start_date.slice(0, 4) : dayText(start_date);
}
