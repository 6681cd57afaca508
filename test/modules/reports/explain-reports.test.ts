/** How the database reads for reports: the keys that it uses, and the number of rows. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteConnection from 'better-sqlite3';
import { createConnection, type Connection } from 'mysql2/promise';
import { AffiliateReportsService } from '../../../src/modules/reports/affiliates/affiliate-reports.service.js';
import { ReportListsService } from '../../../src/modules/reports/lists/report-lists.service.js';
import { CohortsService } from '../../../src/modules/reports/cohorts/cohorts.service.js';
import type { FigureFilter } from '../../../src/modules/reports/figures/figure.model.js';
import type { CohortScope } from '../../../src/modules/reports/cohorts/cohort.model.js';
import { CustomerNamesService } from '../../../src/modules/reports/customers/customer-names.service.js';
import { CustomerSumsRepository } from '../../../src/modules/reports/customers/customer-sums.repository.js';
import { CustomersService } from '../../../src/modules/reports/customers/customers.service.js';
import { SearchService } from '../../../src/modules/reports/sale/search.service.js';
import type { TopOrder } from '../../../src/modules/reports/report.model.js';
import { ReportsService } from '../../../src/modules/reports/reports.service.js';
import type { Attribution } from '../../../src/modules/reports/report.model.js';
import { SaleService } from '../../../src/modules/reports/sale/sale.service.js';
import type { ReportKind } from '../../../src/modules/reports/lists/report-list.model.js';
import { Database } from '../../../src/platform/database/database.js';
import { BIG, importBigLedger, multiplyBigLedger } from '../../support/builders/big-ledger.js';
import { isScan, keysOf, rowsRead, stepsOf } from '../../support/sql/plans.js';
import { openRaw } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';
import { StatementLog, type Statement } from '../../support/sql/statements.js';
import { dialect } from '../../support/sql/test-database.js';

const YEAR = { start_date: '2025-01-01', end_date: '2025-12-31' };
/**
 * There are about 57 sales a day, a tenth of which was returned. A page reads the rows of some
 * days, and each twice for its index.
 */
const MOST_ROWS = 2_500;
/**
 * A slice has 2,500 transactions: the statement reads the index to find its end, and again with the
 * rows.
 */
const MOST_OF_SLICE = 17_500;
const VIEWERS = {
  vendor: { role: 'vendor', user_id: BIG.vendor },
  affiliate: { role: 'affiliate', user_id: BIG.affiliate },
} as const;
const REVISION = 'ledger_revisions PRIMARY';
const ROW = 'transactions PRIMARY';
const USERS = 'users PRIMARY';
/** The entity of products: its statements come from TypeORM. */
const PRODUCTS = 'Product PRIMARY';
/**
 * Tables behind the affiliates that a vendor sees: users, names from its own source, and names from
 * the operator.
 */
const SEEN = [USERS, 'own PRIMARY', 'given PRIMARY'];
const BY_SALE = 'transactions transactions_by_sale';
const BY_ID = 'transactions transactions_by_id';
const BY_CUSTOMER = 'transactions transactions_by_customer';
const BY_NAMES = ['first', 'last'].map((which) => `transactions transactions_by_${which}_name`);
/** The ledger has one subscription, so that any key is as good as those of the e-mails. */
const SUBSCRIPTIONS = 'recurring_payments recurring_payments_by_vendor';
const BY_REFUND = 'transactions transactions_by_refunded_sale';
const BY_AFFILIATE = 'transactions transactions_by_affiliate';
const SUMS = 'vendor_sums PRIMARY';
const DAYS = 'affiliate_day_sums PRIMARY';
const COHORTS = 'refund_cohorts PRIMARY';
const BY_AGREEMENT = 'transactions transactions_by_agreement';
const ITEMS = 'payout_items PRIMARY';
const UNPAID = 'unpaid_commissions PRIMARY';
const OWED = 'affiliate_sales PRIMARY';
const TERMS = 'affiliations affiliations_by_product';
const OWN_TERMS = 'affiliations PRIMARY';
const BY_VENDOR = 'products products_by_vendor';
const CLICKS = 'daily_clicks daily_clicks_by_product';
const BY_USER = 'affiliate_day_sums affiliate_day_sums_by_affiliate';
const BY_PRODUCT = 'affiliate_day_sums affiliate_day_sums_by_product';

type Of = keyof typeof VIEWERS;
const report =
  (of: Of, top: TopOrder, filter: FigureFilter = {}) =>
  () =>
    service.app.get(ReportsService).report({
      viewer: VIEWERS[of],
      ...YEAR,
      attribution: 'refund',
      filter,
      by: 'month',
      comparison: 'year',
      top,
      today: YEAR.end_date,
    });
const cohorts = (scope: CohortScope) => async () => {
  const [until, today] = ['2026-01-01', '2026-01-31'];
  const kinds = ['refund', 'chargeback'] as const;
  const request = { vendor_id: BIG.vendor, scope, kinds, until, today };
  await service.app.get(CohortsService).page(request);
  await service.app.get(CohortsService).items(request, true);
};
const OF_VENDOR = { vendor_id: BIG.vendor, ...YEAR, attribution: 'refund' } as const;
const affiliates = () =>
  service.app.get(AffiliateReportsService).table({ ...OF_VENDOR, sort: 'gross', order: 'desc' }, 1);
const affiliate = async () => {
  const one = { ...OF_VENDOR, affiliate_id: BIG.affiliate };
  const reports = service.app.get(AffiliateReportsService);
  await reports.affiliateOf(one.vendor_id, one.affiliate_id);
  await reports.report({ ...one, comparison: 'year' });
};
/** Reads the page after a cursor in the middle of the year. */
const list =
  (of: Of, kind: ReportKind, attribution: Attribution, filter = {}) =>
  () =>
    service.app
      .get(ReportListsService)
      .page(
        { viewer: VIEWERS[of], ...YEAR, kind, attribution, ...filter },
        'after-2025-07-01T00:00:00-1-1',
      );

/** Reads a download, each page of which has all columns. */
const download = async () => {
  const days = { start_date: '2025-07-01', end_date: '2025-07-02' };
  const request = { viewer: VIEWERS.vendor, ...days, kind: 'sales', attribution: 'sale' } as const;
  const chunks = service.app.get(ReportListsService).csv(request);
  for await (const chunk of chunks) expect(chunk).not.toBe('');
};

const sale = (of: Of, id: string) => () =>
  service.app.get(SaleService).saleOf(VIEWERS[of].user_id, id);
const search = (of: Of, text: string) => () =>
  service.app.get(SearchService).search({ viewer: VIEWERS[of], text, cursor: null });
const named = (name: string) => () =>
  service.app
    .get(CustomerNamesService)
    .find(service.app.get(Database), VIEWERS.vendor.user_id, name, { after: null, take: 10 });

const customers = (name: string) => () =>
  service.app
    .get(CustomersService)
    .page({ vendor_id: VIEWERS.vendor.user_id, name, limit: 1, after: null });

/** Adds up the sales of a customer among others who do not exist. */
const sumsOfCustomers = () => {
  const emails = Array.from({ length: 50 }, (_, index) => `customer${index + 39}@example.test`);
  const sums = service.app.get(CustomerSumsRepository);
  return sums.sumsOf(service.app.get(Database), VIEWERS.vendor.user_id, emails);
};

const OF_PRODUCT = 'the report of a product';
/** The affiliates of a product are ranked by their days, of which 101 affiliates have many. */
const MOST_OF_PRODUCT = 50_000;

/** Each request with every key that its statements use. */
const CASES: readonly (readonly [string, () => Promise<unknown>, readonly string[]])[] = [
  ['the report of a vendor', report('vendor', 'gross'), [SUMS, BY_USER, PRODUCTS, UNPAID, ...SEEN]],
  [
    'the report of a vendor by change',
    report('vendor', 'change'),
    [SUMS, DAYS, BY_USER, PRODUCTS, UNPAID, ...SEEN],
  ],
  [
    OF_PRODUCT,
    report('vendor', 'gross', { product_id: BIG.product }),
    [SUMS, BY_PRODUCT, BY_USER, PRODUCTS, ...SEEN],
  ],
  ['the report of an affiliate', report('affiliate', 'gross'), [BY_USER, PRODUCTS, UNPAID, USERS]],
  // The ledger has no commissions, so none of them changes.
  ['the report of an affiliate by change', report('affiliate', 'change'), [BY_USER, UNPAID]],
  ['cohorts', cohorts({ series: 'total' }), [COHORTS, SUMS, PRODUCTS, ...SEEN]],
  [
    'cohorts of a product',
    cohorts({ series: 'product', id: BIG.product }),
    [COHORTS, SUMS, PRODUCTS, ...SEEN],
  ],
  [
    'cohorts of an affiliate',
    cohorts({ series: 'affiliate', id: BIG.affiliate }),
    [COHORTS, SUMS, PRODUCTS, ...SEEN],
  ],
  ['all affiliates', affiliates, [SUMS, REVISION, UNPAID, OWED, ...SEEN, BY_VENDOR, CLICKS, TERMS]],
  [
    'one affiliate',
    affiliate,
    [BY_USER, REVISION, UNPAID, OWED, OWN_TERMS, ...SEEN, BY_VENDOR, CLICKS, PRODUCTS],
  ],
  ['sales', list('vendor', 'sales', 'sale'), [SUMS, ROW, BY_SALE, BY_AGREEMENT, ...SEEN]],
  [
    'refunds by the day of the sale',
    list('vendor', 'refunds', 'sale'),
    [SUMS, ROW, BY_SALE, BY_AGREEMENT, ...SEEN],
  ],
  [
    'refunds by their own day',
    list('vendor', 'refunds', 'refund'),
    [SUMS, ROW, BY_REFUND, BY_AGREEMENT, ...SEEN],
  ],
  [
    'what was sold or refunded',
    list('vendor', 'all', 'refund'),
    [SUMS, 'refund_counts PRIMARY', ROW, BY_REFUND, BY_SALE, BY_AGREEMENT, ...SEEN],
  ],
  ['a download of sales', download, [REVISION, ROW, BY_SALE, BY_AGREEMENT, ...SEEN]],
  [
    "an affiliate's refunds",
    list('affiliate', 'refunds', 'sale'),
    [BY_USER, ROW, BY_AFFILIATE, USERS],
  ],
  ['a transaction without an agreement', sale('vendor', 'big-6'), [BY_ID, ...SEEN, ITEMS]],
  [
    'a transaction of an agreement with thousands',
    sale('vendor', 'big-210'),
    [BY_ID, ...SEEN, ITEMS, BY_AGREEMENT, ROW],
  ],
  ['a transaction of an affiliate', sale('affiliate', 'big-6'), [BY_ID, USERS]],
  ['an id', search('vendor', 'big-1-7'), [BY_CUSTOMER, BY_ID, ROW]],
  ["an affiliate's id", search('affiliate', 'big-3-7'), [BY_AFFILIATE, BY_ID]],
  ['a customer', search('vendor', 'customer7@'), [BY_ID, BY_CUSTOMER, ROW]],
  // The first names fill the page.
  ['a name', named('a'), BY_NAMES.slice(0, 1)],
  ['both names', named('a b'), BY_NAMES],
  [
    'the customers of a name',
    customers('a'),
    [REVISION, ...BY_NAMES.slice(0, 1), BY_CUSTOMER, `${BY_CUSTOMER}_email_folded`, SUBSCRIPTIONS],
  ],
  ['the sums of customers', sumsOfCustomers, [BY_CUSTOMER, `${BY_CUSTOMER}_email_folded`]],
  [
    'sales, filtered by what is rare',
    list('vendor', 'sales', 'sale', { rows: { least_amount: 1, tracking: { tid: 'none' } } }),
    [BY_SALE, ROW, ...SEEN],
  ],
  [
    'what was sold or refunded, filtered',
    list('vendor', 'all', 'refund', { rows: { status: 'completed' } }),
    [BY_REFUND, BY_SALE, ROW, BY_AGREEMENT, ...SEEN],
  ],
];

const SEARCHES = ['an id', "an affiliate's id", 'a customer', 'a name', 'the sums of customers'];

let service: TestService;
let log: StatementLog;

beforeAll(async () => {
  service = await TestService.start();
  await importBigLedger(service);
  log = await StatementLog.of(service);
});
afterAll(() => service.stop());

/** Adds sums of so many other affiliates that those of one are a small part. */
async function addAffiliates(): Promise<void> {
  const raw = await openRaw(service.database.url);
  await raw.run(`INSERT INTO affiliate_day_sums
    SELECT s.vendor_id, s.kind, s.day, u.id, s.product_id, s.transactions, s.amount, s.earnings, s.commission,
      s.fees, s.agent, s.jv, s.taxes
    FROM affiliate_day_sums s JOIN users u ON u.id BETWEEN 1000 AND 1099
    WHERE s.affiliate_id = ${BIG.affiliate}`);
  await raw.rows('ANALYZE TABLE affiliate_day_sums');
  await raw.close();
}

function mostRowsOf(name: string): number {
  if (name.includes('filtered')) return MOST_OF_SLICE;
  return name === OF_PRODUCT ? MOST_OF_PRODUCT : MOST_ROWS;
}

function onMariaDb(): void {
  let connection: Connection;

  beforeAll(async () => {
    await multiplyBigLedger(service);
    await addAffiliates();
    connection = await createConnection(service.database.url);
  });
  afterAll(() => connection.end());

  it.each(CASES)('%s: are read by the keys that were made for it', async (_name, ask, keys) => {
    const statements = await log.during(ask);
    const plans = await Promise.all(statements.map((sent) => stepsOf(connection, sent)));
    const used = statements.flatMap((sent, index) => keysOf(sent, plans[index] ?? []));
    expect([...new Set(used)].sort()).toEqual([...keys].sort());
    expect(plans.flat().filter(isScan)).toEqual([]);
  });

  it.each(CASES)('%s: are read no further than they go', async (name, ask) => {
    for (const statement of await log.during(ask)) {
      expect(await rowsRead(connection, statement)).toBeLessThan(mostRowsOf(name));
    }
  });
}

function planOf(connection: SqliteConnection.Database, { sql, values }: Statement): string[] {
  const plan = connection.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  return plan.all(...values).map(({ detail }) => detail);
}

function onSqlite(): void {
  it.each(CASES)('%s: are read by keys alone', async (_name, ask) => {
    const connection = new SqliteConnection(service.database.url.replace(/^sqlite:/, ''));
    const steps = (await log.during(ask)).flatMap((sent) => planOf(connection, sent));
    // A derived table has the name that its statement gives it.
    expect(
      steps.filter((step) =>
        /^SCAN (?!page|items|found|sold|refunded|range_\d|slice|parts|\d+-ROW VALUES)/.test(step),
      ),
    ).toEqual([]);
    connection.close();
  });

  it.each(CASES.filter(([name]) => SEARCHES.includes(name)))(
    '%s: is read in its order, not sorted',
    async (_name, ask) => {
      const connection = new SqliteConnection(service.database.url.replace(/^sqlite:/, ''));
      const steps = (await log.during(ask)).flatMap((sent) => planOf(connection, sent));
      expect(steps.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
      connection.close();
    },
  );
}

if (dialect === 'mysql') describe('MariaDB, on a ledger of 25,000 transactions', onMariaDb);
else describe('SQLite', onSqlite);
