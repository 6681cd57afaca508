import { Injectable } from '@nestjs/common';
import { AffiliatesService, type AffiliateTerms } from '../../affiliates/index.js';
import { type Product, ProductsService } from '../../products/index.js';
import { UNPAID_AGES, type Affiliate, type AffiliateFigures } from './affiliate-figures.model.js';
import { AffiliateReportsService, type AffiliateReport } from './affiliate-reports.service.js';
import type { OwedForProduct } from './payouts.service.js';
import { stepFor } from '../figures.js';
import type { ReportKind } from '../lists/report-list.model.js';
import type { DayRange } from '../report.model.js';
import { ReportsService } from '../reports.service.js';
import { pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import {
  AFFILIATES_PATH,
  LIST_PATH,
  REPORTS_PATH,
  termsPath,
} from '../../../platform/pages/paths.js';
import { Chart, CHART_SCRIPTS } from '../ranges/chart.view.js';
import { PeriodBar, PrintedRange } from '../ranges/period-bar.view.js';
import { rangeText } from '../../../platform/pages/ui/day-text.js';
import { unpaidAddress } from '../ranges/unpaid-address.js';
import { TopItems } from '../ranges/report-parts.view.js';
import {
  addressOf,
  ofDays,
  rangeProblems,
  vendorQueryOf,
  vendorRange,
  type ReportQuery,
} from '../ranges/report-query.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { LinkLine, Panel } from '../../../platform/pages/ui/facts.view.js';
import { Figure, Figures } from '../../../platform/pages/ui/figures.view.js';
import { ChoiceForm, Select } from '../../../platform/pages/ui/form.view.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';
import {
  amounts,
  numbers,
  Table,
  times,
  type Column,
} from '../../../platform/pages/ui/table.view.js';
import { Amount, countText, Money, numberText } from '../../../platform/pages/ui/values.view.js';
import {
  AGE_NAMES,
  clicksText,
  OWED_NAMES,
  rateText,
  requestOf,
  UnpaidNote,
} from './affiliate-figures.view.js';
import { approvalOf, APPROVALS } from './terms.pages.js';

interface ShownTerms {
  readonly affiliate: Affiliate;
  /** Affiliate terms, by product id. */
  readonly terms: readonly AffiliateTerms[];
  /** All products of the vendor. */
  readonly products: readonly Product[];
}

interface ShownAffiliate extends ShownTerms {
  readonly query: ReportQuery;
  readonly range: DayRange;
  readonly report: AffiliateReport;
}

/** Serves the page of each affiliate of a vendor. */
@Injectable()
export class AffiliatePages implements Pages {
  constructor(
    private readonly affiliateReports: AffiliateReportsService,
    private readonly affiliates: AffiliatesService,
    private readonly products: ProductsService,
    private readonly reports: ReportsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/affiliates/:id', (visit) => this.show(visit));
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const vendor_id = visit.user.id;
    const affiliate = await this.affiliateReports.affiliateOf(vendor_id, visit.id);
    const query = vendorQueryOf(visit);
    const range = await vendorRange(this.reports, query, visit);
    if (range === null) return affiliatePage(affiliate, query, null);
    const [report, terms, products] = await Promise.all([
      this.affiliateReports.report({
        ...requestOf(visit, query, range),
        affiliate_id: affiliate.id,
      }),
      this.affiliates.reads.termsWith(vendor_id, affiliate.id),
      this.products.productsOf(vendor_id),
    ]);
    return affiliatePage(affiliate, query, { affiliate, query, range, report, terms, products });
  }
}

/** @param shown null if the input is not a valid range */
function affiliatePage(affiliate: Affiliate, query: ReportQuery, shown: ShownAffiliate | null) {
  const path = `${AFFILIATES_PATH}/${affiliate.id}`;
  const hasChart = shown !== null && shown.report.periods.length > 0;
  return pageOf(
    {
      title:
        shown === null
          ? affiliate.name
          : `${isolatedText(affiliate.name)}, ${rangeText(shown.range)}`,
      heading: affiliate.name,
      isWide: true,
      scripts: hasChart ? CHART_SCRIPTS : [],
      problems: shown === null ? rangeProblems(query) : [],
      back: [addressOf(AFFILIATES_PATH, query), 'All affiliates'],
      tools: <PeriodBar path={path} query={query} range={shown?.range ?? null} />,
    },
    shown !== null && <Shown {...shown} />,
  );
}

function Shown(shown: ShownAffiliate) {
  const { affiliate, query, range, report, terms, products } = shown;
  const filter = { partner: String(affiliate.id) };
  const { figures } = report;
  return (
    <>
      <PrintedRange query={query} range={range} />
      <KeyFigures
        figures={figures}
        behind={(kind) => addressOf(LIST_PATH, { ...query, role: 'vendor' }, { ...filter, kind })}
      />
      <LinkLine href={addressOf(REPORTS_PATH, query, filter)}>Report of this affiliate</LinkLine>
      <Panel id="unpaid-title" title="Unpaid commissions" isCard={false}>
        <UnpaidNote />
        <Figures label="Unpaid commissions">
          <Figure
            name={OWED_NAMES.unpaid_total}
            href={unpaidAddress(query, null, 'vendor', filter)}
          >
            <Money cents={figures.unpaid_total} />
          </Figure>
          {(['due_now', 'on_hold'] as const).map((sum) => (
            <Figure name={OWED_NAMES[sum]}>
              <Money cents={figures[sum]} />
            </Figure>
          ))}
          {UNPAID_AGES.map((age) => (
            <Figure name={AGE_NAMES[age]} href={unpaidAddress(query, age, 'vendor', filter)}>
              <Money cents={figures.unpaid[age]} />
            </Figure>
          ))}
        </Figures>
        <OwedForProducts {...shown} />
      </Panel>
      {report.periods.length > 0 && (
        <Chart
          report={{ ...report, compared: null }}
          role="vendor"
          comparison="none"
          isCoarser={report.by !== stepFor(range)}
          behind={(days) =>
            addressOf(LIST_PATH, { ...ofDays(query, days), role: 'vendor' }, filter)
          }
        />
      )}
      <TopItems
        id="products-title"
        title="Products"
        items={report.products}
        nameOf={({ name }) => name}
        net="Commission"
      />
      <Terms affiliate={affiliate} terms={terms} products={products} />
    </>
  );
}

/** Shows for which products something is owed, and whether it is due. */
function OwedForProducts({ affiliate, query, report: { owed } }: ShownAffiliate) {
  if (owed.length === 0) return null;
  const address = ({ product_id }: OwedForProduct) =>
    unpaidAddress(query, null, 'vendor', {
      partner: String(affiliate.id),
      product: String(product_id),
    });
  const columns: Column<OwedForProduct>[] = [
    { name: 'Product', cell: (product) => <a href={address(product)}>{product.name}</a> },
    amounts('Unpaid', ({ unpaid }) => unpaid),
    { name: 'Payment', cell: ({ isOnHold }) => (isOnHold ? 'On hold' : 'Due now') },
  ];
  return <Table label="Unpaid commissions by product" columns={columns} rows={owed} />;
}

/** Shows figures, each with the list of transactions behind it, if there is one, and a note. */
function KeyFigures({
  figures,
  behind,
}: {
  readonly figures: AffiliateFigures;
  readonly behind: (kind: ReportKind) => string;
}) {
  const { sales, refunds, chargebacks, clicks, unique_clicks } = figures;
  const [gross, commission] = [
    <Money cents={figures.gross} />,
    <Money cents={figures.commission} />,
  ];
  const shown = [
    ['Sales', 'sales', 'including those refunded later', numberText(sales)],
    ['Gross', 'sales', 'before refunds', gross],
    ['Commission', 'all', 'after refunds and chargebacks', commission],
    ['Refund rate', 'refunds', countText(refunds, 'refund'), rateText(figures.refund_rate)],
    [
      'Chargeback rate',
      'chargebacks',
      countText(chargebacks, 'chargeback'),
      rateText(figures.chargeback_rate),
    ],
    ['Clicks', null, `${clicksText(unique_clicks)} unique`, clicksText(clicks)],
    ['Conversion', null, 'sales per unique click', rateText(figures.conversion)],
  ] as const;
  return (
    <Figures label="Figures of the period">
      {shown.map(([name, kind, note, value]) => (
        <Figure name={name} href={kind === null ? undefined : behind(kind)} note={note}>
          {value}
        </Figure>
      ))}
    </Figures>
  );
}

/** Shows the affiliate terms for each product that has them. */
function Terms({ affiliate, terms, products }: ShownTerms) {
  const names = new Map(products.map(({ id, name }) => [id, name]));
  const columns: Column<AffiliateTerms>[] = [
    {
      name: 'Product',
      cell: ({ product_id }) => (
        <a href={`${termsPath(affiliate.id)}?product=${product_id}`}>
          {names.get(product_id) ?? product_id}
        </a>
      ),
    },
    { name: 'Status', cell: statusText },
    numbers('Commission', ({ custom_commission: percent }) =>
      percent === null ? '–' : `${percent} %`,
    ),
    numbers('First payout', (own) => payout(own.custom_payment_1st_payout)),
    numbers('Trial payout', (own) => payout(own.custom_payment_trial_payout)),
    { name: 'Sales page', cell: (own) => own.custom_sales_page_url ?? '–' },
    times('Created', ({ created }) => created),
    { name: 'Comments', cell: ({ comments }) => comments ?? '–' },
  ];
  const others = products.filter(({ id }) => !terms.some(({ product_id }) => product_id === id));
  return (
    <Panel id="terms-title" title="Terms">
      {terms.length === 0 ? (
        <p>No relationship to one of your products.</p>
      ) : (
        <Table label="Terms" columns={columns} rows={terms} />
      )}
      {others.length > 0 && (
        <ChoiceForm class="choose" action={termsPath(affiliate.id)} label="Another product">
          <Select
            label="Another product"
            name="product"
            options={new Map(others.map(({ id, name }) => [String(id), name]))}
          />
          <button class="quiet">Set terms</button>
        </ChoiceForm>
      )}
    </Panel>
  );
}

function statusText(own: AffiliateTerms): string {
  const approval = approvalOf(own);
  return approval === null ? 'Requested' : APPROVALS[approval].name;
}

/** Shows a payout, which is a whole amount of the currency, not cents. */
function payout(whole: number | null) {
  return whole === null ? '–' : <Amount text={numberText(whole)} />;
}
