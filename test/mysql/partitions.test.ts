/** A ledger whose transactions are partitioned by month, as docs/operating/partitions.md describes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { VerificationService } from '../../src/modules/verification/verification.service.js';
import { BIG, importBigLedger, multiplyBigLedger } from '../support/builders/big-ledger.js';
import { walk } from '../support/http/feeds.js';
import {
  payoutItem,
  product,
  refund,
  transaction,
  user,
} from '../support/builders/ledger-records.js';
import { partition, takeOutMonth } from '../support/sql/partitions.js';
import { rowsRead } from '../support/sql/plans.js';
import { openRaw, type RawConnection } from '../support/sql/raw-connection.js';
import { resultOf } from '../support/http/results.js';
import { TestService } from '../support/servers/service.js';
import { StatementLog, type Statement } from '../support/sql/statements.js';

const [VENDOR, AFFILIATE, OTHER] = [1, 2, 3];
const MONTHS = ['2024-12', '2025-01', '2025-02', '2025-03', '2025-04'];
const LIST = '/v3.0/transactions?page_size=200';

let service: TestService;
let raw: RawConnection;

async function begin(): Promise<void> {
  service = await TestService.start();
  raw = await openRaw(service.database.url);
}
async function end(): Promise<void> {
  await raw.close();
  await service.stop();
}

function differences(): Promise<unknown> {
  return service.app.get(VerificationService).differences();
}

/** Returns a sale by the affiliate on the 10th of a month. */
function saleIn(month: string, changes = {}) {
  return transaction(`of-${month}`, 10, {
    sale_date: `${month}-10T12:00:00Z`,
    affiliate_id: AFFILIATE,
    payout_items: [payoutItem(VENDOR)],
    ...changes,
  });
}

describe('a ledger that is partitioned after its first imports', () => {
  let key: string;
  let affiliateKey: string;
  beforeAll(async () => {
    await begin();
    await service.import([
      user(VENDOR),
      user(AFFILIATE),
      user(OTHER),
      product(10, VENDOR),
      product(30, OTHER),
      ...MONTHS.slice(0, 3).map((month) => saleIn(month)),
    ]);
    await partition(service.database.url);
    await service.import(MONTHS.slice(3).map((month) => saleIn(month)));
    [key, affiliateKey] = [await service.key(VENDOR), await service.key(AFFILIATE)];
  });
  afterAll(end);

  async function idsOf(range: string): Promise<unknown[]> {
    const { results } = await service.envelope(`${LIST}&${range}`, key);
    return results.map(({ transaction_id }) => transaction_id);
  }

  it('shows lists, single transactions and feeds over the months', async () => {
    expect(await idsOf('start_date=2025-01-01&end_date=2025-03-31')).toEqual(
      MONTHS.slice(1, 4)
        .map((month) => `of-${month}`)
        .reverse(),
    );
    const detail = await resultOf(service, '/v2.1/transaction/details/of-2025-02', key);
    expect(detail).toMatchObject({ transactionPayouts: [{ payee_user_id: '1' }] });
    const all = MONTHS.map((month) => `of-${month}`);
    expect((await walk(service, '/v2.0/latest-transactions', key)).flat()).toEqual(all);
    const feed = '/v2.0/latest-affiliates-transactions';
    expect((await walk(service, feed, affiliateKey, all[0])).flat()).toEqual(all.slice(1));
  });

  it('keeps a transaction once that comes again as sold in another month, and back', async () => {
    for (const sale_date of ['2025-03-20T00:00:00Z', '2030-01-01T00:00:00Z']) {
      await service.import([saleIn('2025-02', { sale_date, payout_items: [] })]);
      const found = await raw.rows(
        "SELECT sale_date FROM transactions WHERE transaction_id = 'of-2025-02'",
      );
      expect(found).toHaveLength(1);
      expect(await differences()).toEqual([]);
    }
    await service.import([saleIn('2025-02')]);
    expect(await idsOf('start_date=2025-02-01&end_date=2025-02-28')).toEqual(['of-2025-02']);
    expect(await differences()).toEqual([]);
  });

  it('takes an id once, whichever of two vendors comes with it at the same time', async () => {
    const moments: Readonly<Record<number, string>> = { 10: '2025-01-01', 30: '2025-03-01' };
    for (let index = 0; index < 20; index += 1) {
      const both = Object.entries(moments).map(([product_id, day]) =>
        service.import([
          transaction(`wanted-${index}`, Number(product_id), { sale_date: `${day}T00:00:00Z` }),
        ]),
      );
      const taken = (await Promise.allSettled(both)).map(({ status }) => status);
      expect(taken.sort()).toEqual(['fulfilled', 'rejected']);
    }
    const found = await raw.rows(
      "SELECT transaction_id FROM transactions WHERE transaction_id LIKE 'wanted%'",
    );
    expect(found).toHaveLength(20);
    expect(await differences()).toEqual([]);
  });

  it('takes the next month in, where the last partition is split', async () => {
    await raw.run(`ALTER TABLE transactions REORGANIZE PARTITION after_all INTO (
      PARTITION p202701 VALUES LESS THAN ('2027-02-01'),
      PARTITION after_all VALUES LESS THAN (MAXVALUE))`);
    await service.import([saleIn('2027-01')]);
    const found = await raw.rows('SELECT transaction_id FROM transactions PARTITION (p202701)');
    expect(found).toEqual([{ transaction_id: 'of-2027-01' }]);
    expect(await idsOf('start_date=2027-01-01&end_date=2027-12-31')).toEqual(['of-2027-01']);
  });

  it('gives a month away, with all that is summed up from it', async () => {
    const refunded = { status: 'refunded', refund: refund('2025-03-02T00:00:00Z') };
    await service.import([
      saleIn('2025-01', { ...refunded, affiliate_commission_status: 'PAID' }),
      saleIn('2025-02', refunded),
      transaction('back', 10, {
        ...refunded,
        status: 'charged_back',
        sale_date: '2025-01-31T23:59:59Z',
      }),
      transaction('open', 10, { status: 'pending', sale_date: '2025-01-01T00:00:00Z' }),
    ]);
    // The last arrival is in another month, and verify reads it.
    await service.import([transaction('last', 10, { sale_date: '2025-04-30T00:00:00Z' })]);
    const year = 'start_date=2025-01-01&end_date=2025-03-31';
    const before = await idsOf(year);
    const rows = await raw.rows('SELECT transaction_id FROM transactions PARTITION (p202501)');
    const gone = new Set(rows.map(({ transaction_id }) => transaction_id));
    expect(gone.size).toBeGreaterThan(2);
    await takeOutMonth(service.database.url, '2025-01');
    expect(await differences()).toEqual([]);
    expect(await idsOf(year)).toEqual(before.filter((id) => !gone.has(String(id))));
    expect(await raw.rows('SELECT vendor_id FROM payout_items_202501')).toHaveLength(1);
    // A removed sale may be imported again.
    await service.import([saleIn('2025-01')]);
    expect(await differences()).toEqual([]);
  });
});

describe('25,000 transactions of a year, partitioned', () => {
  let connection: Connection;
  let log: StatementLog;
  let key: string;
  let affiliateKey: string;
  beforeAll(async () => {
    await begin();
    await importBigLedger(service);
    await multiplyBigLedger(service);
    await partition(service.database.url);
    await raw.rows('ANALYZE TABLE transactions');
    connection = await createConnection(service.database.url);
    log = await StatementLog.of(service);
    [key, affiliateKey] = [await service.key(BIG.vendor), await service.key(BIG.affiliate)];
  });
  afterAll(async () => {
    await connection.end();
    await end();
  });

  /**
   * Returns the partitions of the step that finds the keys. Other steps read one partition for each
   * row, which the join determines.
   */
  async function partitionsOf({ sql, values }: Statement): Promise<string[]> {
    const [version] = await connection.query<RowDataPacket[]>('SELECT VERSION() AS version');
    const isMariaDb = /mariadb/i.test(JSON.stringify(version));
    const explain = isMariaDb ? 'EXPLAIN PARTITIONS' : 'EXPLAIN FORMAT=TRADITIONAL';
    const [steps] = await connection.query<RowDataPacket[]>(
      `${explain} ${connection.format(sql, [...values])}`,
    );
    const found = steps.filter(
      ({ table, key: used }) =>
        table === 'transactions' || String(used).startsWith('transactions_by_'),
    );
    return found.map(({ partitions }) => String(partitions));
  }

  it.each([
    ['a list of one month', `${LIST}&start_date=2025-06-01&end_date=2025-06-30`, /^p202506$/],
    [
      'a list of a quarter',
      `${LIST}&start_date=2025-04-01&end_date=2025-06-30`,
      /^(p20250[456],?)+$/,
    ],
    ['the feed after a sale', '/v2.0/latest-transactions/big-207', /^p20250[5-9](,.*after_all)?$/],
    ['a single transaction', '/v3.0/transactions/big-6', /^before_all,.*after_all$/],
  ])('%s looks for its keys in the partitions of its days alone', async (_name, path, wanted) => {
    const statements = await log.during(() => service.get(path, key));
    const found = await Promise.all(statements.map(partitionsOf));
    expect(found.flat().at(-1)).toMatch(wanted);
  });

  it.each([
    ['a page', `${LIST}&start_date=2025-01-01&end_date=2025-12-31`, 'vendor', 1_500],
    ['the latest transactions', '/v2.0/latest-transactions', 'vendor', 1_500],
    // MySQL, unlike MariaDB, sorts the 3,200 later sales of the affiliate.
    ['those of an affiliate', '/v2.0/latest-affiliates-transactions/big-207', 'affiliate', 4_500],
  ])('%s fetches each row from one partition', async (_name, path, of, most) => {
    const statements = await log.during(() =>
      service.get(path, of === 'vendor' ? key : affiliateKey),
    );
    const page = statements.at(-1);
    if (page === undefined) throw new Error('no statement');
    // A look-up in each partition for each row would read thousands of rows more.
    expect(await rowsRead(connection, page)).toBeLessThan(most);
  });
});
