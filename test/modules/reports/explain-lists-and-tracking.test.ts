/**
 * How the database reads for subscriptions, tracking and queries: the keys that it uses, and the
 * number of rows.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteConnection from 'better-sqlite3';
import { createConnection, type Connection } from 'mysql2/promise';
import { RecurringListsService } from '../../../src/modules/recurring/list/recurring-lists.service.js';
import { OwnTrackingService } from '../../../src/modules/reports/earnings/own-tracking.service.js';
import { ReportListsService } from '../../../src/modules/reports/lists/report-lists.service.js';
import { TrackingReportService } from '../../../src/modules/reports/tracking/tracking-report.service.js';
import {
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { isScan, keysOf, rowsRead, stepsOf } from '../../support/sql/plans.js';
import { StatementLog, type Statement } from '../../support/sql/statements.js';
import { openRaw } from '../../support/sql/raw-connection.js';
import { dialect } from '../../support/sql/test-database.js';

const [VENDOR, OTHER, BUSY] = [1, 2, 3];
const AGREEMENTS = 3_000;
/** This is more than the number of sales that wait before they are added to the sums. */
const SALES = 8_000;
/** A page of 50 merges and sorts three ranges. */
const MOST_OF_PAGE = 450;
/** Each of these subscriptions has a payment of a customer with an own name. */
const NAMED = 1_000;
/** The subscriptions of a product are counted, from the index alone. */
const MOST_OF_PRODUCT = 2 * AGREEMENTS;
/** The sales with a name are counted up to 2,000: once when they are read, once when added up. */
const MOST_OF_NAMES = 4_010;
const VALUES_BY_KEY = ['tracking_values PRIMARY', 'tracking_values tracking_values_by_value'];

const BY_NAMES = ['first', 'last'].map((which) => `transactions transactions_by_${which}_name`);
const BY_EMAILS = ['processor_email', 'contact_email', 'sender_email'].flatMap((column) =>
  ['', '_folded'].map((form) => `recurring_payments recurring_payments_by_${column}${form}`),
);
/** Keys of the names in the newest payment of a subscription. */
const OF_NAMED = [
  'recurring_payments recurring_payments_by_vendor',
  'transactions PRIMARY',
  'transactions transactions_by_agreement',
];
const OWN_KEYS = [
  'affiliate_day_sums affiliate_day_sums_by_affiliate',
  'transactions transactions_by_affiliate',
];

const lists = () => service.app.get(RecurringListsService);
const page = (list: 'active' | 'canceled', direction: 'after' | 'before') => () =>
  lists().page(VENDOR, list, `${direction}-2025-07-15T00:00:00-`);

/**
 * Each request with every key that its statements use, and the largest number of rows that they
 * read.
 */
const CASES: readonly (readonly [string, () => Promise<unknown>, readonly string[], number])[] = [
  [
    'a page of active ones',
    page('active', 'after'),
    ['Product PRIMARY', 'recurring_payments recurring_payments_by_next_date'],
    MOST_OF_PAGE,
  ],
  [
    'a page of canceled ones',
    page('canceled', 'before'),
    ['Product PRIMARY', 'recurring_payments recurring_payments_by_created'],
    MOST_OF_PAGE,
  ],
  ['the counts', () => lists().counts(VENDOR), ['recurring_sums PRIMARY'], MOST_OF_PAGE],
  [
    'what is due, and what is new',
    () => lists().overview(VENDOR),
    ['recurring_payments recurring_payments_by_created', 'recurring_sums PRIMARY'],
    MOST_OF_PAGE,
  ],
  [
    'a list of one product',
    () => lists().page(VENDOR, 'active', null, null, { product_id: 10, customer: null }),
    ['Product PRIMARY', 'recurring_payments recurring_payments_by_product_next_date'],
    MOST_OF_PRODUCT,
  ],
  [
    'a list of canceled ones of one product',
    () => lists().page(VENDOR, 'canceled', null, null, { product_id: 10, customer: null }),
    ['Product PRIMARY', 'recurring_payments recurring_payments_by_product_created'],
    MOST_OF_PRODUCT,
  ],
  [
    'a list of a name',
    () => lists().page(VENDOR, 'active', null, null, { product_id: null, customer: 'ann 9' }),
    [
      ...BY_NAMES,
      ...BY_EMAILS,
      ...OF_NAMED,
      'Product PRIMARY',
      'products PRIMARY',
      'recurring_payments PRIMARY',
    ],
    MOST_OF_NAMES,
  ],
  [
    'a list of a name that too many sales have',
    () => lists().page(VENDOR, 'active', null, null, { product_id: null, customer: 'ada' }),
    [
      ...BY_NAMES.slice(0, 1),
      ...BY_EMAILS,
      ...OF_NAMED,
      'recurring_payments recurring_payments_by_next_date',
    ],
    MOST_OF_NAMES,
  ],
  [
    'a tracking report',
    () =>
      service.app.get(TrackingReportService).report({
        vendor_id: VENDOR,
        field: 'sub_id1',
        filter: {},
        attribution: 'refund',
        start_date: '2025-03-20',
        end_date: '2025-05-10',
      }),
    [
      'ledger_revisions PRIMARY',
      'tracking_sums PRIMARY',
      ...VALUES_BY_KEY,
      'transactions transactions_by_sequence',
      'vendor_sums PRIMARY',
    ],
    // The statement reads each value and day of the range several times, but none of other fields.
    15_000,
  ],
  [
    'the tracking ids of an affiliate at one vendor',
    ownTracking(VENDOR, { start_date: '2025-03-20', end_date: '2025-05-10' }),
    OWN_KEYS,
    // The affiliate has about 15 sales on each of 12 days.
    400,
  ],
  [
    'the tracking ids of an affiliate whose older sales were returned',
    ownTracking(BUSY, { start_date: '2025-06-02', end_date: '2025-06-30' }),
    OWN_KEYS,
    2_500,
  ],
];

/** Returns a read of what the tracking ids of an affiliate earned with a vendor. */
function ownTracking(vendor_id: number, days: Record<'start_date' | 'end_date', string>) {
  const request = { affiliate_id: OTHER, vendor_id, ...days, attribution: 'refund' } as const;
  return () => service.app.get(OwnTrackingService).trackingOf(request);
}

/** Sales of one vendor in one second, as an import of an older system can have them. */
const IN_ONE_SECOND = Number(process.env.SALES_IN_ONE_SECOND ?? 1_200);
const SECOND = '2025-06-01T10:00:00';
const EMAIL = 'busy@example.test';
/** Queries whose pages are read from the place of their cursor, by the index of each. */
const QUERIES: readonly Readonly<Record<string, string>>[] = [
  {},
  { order: 'oldest' },
  { start_date: '2025-06-01', end_date: '2025-06-01' },
  { affiliate_id: String(OTHER), date: 'sale' },
  { email: EMAIL, date: 'sale' },
  { pre_key: 'PRE-BUSY', date: 'sale' },
  { date: 'refund', start_date: '2025-06-02', end_date: '2025-06-30' },
  { refunded: 'true', affiliate_id: String(OTHER), order: 'oldest' },
];
/** Rows of a page, of the count, and of the look-ups beside them may differ by these few. */
const FEW = 60;

let service: TestService;
let log: StatementLog;
let busyKey: string;

function day(number: number): string {
  return new Date(Date.UTC(2025, 0, 1 + number)).toISOString();
}

function sales(first: number, count: number): object[] {
  return Array.from({ length: count }, (_, at) => {
    const index = first + at;
    return transaction(`T${index}`, 10, {
      sale_date: day(index % 180),
      ...(index % 180 < 90 && index % 3 === 0 ? { affiliate_id: OTHER } : {}),
      tracking: { sub_id1: `click-${index % 1_500}`, tid: `ad-${index % 5}` },
    });
  });
}

function salesInOneSecond(): object[] {
  return Array.from({ length: IN_ONE_SECOND }, (_, at) =>
    transaction(`B${at}`, 30, {
      sale_date: `${SECOND}Z`,
      affiliate_id: OTHER,
      customer: { first_name: 'Bo', last_name: 'Busy', email: EMAIL },
      pre_key: 'PRE-BUSY',
      status: 'refunded',
      refund: refund('2025-06-02T10:00:00Z'),
    }),
  );
}

/** Returns payments of subscriptions, each of a customer with an own first name. */
function namedSales(): object[] {
  return Array.from({ length: NAMED }, (_, index) =>
    transaction(`N${index}`, index % 4 === 0 ? 20 : 10, {
      pre_key: `PRE-${index}`,
      sale_date: day(170),
      customer: { first_name: `Ann${index}`, last_name: `9-${index}`, email: EMAIL },
    }),
  );
}

/** Returns the cursors of all pages of a query but the first. */
async function cursorsOf(query: Readonly<Record<string, string>>): Promise<string[]> {
  const cursors: string[] = [];
  for (let after: string | null = ''; after !== null;) {
    const parameters = { ...query, limit: '200', ...(after !== '' && { after }) };
    after = await nextAfter(parameters);
    if (after !== null) cursors.push(after);
  }
  return cursors;
}

async function nextAfter(parameters: Readonly<Record<string, string>>): Promise<string | null> {
  const path = `/ledger/v1/transactions?${new URLSearchParams(parameters).toString()}`;
  const { status, text } = await service.get(path, busyKey);
  expect(status).toBe(200);
  return (JSON.parse(text) as { meta: { next_cursor: string | null } }).meta.next_cursor;
}

/** Returns a read of one page of the account pages, from a place in the second. */
function accountPage(role: 'vendor' | 'affiliate', place: number) {
  const viewer = { role, user_id: role === 'vendor' ? BUSY : OTHER };
  const range = { start_date: '2025-06-01', end_date: '2025-06-30' };
  const request = { viewer, ...range, attribution: 'sale', kind: 'all' } as const;
  const cursor = `after-${SECOND}-${BUSY}-${place}`;
  return () => service.app.get(ReportListsService).page(request, cursor);
}

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR),
    user(OTHER),
    product(10, VENDOR),
    product(20, OTHER),
    user(BUSY),
    product(30, BUSY),
    recurringPayment('PRE-BUSY', 30),
    ...salesInOneSecond(),
    ...Array.from({ length: AGREEMENTS }, (_, index) =>
      recurringPayment(`PRE-${index}`, index % 4 === 0 ? 20 : 10, {
        id: index + 1,
        status: index % 3 === 0 ? 'CANCELED' : 'ACTIVE',
        next_date: day(180 + (index % 30)),
        created: day(180 + (index % 30)),
      }),
    ),
    ...sales(0, SALES),
    ...namedSales(),
  ]);
  // These are too few to be added to the sums.
  await service.import(sales(SALES, 20));
  busyKey = await service.key(BUSY);
  log = await StatementLog.of(service);
  if (dialect === 'sqlite') return;
  const raw = await openRaw(service.database.url);
  await raw.rows('ANALYZE TABLE recurring_payments, tracking_sums, tracking_values, transactions');
  await raw.close();
});
afterAll(() => service.stop());

async function statementsOf(ask: () => Promise<unknown>): Promise<readonly Statement[]> {
  const statements = await log.during(ask);
  expect(statements.length).toBeGreaterThan(0);
  return statements;
}

/** Merges two keys: with few values, MariaDB uses either of them to find one. */
function withEitherKey(keys: readonly string[]): string[] {
  const named = keys.map((key) => (VALUES_BY_KEY.includes(key) ? 'tracking_values' : key));
  return [...new Set(named)].sort();
}

function onMariaDb(): void {
  let connection: Connection;
  beforeAll(async () => {
    connection = await createConnection(service.database.url);
  });
  afterAll(() => connection.end());

  it.each(CASES)('%s: is read by the keys that were made for it', async (_, ask, keys) => {
    const statements = await statementsOf(ask);
    const plans = await Promise.all(statements.map((sent) => stepsOf(connection, sent)));
    const used = statements.flatMap((sent, index) => keysOf(sent, plans[index] ?? []));
    expect(withEitherKey(used)).toEqual(withEitherKey(keys));
    expect(plans.flat().filter(isScan)).toEqual([]);
  });

  it.each(CASES)('%s: is read no further than it goes', async (_name, ask, _keys, most) => {
    for (const statement of await statementsOf(ask)) {
      expect(await rowsRead(connection, statement)).toBeLessThan(most);
    }
  });

  async function readBy(ask: () => Promise<unknown>): Promise<number> {
    let read = 0;
    for (const statement of await statementsOf(ask)) read += await rowsRead(connection, statement);
    return read;
  }

  it.each(QUERIES)(
    'a page deep in one second of %j costs no more than the second',
    async (query) => {
      const cursors = await cursorsOf(query);
      const [second, deep] = [cursors[0] ?? '', cursors.at(-2) ?? ''];
      expect(cursors.length).toBeGreaterThanOrEqual(IN_ONE_SECOND / 200 - 1);
      const costOf = (after: string) => readBy(() => nextAfter({ ...query, limit: '20', after }));
      expect(await costOf(deep)).toBeLessThan((await costOf(second)) + FEW);
    },
  );

  it.each(['vendor', 'affiliate'] as const)('so does an account page of a %s', async (role) => {
    const [second, deep] = [accountPage(role, IN_ONE_SECOND - 60), accountPage(role, 200)];
    expect(await readBy(deep)).toBeLessThan((await readBy(second)) + FEW);
  });
}

function onSqlite(): void {
  let connection: SqliteConnection.Database;
  beforeAll(() => {
    connection = new SqliteConnection(service.database.url.replace(/^sqlite:/, ''));
  });
  afterAll(() => {
    connection.close();
  });

  function detailsOf(statements: readonly Statement[]): string[] {
    return statements.flatMap(({ sql, values }) =>
      connection
        .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map(({ detail }) => detail),
    );
  }

  // The sales are on every third day: for ranges joined by OR, the database would read the index of
  // all days.
  it('reads the days of an affiliate by their ranges', async () => {
    const list = () =>
      service.app.get(ReportListsService).page(
        {
          viewer: { role: 'vendor', user_id: VENDOR },
          start_date: '2025-01-10',
          end_date: '2025-06-20',
          attribution: 'refund',
          kind: 'all',
          partner_id: OTHER,
        },
        null,
      );
    const steps = detailsOf(await statementsOf(list));
    expect(steps).toContainEqual(
      expect.stringContaining('transactions_by_affiliate (affiliate_id=? AND sale_date>? AND'),
    );
    expect(steps).not.toContainEqual(
      expect.stringMatching(/^S.* transactions .*\((vendor_id|affiliate_id)=\?\)$/),
    );
    expect(steps.filter((step) => /^SCAN t\b/.test(step))).toEqual([]);
  });

  it('reads the payments of subscriptions on a page by their keys', async () => {
    const steps = detailsOf(await statementsOf(accountPage('vendor', 200)));
    expect(steps).toContainEqual(expect.stringContaining('(vendor_id=? AND pre_key=?)'));
    expect(steps.filter((step) => step.includes('pre_key>'))).toEqual([]);
  });

  it('reads the tracking ids of an affiliate by its own index', async () => {
    const range = { start_date: '2025-06-02', end_date: '2025-06-30' };
    const steps = detailsOf(await statementsOf(ownTracking(BUSY, range)));
    const ofSales = steps.filter((step) => / transactions\b/.test(step));
    expect(ofSales.length).toBeGreaterThan(0);
    const own = 'transactions_by_affiliate (affiliate_id=? AND sale_date>? AND sale_date<?';
    expect(ofSales.filter((step) => !step.includes(own))).toEqual([]);
  });

  it.each(QUERIES)('seeks the place of a page of %j within its second', async (query) => {
    const [after = ''] = await cursorsOf(query);
    const steps = detailsOf(await statementsOf(() => nextAfter({ ...query, limit: '20', after })));
    const seeks = steps.filter((step) => / transactions .*arrival>\? AND arrival<\?\)$/.test(step));
    expect(seeks.length).toBeGreaterThan(0);
    expect(steps.filter((step) => / transactions .*sale_date=\?\)$/.test(step))).toEqual([]);
  });

  it.each(CASES)('%s: is read by keys alone', async (_, ask) => {
    const steps = detailsOf(await statementsOf(ask));
    expect(steps.filter((step) => /^SCAN (?!page|range_\d|found|CONSTANT ROW)/.test(step))).toEqual(
      [],
    );
    expect(steps.filter((step) => /^SEARCH.* AUTOMATIC/.test(step))).toEqual([]);
  });
}

if (dialect === 'mysql') describe('MariaDB', onMariaDb);
else describe('SQLite', onSqlite);
