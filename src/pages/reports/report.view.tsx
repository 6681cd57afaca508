import type {
  DayRange,
  Figures,
  PeriodStep,
  Report,
  TopItem,
} from '../../modules/reports/report.model.js';
import type { Page } from '../http/page-answer.js';
import type { FormProblem } from '../ui/form.view.js';
import { Table } from '../ui/table.view.js';
import { Chart, CHART_SCRIPTS } from './chart.view.js';
import { COHORTS_PATH } from './cohorts/cohort-query.js';
import { Downloads, downloadsOf } from './downloads.view.js';
import { Money, numberText } from './figures.view.js';
import { KeyFigures, type Behind } from './key-figures.view.js';
import { ReportForm } from './report-form.view.js';
import { addressOf, type ReportQuery, type Role } from './report-query.js';

const LIST = '/account/reports/transactions';

export interface ShownReport {
  readonly query: ReportQuery;
  readonly role: Role;
  readonly range: DayRange;
  /** Requested step. */
  readonly by: PeriodStep;
  readonly report: Report;
}

export function reportPage(shown: ShownReport): Page {
  const { query, role, range, by, report } = shown;
  const { start_date, end_date } = range;
  const isEmpty = hasNothing(report.figures);
  const hasChart = !isEmpty && report.periods.length > 0;
  return {
    kind: 'page',
    title: 'Reports',
    isWide: true,
    scripts: hasChart ? CHART_SCRIPTS : [],
    view: (
      <>
        <h1>Reports</h1>
        <ReportForm query={query} role={role} from={start_date} to={end_date} by={report.by} />
        <p>
          Whole days in UTC, from <strong>{start_date}</strong> through <strong>{end_date}</strong>.
          Refunds and chargebacks count on the day of the{' '}
          {query.attribution === 'sale' ? 'sale' : 'refund'}.
          <ComparedWith compared={report.compared} />
        </p>
        {isEmpty && <EmptyRange query={query} role={role} />}
        <KeyFigures
          role={role}
          behind={behindOf(shown)}
          figures={report.figures}
          compared={report.compared?.figures ?? null}
        />
        {hasChart && (
          <Chart
            report={report}
            role={role}
            comparison={query.comparison}
            isCoarser={by !== report.by}
          />
        )}
        {!isEmpty && <Tops {...shown} />}
        <p class="no-print">
          <a class="button quiet" href={behindOf(shown)('all')}>
            All transactions in this range
          </a>
          <Downloads links={downloadsOf(LIST, query, role)} />
          {role === 'vendor' && (
            <>
              {' '}
              <a class="button quiet" href={COHORTS_PATH}>
                Refunds by month of sale
              </a>
            </>
          )}
        </p>
      </>
    ),
  };
}

function behindOf({ query, role }: ShownReport): Behind {
  return (kind, more) => addressOf(LIST, { ...query, role }, { kind, ...more });
}

function hasNothing({ sales, pending, refunds, chargebacks }: Figures): boolean {
  return [sales, pending.transactions, refunds.transactions, chargebacks.transactions].every(
    (transactions) => transactions === 0,
  );
}

function ComparedWith({ compared }: Pick<Report, 'compared'>) {
  if (compared === null) return null;
  return (
    <>
      {' '}
      Compared with <strong>{compared.start_date}</strong> through{' '}
      <strong>{compared.end_date}</strong>.
    </>
  );
}

function EmptyRange({ query, role }: Pick<ShownReport, 'query' | 'role'>) {
  const allTime = addressOf('/account/reports', { ...query, role, preset: 'all-time', by: null });
  return (
    <p class="notice">
      Nothing in this range.{' '}
      {query.preset !== 'all-time' && <a href={allTime}>See the report of all time</a>}
    </p>
  );
}

function Tops(shown: ShownReport) {
  const { role, report } = shown;
  const of = { role, behind: behindOf(shown) };
  return (
    <div class="tops">
      <Top {...of} title="Top products" items={report.top_products} filter="product" />
      <Top
        {...of}
        title={role === 'vendor' ? 'Top affiliates' : 'Top vendors'}
        items={report.top_partners}
        filter="partner"
      />
    </div>
  );
}

/** Shows the form with its problems if the input is not a valid range. */
export function invalidRangePage(
  query: ReportQuery,
  role: Role,
  problems: readonly FormProblem[],
): Page {
  const { from, to } = query;
  return {
    kind: 'page',
    title: 'Reports',
    isWide: true,
    failure: 'invalid_parameters',
    view: (
      <>
        <h1>Reports</h1>
        <ReportForm query={query} role={role} from={from} to={to} by="day" problems={problems} />
      </>
    ),
  };
}

function Top({
  title,
  items,
  filter,
  role,
  behind,
}: {
  readonly title: string;
  readonly items: readonly TopItem[];
  readonly filter: 'product' | 'partner';
  readonly role: Role;
  readonly behind: Behind;
}) {
  const titleId = `top-${filter}`;
  return (
    <section class="card" aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {items.length === 0 ? (
        <p>Nothing in this range.</p>
      ) : (
        <Table
          label={title}
          columns={[
            {
              name: 'Name',
              cell: ({ id, name }) => <a href={behind('all', { [filter]: String(id) })}>{name}</a>,
            },
            { name: 'Sales', isNumber: true, cell: ({ sales }) => numberText(sales) },
            { name: 'Gross', isNumber: true, cell: ({ gross }) => <Money cents={gross} /> },
            { name: 'Refunds', isNumber: true, cell: ({ refunds }) => numberText(refunds) },
            {
              name: role === 'vendor' ? 'Net earnings' : 'My commissions',
              isNumber: true,
              cell: ({ net }) => <Money cents={net} />,
            },
          ]}
          rows={items}
        />
      )}
    </section>
  );
}
