import type { Affiliation } from '../../modules/affiliates/affiliation.model.js';
import type { Product } from '../../modules/products/product.model.js';
import {
  UNPAID_AGES,
  type Affiliate,
  type AffiliateFigures,
} from '../../modules/reports/affiliates/affiliate-figures.model.js';
import type { AffiliateReport } from '../../modules/reports/affiliates/affiliate-reports.service.js';
import type { ReportKind } from '../../modules/reports/lists/report-list.model.js';
import type { DayRange, TopItem } from '../../modules/reports/report.model.js';
import type { Page } from '../http/page-answer.js';
import { Chart, CHART_SCRIPTS } from '../reports/chart.view.js';
import { Figure, Money, numberText } from '../reports/figures.view.js';
import { addressOf, type ReportQuery } from '../reports/report-query.js';
import type { FormProblem } from '../ui/form.view.js';
import { Table } from '../ui/table.view.js';
import { AGE_NAMES, countText, rateText } from './affiliate-columns.js';
import { AFFILIATES_PATH } from './affiliates-query.js';
import { RangeForm, RangeNote, UnpaidNote } from './range-form.view.js';
import { Terms } from './terms-table.view.js';

const LIST = '/account/reports/transactions';

export interface ShownAffiliate {
  readonly affiliate: Affiliate;
  readonly query: ReportQuery;
  readonly range: DayRange;
  readonly report: AffiliateReport;
  /** Affiliate terms, by product id. */
  readonly terms: readonly Affiliation[];
  /** All products of the vendor. */
  readonly products: readonly Product[];
}

type Behind = (kind: ReportKind) => string;

export function affiliatePage(shown: ShownAffiliate): Page {
  const { affiliate, query, range, report, terms, products } = shown;
  const [from, to] = [range.start_date, range.end_date];
  const filter = { partner: String(affiliate.id) };
  const hasChart = report.periods.length > 0;
  const behind: Behind = (kind) =>
    addressOf(LIST, { ...query, role: 'vendor' }, { ...filter, kind });
  return {
    kind: 'page',
    title: affiliate.name,
    isWide: true,
    scripts: hasChart ? CHART_SCRIPTS : [],
    view: (
      <>
        <Head affiliate={affiliate} query={query} />
        <RangeForm path={pathOf(affiliate)} query={query} from={from} to={to} />
        <RangeNote query={query} from={from} to={to} />
        <KeyFigures figures={report.figures} behind={behind} />
        <Unpaid figures={report.figures} />
        {hasChart && (
          <Chart
            report={{ ...report, compared: null }}
            role="vendor"
            comparison="none"
            isCoarser={report.by !== 'month'}
          />
        )}
        <Products products={report.products} />
        <Terms affiliate={affiliate} terms={terms} products={products} />
      </>
    ),
  };
}

/** Shows the form with its problems if the input is not a valid range. */
export function invalidAffiliatePage(
  affiliate: Affiliate,
  query: ReportQuery,
  problems: readonly FormProblem[],
): Page {
  const { from, to } = query;
  return {
    kind: 'page',
    title: affiliate.name,
    isWide: true,
    failure: 'invalid_parameters',
    view: (
      <>
        <Head affiliate={affiliate} query={query} />
        <RangeForm path={pathOf(affiliate)} query={query} from={from} to={to} problems={problems} />
      </>
    ),
  };
}

function pathOf({ id }: Affiliate): string {
  return `${AFFILIATES_PATH}/${id}`;
}

function Head({ affiliate, query }: Pick<ShownAffiliate, 'affiliate' | 'query'>) {
  return (
    <>
      <p>
        <a href={addressOf(AFFILIATES_PATH, query)}>All affiliates</a>
      </p>
      <h1>{affiliate.name}</h1>
    </>
  );
}

function KeyFigures({
  figures,
  behind,
}: {
  readonly figures: AffiliateFigures;
  readonly behind: Behind;
}) {
  return (
    <dl class="figures" aria-label="Figures of the range">
      <Figure name="Sales" href={behind('sales')} note="completed, refunded or charged back">
        {numberText(figures.sales)}
      </Figure>
      <Figure name="Gross" href={behind('sales')} note="total of all sales">
        <Money cents={figures.gross} />
      </Figure>
      <Figure name="Commission" href={behind('all')} note="after refunds and chargebacks">
        <Money cents={figures.commission} />
      </Figure>
      <Figure name="Refund rate" href={behind('refunds')} note={countOf(figures.refunds, 'refund')}>
        {rateText(figures.refund_rate)}
      </Figure>
      <Figure
        name="Chargeback rate"
        href={behind('chargebacks')}
        note={countOf(figures.chargebacks, 'chargeback')}
      >
        {rateText(figures.chargeback_rate)}
      </Figure>
      <Figure name="Clicks" note={`${countText(figures.unique_clicks)} unique`}>
        {countText(figures.clicks)}
      </Figure>
      <Figure name="Conversion" note="sales per unique click">
        {rateText(figures.conversion)}
      </Figure>
    </dl>
  );
}

function countOf(count: number, word: string): string {
  return `${numberText(count)} ${word}${count === 1 ? '' : 's'}`;
}

function Unpaid({ figures: { unpaid } }: { readonly figures: AffiliateFigures }) {
  return (
    <section aria-labelledby="unpaid-title">
      <h2 id="unpaid-title">Unpaid commissions</h2>
      <UnpaidNote />
      <dl class="figures">
        {UNPAID_AGES.map((age) => (
          <Figure name={AGE_NAMES[age]}>
            <Money cents={unpaid[age]} />
          </Figure>
        ))}
      </dl>
    </section>
  );
}

function Products({ products }: { readonly products: readonly TopItem[] }) {
  return (
    <section class="card" aria-labelledby="products-title">
      <h2 id="products-title">Products</h2>
      {products.length === 0 ? (
        <p>Nothing in this range.</p>
      ) : (
        <Table
          label="Products"
          columns={[
            { name: 'Name', cell: ({ name }) => name },
            { name: 'Sales', isNumber: true, cell: ({ sales }) => numberText(sales) },
            { name: 'Gross', isNumber: true, cell: ({ gross }) => <Money cents={gross} /> },
            { name: 'Refunds', isNumber: true, cell: ({ refunds }) => numberText(refunds) },
            { name: 'Commission', isNumber: true, cell: ({ net }) => <Money cents={net} /> },
          ]}
          rows={products}
        />
      )}
    </section>
  );
}
