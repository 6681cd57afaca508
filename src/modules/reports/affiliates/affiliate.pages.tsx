import { Injectable } from '@nestjs/common';
import { AffiliatesService, type AffiliateTerms, subjectOf } from '../../affiliates/index.js';
import { ApiApplicationsService } from '../../accounts/index.js';
import { type ActivityHistory, ActivityService } from '../../audit/index.js';
import { type Product, ProductsService } from '../../products/index.js';
import { UNPAID_AGES, type Affiliate } from './affiliate-figures.model.js';
import { AffiliateReportsService, type AffiliateReport } from './affiliate-reports.service.js';
import { type AffiliateChange, AffiliateChangesService } from './affiliate-changes.service.js';
import {
  type AffiliateSale,
  AffiliateSalesService,
  type PaidSale,
} from './affiliate-sales.service.js';
import type { OwedForProduct } from './payouts.service.js';
import { stepFor } from '../figures.js';
import type { ReportKind } from '../lists/report-list.model.js';
import { Status } from '../../transactions/index.js';
import type { DayRange } from '../report.model.js';
import { ReportsService } from '../reports.service.js';
import { pageOf, type PageAnswer } from '../../../platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../platform/pages/page-router.js';
import {
  ACTIVITY_PATH,
  AFFILIATES_PATH,
  LIST_PATH,
  REPORTS_PATH,
  termsPath,
  transactionPath,
  withQuery,
} from '../../../platform/pages/paths.js';
import { Chart, CHART_SCRIPTS, type Kept } from '../ranges/chart.view.js';
import { namesWithIds } from '../ranges/equal-names.view.js';
import { PeriodBar, PrintedRange } from '../ranges/period-bar.view.js';
import { rangeText } from '../../../platform/pages/ui/day-text.js';
import { unpaidAddress } from '../ranges/unpaid-address.js';
import { TopItems } from '../ranges/report-parts.view.js';
import {
  addressOf,
  ofDays,
  rangeProblems,
  rangeQueryOf,
  vendorRange,
  type ReportQuery,
} from '../ranges/report-query.js';
import type { SignedInVisit } from '../../../platform/pages/visit.js';
import { Facts, LinkLine, Panel } from '../../../platform/pages/ui/facts.view.js';
import { Figure, Figures } from '../../../platform/pages/ui/figures.view.js';
import { History } from '../../../platform/pages/ui/history.view.js';
import { isolatedText } from '../../../platform/pages/ui/isolated-text.js';
import { amounts, Table, type Column } from '../../../platform/pages/ui/table.view.js';
import { DateTime, Email, Money } from '../../../platform/pages/ui/values.view.js';
import { AGE_NAMES, AffiliateNumbers, requestOf } from './affiliate-figures.view.js';
import { Terms } from './affiliate-terms.view.js';

/** The share of an affiliate, as the chart shows it. */
const COMMISSION: Kept = { name: 'Commission', of: ({ parties }) => parties.affiliate };
/** Products whose terms have their changes on the page of an affiliate. */
const MAX_HISTORIES = 10;
/** Changes that the page shows; a link leads to the others. */
const SHOWN = 5;

interface ShownAffiliate {
  readonly affiliate: Affiliate;
  /** Null if the vendor may not see it. */
  readonly email: string | null;
  readonly query: ReportQuery;
  readonly range: DayRange;
  readonly report: AffiliateReport;
  /** Null if nothing is compared. */
  readonly change: AffiliateChange | null;
  /** The last sales of the range. */
  readonly sales: readonly AffiliateSale[];
  /** The last sale of products with their own commission, by product id. */
  readonly lastPaid: ReadonlyMap<number, PaidSale>;
  /** Affiliate terms, by product id. */
  readonly terms: readonly AffiliateTerms[];
  readonly history: ActivityHistory;
  /** All products of the vendor. */
  readonly products: readonly Product[];
}

/** Serves the page of each affiliate of a vendor. */
@Injectable()
export class AffiliatePages implements Pages {
  constructor(
    private readonly affiliateReports: AffiliateReportsService,
    private readonly affiliates: AffiliatesService,
    private readonly products: ProductsService,
    private readonly reports: ReportsService,
    private readonly sold: AffiliateSalesService,
    private readonly changes: AffiliateChangesService,
    private readonly activity: ActivityService,
    private readonly applications: ApiApplicationsService,
  ) {}

  addTo(routes: PageRoutes): void {
    routes.get('/affiliates/:id', (visit) => this.show(visit));
  }

  private async show(visit: SignedInVisit): Promise<PageAnswer> {
    const vendor_id = visit.user.id;
    const affiliate = await this.affiliateReports.affiliateOf(vendor_id, visit.id);
    const asked = rangeQueryOf(visit);
    // A range of all time has nothing before it to compare with.
    const query = asked.preset === 'all-time' ? { ...asked, comparison: 'none' as const } : asked;
    const range = await vendorRange(this.reports, query, visit);
    if (range === null) return affiliatePage(affiliate, query, null);
    const request = requestOf(visit, query, range);
    const [report, change, sales, terms, products, email] = await Promise.all([
      this.affiliateReports.report({
        ...request,
        affiliate_id: affiliate.id,
        comparison: query.comparison,
      }),
      this.changes.ofAffiliate(request, query.comparison, affiliate.id),
      this.sold.lastSales(request, affiliate.id),
      this.affiliates.reads.termsWith(vendor_id, affiliate.id),
      this.products.productsOf(vendor_id),
      this.affiliateReports.emailOf(vendor_id, affiliate.id),
    ]);
    const [history, lastPaid] = await Promise.all([
      this.historyOf(vendor_id, terms, products),
      this.lastPaidOn(terms, vendor_id, affiliate),
    ]);
    const read = { report, change, sales, lastPaid, terms, history, products };
    return affiliatePage(affiliate, query, { affiliate, email, query, range, ...read });
  }

  /** Reads the last sales only if some terms have no commission of their own. */
  private async lastPaidOn(
    terms: readonly AffiliateTerms[],
    vendor_id: number,
    { id }: Affiliate,
  ): Promise<ShownAffiliate['lastPaid']> {
    const hasDefault = terms.some(({ custom_commission }) => custom_commission === null);
    return hasDefault ? this.sold.lastPaidByProduct(vendor_id, id) : new Map();
  }

  /** Returns the last changes of the terms, newest first. */
  private async historyOf(
    vendor_id: number,
    terms: readonly AffiliateTerms[],
    products: readonly Product[],
  ): Promise<ActivityHistory> {
    const names = new Map(products.map(({ id, name }) => [id, name]));
    const histories = await Promise.all(
      terms.slice(0, MAX_HISTORIES).map(async (own) => {
        const history = await this.activity.historyOf(vendor_id, subjectOf(own), this.applications);
        const product = names.get(own.product_id) ?? own.product_id;
        const lines = history.lines.map((line) => ({ ...line, what: [line.what, ': ', product] }));
        return { ...history, lines };
      }),
    );
    const lines = histories.flatMap((history) => history.lines);
    const newest = lines.sort((one, other) => (one.created < other.created ? 1 : -1));
    const [only] = histories.length === 1 ? histories : [];
    return { lines: newest.slice(0, SHOWN), all: only?.all ?? ACTIVITY_PATH };
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
      scripts: hasChart ? CHART_SCRIPTS : [],
      problems: shown === null ? rangeProblems(query) : [],
      back: [addressOf(AFFILIATES_PATH, query), 'All affiliates'],
      tools: (
        <div class="tools">
          <PeriodBar
            path={path}
            query={query}
            range={shown?.range ?? null}
            compared={shown?.change?.compared ?? null}
          />
          {shown !== null && <HeadLinks {...shown} />}
        </div>
      ),
    },
    shown !== null && <Shown {...shown} />,
  );
}

/** Leads to the report of the affiliate, and to the terms if there are those of one product. */
function HeadLinks({ affiliate, query, terms }: ShownAffiliate) {
  const [only, ...others] = terms;
  const termsOf = (product_id: number) =>
    withQuery(termsPath(affiliate.id), { product: String(product_id) });
  return (
    <>
      <a
        class="button quiet"
        href={addressOf(REPORTS_PATH, query, { partner: String(affiliate.id) })}
      >
        Full report
      </a>
      {only !== undefined && others.length === 0 && (
        <a class="button quiet" href={termsOf(only.product_id)}>
          Edit terms
        </a>
      )}
    </>
  );
}

function Shown(shown: ShownAffiliate) {
  const { affiliate, email, query, range, report, change, history } = shown;
  const filter = { partner: String(affiliate.id) };
  const { figures } = report;
  const behind = (kind: ReportKind) =>
    addressOf(LIST_PATH, { ...query, role: 'vendor' }, { ...filter, kind });
  return (
    <>
      <PrintedRange query={query} range={range} />
      <Facts
        isInline
        facts={[
          ['Id', affiliate.id],
          ['E-mail', email && <Email address={email} />],
        ]}
      />
      <AffiliateNumbers
        figures={figures}
        compared={change}
        attribution={query.attribution}
        behind={behind}
        unpaid={unpaidAddress(query, null, 'vendor', filter)}
      />
      <LastSales {...shown} all={behind('sales')} />
      <Terms {...shown} />
      {report.periods.length > 0 && (
        <Chart
          report={report}
          role="vendor"
          kept={COMMISSION}
          isLow
          comparison={query.comparison}
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
        nameOf={namesWithIds(report.products)}
        net="Commission"
      />
      <Unpaid {...shown} />
      {shown.terms.length > 0 && <History {...history} />}
    </>
  );
}

/** Shows the last sales of the period, without their customers. */
function LastSales({ sales, all }: ShownAffiliate & { readonly all: string }) {
  const columns: Column<AffiliateSale>[] = [
    {
      name: 'Date',
      cell: ({ transaction_id, sale_date }) => (
        <a href={transactionPath(transaction_id, all)}>
          <DateTime at={sale_date} />
        </a>
      ),
    },
    { name: 'Product', narrow: 'bare', cell: ({ product_name }) => product_name },
    { ...amounts('Amount', ({ amount }) => amount), narrow: 'fact', shortName: 'paid' },
    { ...amounts('Commission', ({ commission }) => commission), narrow: 'main' },
    { name: 'Status', narrow: 'bare', cell: ({ status }) => <Status of={status} /> },
  ];
  return (
    <Panel id="sales-title" title="Last sales">
      <Table label="Last sales" columns={columns} rows={sales} empty="No sales in this period." />
      {sales.length > 0 && <LinkLine href={all}>All sales of this period</LinkLine>}
    </Panel>
  );
}

/** Shows what is owed by the age of the sales, and by product. */
function Unpaid(shown: ShownAffiliate) {
  const { affiliate, query, report } = shown;
  const filter = { partner: String(affiliate.id) };
  return (
    <Panel id="unpaid-title" title="Unpaid commissions" isCard={false}>
      {report.figures.unpaid_total !== 0n && (
        <Figures label="Unpaid commissions by age of the sale">
          {UNPAID_AGES.map((age) => (
            <Figure name={AGE_NAMES[age]} href={unpaidAddress(query, age, 'vendor', filter)}>
              <Money cents={report.figures.unpaid[age]} />
            </Figure>
          ))}
        </Figures>
      )}
      {report.owed.length === 0 ? (
        <p class="empty">Nothing is unpaid today.</p>
      ) : (
        <OwedForProducts {...shown} />
      )}
    </Panel>
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
