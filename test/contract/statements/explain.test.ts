/**
 * How the database reads for each hot statement: the keys that it uses, and the rows that it sorts
 * and reads.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import SqliteConnection from 'better-sqlite3';
import { createConnection, type Connection } from 'mysql2/promise';
import { VerificationService } from '../../../src/modules/verification/verification.service.js';
import { BIG, importBigLedger, multiplyBigLedger } from '../../support/builders/big-ledger.js';
import { transaction } from '../../support/builders/ledger-records.js';
import { isLargeSort, isScan, keysOf, rowsRead, stepsOf } from '../../support/sql/plans.js';
import { TestService } from '../../support/servers/service.js';
import { StatementLog, type Statement } from '../../support/sql/statements.js';
import { dialect } from '../../support/sql/test-database.js';

const YEAR = 'start_date=2025-01-01&end_date=2025-12-31';
/**
 * Each row of the largest page is read twice with its index, and once each for its affiliate and
 * vendor.
 */
const MOST_ROWS = 1_000;
/** A year's count reads its days, and the days of the sales that were refunded on each. */
const MOST_DAYS = 1_500;
const list = (range: string, page_size: number, page_index: number) =>
  `/v3.0/transactions?${range}&page_size=${page_size}&page_index=${page_index}`;
/** There are about 60 sales a day, and the refunds of the sales of 30 days before. */
const JUNE = 'start_date=2025-06-01&end_date=2025-06-30';

const BUSY_DAY = 'start_date=2024-06-05&end_date=2024-06-05';

const REVISION = 'ledger_revisions PRIMARY';
const COUNTS = [REVISION, 'refund_counts PRIMARY', 'sale_counts PRIMARY'];
const REFUNDED_DAYS = [REVISION, 'refund_counts PRIMARY'];
const BY_SALE = 'transactions transactions_by_sale';
const BY_REFUND = 'transactions transactions_by_refunded_sale';
const BY_ID = 'transactions transactions_by_id';
const BY_AFFILIATE = 'transactions transactions_by_affiliate';
const BY_PRODUCT = 'transactions transactions_by_affiliate_product';
const ROW = 'transactions PRIMARY';
const PLACES = ['transactions_by_sale', 'transactions_by_affiliate'];
const USERS = 'users PRIMARY';
/**
 * Tables behind the affiliates that a vendor sees: users, names from its own source, and names from
 * the operator.
 */
const SEEN = [USERS, 'own PRIMARY', 'given PRIMARY'];
const LOOK_UP = ['api_applications PRIMARY', 'api_keys PRIMARY', USERS];

interface Case {
  readonly name: string;
  readonly path: string;
  /** A user who is only an affiliate has no ledger, and therefore no revision. */
  readonly of?: 'vendor' | 'affiliate';
  /** The tables that each statement reads, each with the key that it uses. */
  readonly keys: readonly (readonly string[])[];
}

const CASES: readonly Case[] = [
  {
    name: 'the first page',
    path: list(YEAR, 50, 0),
    keys: [COUNTS, [REVISION, BY_SALE, ...SEEN]],
  },
  { name: 'a deep page', path: list(YEAR, 200, 90), keys: [[REVISION, BY_SALE, ...SEEN]] },
  {
    name: 'a page deep in a day',
    path: list(BUSY_DAY, 10, 15),
    keys: [COUNTS, [REVISION, ROW, BY_SALE, ...SEEN]],
  },
  {
    name: 'another page deep in the same day',
    path: list(BUSY_DAY, 10, 10),
    keys: [
      [REVISION, BY_SALE],
      [REVISION, BY_SALE, ...SEEN],
    ],
  },
  {
    name: 'a page of the refunded part',
    path: list(JUNE, 10, 175),
    keys: [COUNTS, REFUNDED_DAYS, [REVISION, ROW, BY_REFUND, ...SEEN]],
  },
  {
    name: 'a page of both parts',
    path: list(JUNE, 200, 8),
    keys: [[REVISION, ROW, BY_REFUND, BY_SALE, ...SEEN]],
  },
  {
    name: 'a page of one day',
    path: list('start_date=2025-06-05&end_date=2025-06-05', 200, 0),
    keys: [COUNTS, [REVISION, BY_SALE, ...SEEN]],
  },
  { name: 'a page that is kept', path: list(YEAR, 50, 0), keys: [[REVISION]] },
  {
    name: 'a single transaction',
    path: '/v3.0/transactions/big-6',
    keys: [[REVISION, BY_ID, ...SEEN]],
  },
  {
    name: 'a transaction detail',
    path: '/v2.1/transaction/details/big-6',
    keys: [[REVISION, BY_ID, 'payout_items PRIMARY', ...SEEN]],
  },
  {
    name: 'a summary',
    path: '/v2.0/transactions/summaries/big-6',
    keys: [[REVISION, BY_ID, ...SEEN]],
  },
  {
    name: 'the latest transactions',
    path: '/v2.0/latest-transactions',
    keys: [[REVISION, ROW, BY_SALE, ...SEEN]],
  },
  {
    name: 'the latest transactions after one',
    path: '/v2.0/latest-transactions/big-207',
    keys: [
      [REVISION, BY_ID],
      [REVISION, ROW, BY_SALE, ...SEEN],
    ],
  },
  {
    name: 'the latest transactions of an affiliate',
    path: '/v2.0/latest-affiliates-transactions',
    of: 'affiliate',
    keys: [[REVISION, ROW, BY_AFFILIATE, USERS]],
  },
  {
    name: 'the latest transactions of an affiliate after one',
    path: '/v2.0/latest-affiliates-transactions/big-207',
    of: 'affiliate',
    keys: [[BY_ID], [REVISION, ROW, BY_AFFILIATE, USERS]],
  },
  {
    name: 'the statistics of an affiliate',
    path: `/v2.1/affiliatestats/${BIG.affiliate}/products/${BIG.product}`,
    keys: [
      ['products PRIMARY'],
      [...SEEN],
      ['daily_clicks PRIMARY'],
      ['affiliate_sales PRIMARY', BY_PRODUCT],
    ],
  },
];

let service: TestService;
let log: StatementLog;
let keys: Record<'vendor' | 'affiliate', string>;

beforeAll(async () => {
  service = await TestService.start();
  await importBigLedger(service);
  keys = {
    vendor: await service.key(BIG.vendor),
    affiliate: await service.key(BIG.affiliate),
  };
  log = await StatementLog.of(service);
});
afterAll(() => service.stop());

/** Imports more sales of a day than a page skips in the order of the index. */
async function importBusyDay(): Promise<void> {
  const sales = Array.from({ length: 200 }, (_, index) => {
    const time = new Date(index * 300_000).toISOString().slice(11);
    return transaction(`busy-${index}`, BIG.product, { sale_date: `2024-06-05T${time}` });
  });
  await service.import(sales);
}

function statementsOf({ path, of = 'vendor' }: Case): Promise<readonly Statement[]> {
  return log.during(async () => {
    expect((await service.get(path, keys[of])).status).toBe(200);
  });
}

function onMariaDb(): void {
  let connection: Connection;

  beforeAll(async () => {
    await multiplyBigLedger(service);
    await importBusyDay();
    connection = await createConnection(service.database.url);
  });
  afterAll(() => connection.end());

  it('which is a ledger that verifies, except for the JSON of the copies', async () => {
    // The copies have the stored JSON of their originals.
    expect(await service.app.get(VerificationService).differences()).toEqual([
      { figure: 'transactions with wrong rendered bytes of vendor 1', kept: 19_600, actual: 0 },
      { figure: 'transactions with wrong rendered bytes of vendor 3', kept: 4_900, actual: 0 },
    ]);
  });

  describe.each(CASES)('$name', (each) => {
    let statements: readonly Statement[];
    beforeAll(async () => {
      statements = await statementsOf(each);
    });

    it('uses the intended indexes, and sorts one page at a time', async () => {
      const plans = await Promise.all(statements.map((sent) => stepsOf(connection, sent)));
      const found = statements.map((sent, index) => keysOf(sent, plans[index] ?? []));
      expect(found).toEqual(each.keys.map((tables) => [...tables].sort()));
      expect(plans.flat().filter(isScan)).toEqual([]);
      expect(plans.flat().filter(isLargeSort)).toEqual([]);
    });

    it('reads no further than its page', async () => {
      for (const statement of statements) {
        const isCounts = statement.sql.includes('sale_counts');
        expect(await rowsRead(connection, statement)).toBeLessThan(
          isCounts ? MOST_DAYS : MOST_ROWS,
        );
      }
    });
  });

  it('the position in a feed has only one query plan, whatever the optimizer estimates', async () => {
    for (const each of CASES.filter(({ path }) => path.includes('/latest-'))) {
      const statements = await statementsOf(each);
      const plans = await Promise.all(statements.map((sent) => stepsOf(connection, sent)));
      const found = plans.flat().filter(({ key }) => key !== null && PLACES.includes(key));
      // The statements read sales of the same second, by an affiliate for the same vendor and for
      // others, and later ones.
      expect(found).toHaveLength(each.of === 'affiliate' ? 3 : 2);
      expect(found.map(({ keys }) => keys)).toEqual(found.map(({ key }) => key));
    }
  });

  it('the lookup of a key uses primary keys', async () => {
    const of = await service.key(BIG.vendor);
    const [statement] = await log.allDuring(() => service.get('/v3.0', of));
    if (statement === undefined) throw new Error('no look-up');
    const steps = await stepsOf(connection, statement);
    expect(keysOf(statement, steps)).toEqual(LOOK_UP);
    expect(steps.filter(isScan)).toEqual([]);
  });
}

function onSqlite(): void {
  beforeAll(importBusyDay);

  it.each(CASES)('$name uses only indexes', async (each) => {
    const connection = new SqliteConnection(service.database.url.replace(/^sqlite:/, ''));
    for (const { sql, values } of await statementsOf(each)) {
      const plan = connection.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      const steps = plan.all(...values).map(({ detail }) => detail);
      // A derived table holds at most a page, and has the name that its statement gives it.
      const scans = steps.filter((step) => /^SCAN (?!page|sold|refunded|range_\d|next)/.test(step));
      expect(scans).toEqual([]);
    }
    connection.close();
  });
}

if (dialect === 'mysql') describe('MariaDB, on a ledger of 25,000 transactions', onMariaDb);
else describe('SQLite', onSqlite);
