import type { DayRange, Figures, Report, TopItem } from '../../modules/reports/report.model.js';
import type { ReportKind } from '../../modules/reports/lists/report-list.model.js';
import type { Page } from '../http/page-answer.js';
import type { FormProblem } from '../ui/form.view.js';
import { Table } from '../ui/table.view.js';
import { Chart, CHART_SCRIPTS } from './chart.view.js';
import { Downloads, downloadsOf } from './downloads.view.js';
import { Figure, Money, numberText, percentText } from './figures.view.js';
import { ReportForm } from './report-form.view.js';
import { addressOf, type ReportQuery, type Role } from './report-query.js';

const LIST = '/account/reports/transactions';

type Behind = (kind: ReportKind, more?: Readonly<Record<string, string>>) => string;

export interface ShownReport {
  readonly query: ReportQuery;
  readonly role: Role;
  readonly range: DayRange;
  readonly report: Report;
}

export function reportPage({ query, role, range, report }: ShownReport): Page {
  const { start_date, end_date } = range;
  const behind: Behind = (kind, more) => addressOf(LIST, { ...query, role }, { kind, ...more });
  const of = { report, role, behind };
  return {
    kind: 'page',
    title: 'Reports',
    isWide: true,
    scripts: CHART_SCRIPTS,
    view: (
      <>
        <h1>Reports</h1>
        <ReportForm query={query} role={role} from={start_date} to={end_date} by={report.by} />
        <p>
          Whole days in UTC, from <strong>{start_date}</strong> through <strong>{end_date}</strong>.
          Refunds and chargebacks count on the day of the{' '}
          {query.attribution === 'sale' ? 'sale' : 'refund'}.
        </p>
        <KeyFigures {...of} figures={report.figures} />
        <Chart report={report} role={role} />
        <div class="tops">
          <Top {...of} title="Top products" items={report.top_products} filter="product" />
          <Top
            {...of}
            title={role === 'vendor' ? 'Top affiliates' : 'Top vendors'}
            items={report.top_partners}
            filter="partner"
          />
        </div>
        <p>
          <a class="button quiet" href={behind('all')}>
            All transactions in this range
          </a>
          <Downloads links={downloadsOf(LIST, query, role)} />
        </p>
      </>
    ),
  };
}

/** The form with its problems, when the input is not a valid range. */
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

function KeyFigures({
  figures,
  role,
  behind,
}: {
  readonly figures: Figures;
  readonly role: Role;
  readonly behind: Behind;
}) {
  const { sales, gross, pending, refunds, chargebacks, refund_rate, average_order } = figures;
  const after = 'after refunds and chargebacks';
  return (
    <dl class="figures" aria-label="Figures of the range">
      <Figure name="Sales" href={behind('sales')} note="completed, refunded or charged back">
        {numberText(sales)}
      </Figure>
      <Figure name="Gross" href={behind('sales')} note="total of all sales">
        <Money cents={gross} />
      </Figure>
      {role === 'vendor' && (
        <>
          <Figure name="Net earnings" href={behind('all')} note={after}>
            <Money cents={figures.earnings} />
          </Figure>
          <Figure name="Fees" href={behind('all')} note={after}>
            <Money cents={figures.fees} />
          </Figure>
        </>
      )}
      <Figure
        name={role === 'vendor' ? 'Commissions' : 'My commissions'}
        href={behind('all')}
        note={after}
      >
        <Money cents={figures.commissions} />
      </Figure>
      <Figure name="Refunds" href={behind('refunds')} note={<Money cents={refunds.amount} />}>
        {numberText(refunds.transactions)}
      </Figure>
      <Figure
        name="Chargebacks"
        href={behind('chargebacks')}
        note={<Money cents={chargebacks.amount} />}
      >
        {numberText(chargebacks.transactions)}
      </Figure>
      <Figure name="Refund rate" note="refunds per sale">
        {percentText(refund_rate)}
      </Figure>
      <Figure name="Average order" note="gross per sale">
        <Money cents={average_order} />
      </Figure>
      <Figure name="Pending" href={behind('pending')} note={<Money cents={pending.amount} />}>
        {numberText(pending.transactions)}
      </Figure>
    </dl>
  );
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
