/**
 * How the database reads for subscriptions and tracking: the keys that it uses, and the number of
 * rows.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteConnection from 'better-sqlite3';
import { createConnection, type Connection } from 'mysql2/promise';
import { RecurringListsService } from '../../../src/modules/recurring/list/recurring-lists.service.js';
import { ReportListsService } from '../../../src/modules/reports/lists/report-lists.service.js';
import { TrackingReportService } from '../../../src/modules/reports/tracking/tracking-report.service.js';
import {
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { isScan, keysOf, rowsRead, stepsOf } from '../../support/sql/plans.js';
import { StatementLog, type Statement } from '../../support/sql/statements.js';
import { openRaw } from '../../support/sql/raw-connection.js';
import { dialect } from '../../support/sql/test-database.js';

const [VENDOR, OTHER] = [1, 2];
const AGREEMENTS = 3_000;
/** This is more than the number of sales that wait before they are added to the sums. */
const SALES = 8_000;
/** A page of 50 merges and sorts three ranges. */
const MOST_OF_PAGE = 450;
const VALUES_BY_KEY = ['tracking_values PRIMARY', 'tracking_values tracking_values_by_value'];

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
  ['what is due', () => lists().upcoming(VENDOR), ['recurring_sums PRIMARY'], MOST_OF_PAGE],
  [
    'a tracking report',
    () =>
      service.app.get(TrackingReportService).report({
        vendor_id: VENDOR,
        field: 'sub_id1',
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
];

let service: TestService;
let log: StatementLog;

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

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR),
    user(OTHER),
    product(10, VENDOR),
    product(20, OTHER),
    ...Array.from({ length: AGREEMENTS }, (_, index) =>
      recurringPayment(`PRE-${index}`, index % 4 === 0 ? 20 : 10, {
        id: index + 1,
        status: index % 3 === 0 ? 'CANCELED' : 'ACTIVE',
        next_date: day(180 + (index % 30)),
        created: day(180 + (index % 30)),
      }),
    ),
    ...sales(0, SALES),
  ]);
  // These are too few to be added to the sums.
  await service.import(sales(SALES, 20));
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

  it.each(CASES)('%s: is read by keys alone', async (_, ask) => {
    const steps = detailsOf(await statementsOf(ask));
    expect(steps.filter((step) => /^SCAN (?!page|range_\d|found)/.test(step))).toEqual([]);
    expect(steps.filter((step) => /^SEARCH.* AUTOMATIC/.test(step))).toEqual([]);
  });
}

if (dialect === 'mysql') describe('MariaDB', onMariaDb);
else describe('SQLite', onSqlite);
