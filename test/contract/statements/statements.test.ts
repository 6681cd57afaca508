/** The cost of a request on the database: the number of statements, and the tables of each. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { basic } from '../../support/http/http.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { isKeyLookUp, StatementLog, tablesOf } from '../../support/sql/statements.js';

const REVISION = ['ledger_revisions'];
const COUNTS = ['ledger_revisions', 'refund_counts', 'sale_counts'];
const REFUNDED_DAYS = ['ledger_revisions', 'refund_counts'];
/** An affiliate sees its own name, whatever its origin. */
const PAGE_OF_AFFILIATE = ['ledger_revisions', 'transactions', 'users'];
const SEEN = ['users', 'vendor_affiliates', 'vendor_users'];
const PAGE = ['ledger_revisions', 'transactions', ...SEEN];
const PAGE_WITHOUT_NAMES = ['ledger_revisions', 'transactions'];
const DETAIL = ['ledger_revisions', 'payout_items', 'transactions', ...SEEN];
const POSITION = ['transactions'];
const POSITION_OF_VENDOR = ['ledger_revisions', 'transactions'];

const SINGLES = [
  ['/v3.0/transactions/sold-1', PAGE],
  ['/v2.1/transaction/details/sold-1', DETAIL],
  ['/v2.0/transactions/summaries/sold-1', PAGE],
] as const;
const FOREIGN = { 'If-None-Match': '"of-something-else"' };
const [VENDOR, AFFILIATE, OTHER_AFFILIATE] = [1, 3, 5];

let service: TestService;
let log: StatementLog;
let key: string;
let affiliateKey: string;
let imports = 0;
let ranges = 0;
/** A range that has not been requested yet, with 30 sales and 15 refunds of earlier sales. */
let range: string;

const pageOf = (page_size: number, page_index: number) =>
  `/v3.0/transactions?${range}&page_size=${page_size}&page_index=${page_index}`;
const asked = (path: string, headers = {}) => service.get(path, key, headers);

/** Returns the tables of each statement of a request, in order. */
async function costOf(path: string, headers = {}, of = key): Promise<string[][]> {
  return (await log.during(() => service.get(path, of, headers))).map(tablesOf);
}

async function tagOf(path: string): Promise<string> {
  return String((await asked(path)).headers.etag);
}

/**
 * Imports a sale, which increases the revision. An old one leaves the pages of every range
 * unchanged.
 */
function write(sale_date = '2001-01-01T00:00:00Z') {
  imports += 1;
  return service.import([transaction(`early-${imports}`, 10, { sale_date })]);
}

async function begin(environment = {}): Promise<void> {
  service = await TestService.start(environment);
  await service.import([
    user(VENDOR),
    user(AFFILIATE),
    product(10, VENDOR),
    ...Array.from({ length: 30 }, (_, index) => {
      const sale_date = `2025-06-${String(1 + (index % 15)).padStart(2, '0')}T08:00:00Z`;
      return transaction(`sold-${index}`, 10, { sale_date, affiliate_id: AFFILIATE });
    }),
    ...Array.from({ length: 15 }, (_, index) =>
      transaction(`refunded-${index}`, 10, {
        sale_date: `2025-05-${10 + index}T08:00:00Z`,
        refund: refund('2025-06-15T00:00:00Z'),
      }),
    ),
  ]);
  key = await service.key(VENDOR);
  affiliateKey = await service.key(AFFILIATE);
  log = await StatementLog.of(service);
}

beforeEach(() => {
  ranges += 1;
  const end = new Date(Date.UTC(2026, 0, ranges)).toISOString().slice(0, 10);
  range = `start_date=2025-06-01&end_date=${end}`;
});

describe('a page of the list', () => {
  beforeAll(() => begin());
  afterAll(() => service.stop());

  it('that was never requested costs two statements', async () => {
    expect(await costOf(pageOf(10, 0))).toEqual([COUNTS, PAGE]);
  });

  it('that was requested before costs one read of the revision', async () => {
    await asked(pageOf(10, 0));
    expect(await costOf(pageOf(10, 0))).toEqual([REVISION]);
  });

  it('costs one statement if another page of the range was requested before', async () => {
    await asked(pageOf(10, 0));
    expect(await costOf(pageOf(10, 1))).toEqual([PAGE]);
  });

  it('with refunds costs one statement more, and then no more', async () => {
    expect(await costOf(pageOf(20, 1))).toEqual([COUNTS, REFUNDED_DAYS, PAGE]);
    expect(await costOf(pageOf(10, 4))).toEqual([PAGE]);
    expect(await costOf(pageOf(40, 0))).toEqual([PAGE]);
    expect(await costOf(pageOf(40, 0))).toEqual([REVISION]);
  });

  it.each([
    [10, [REVISION, COUNTS, PAGE]],
    [40, [REVISION, COUNTS, REFUNDED_DAYS, PAGE]],
  ])('of %i is read again after a write, and then the revision only', async (page_size, cost) => {
    await asked(pageOf(page_size, 0));
    await write();
    expect(await costOf(pageOf(page_size, 0))).toEqual(cost);
    expect(await costOf(pageOf(page_size, 0))).toEqual([REVISION]);
  });

  it('costs two statements after a write outside its range, if only another page was requested before', async () => {
    await asked(pageOf(10, 0));
    await write();
    expect(await costOf(pageOf(10, 1))).toEqual([PAGE, COUNTS]);
  });

  it('costs three statements after a write in its range, if only another page was requested before', async () => {
    await asked(pageOf(10, 0));
    await write('2026-01-01T00:00:00Z');
    expect(await costOf(pageOf(10, 1))).toEqual([PAGE, COUNTS, PAGE]);
  });

  it('of an empty range costs one statement, and one when requested again', async () => {
    const path = `/v3.0/transactions?start_date=1990-01-01&end_date=1990-02-01`;
    expect(await costOf(path)).toEqual([COUNTS]);
    expect(await costOf(path)).toEqual([REVISION]);
  });

  it('is the same page if only ignored parameters, their order or the encoding differ', async () => {
    const path = pageOf(10, 0);
    const [address = '', query = ''] = path.split('?');
    expect(await costOf(path)).toEqual([COUNTS, PAGE]);
    for (const other of [
      `${path}&other=1`,
      `${address}?other=2&${query.split('&').reverse().join('&')}`,
      `${address}?${query.replaceAll('-', '%2D')}`,
    ]) {
      const tag = await tagOf(path);
      const answer = await asked(other);
      expect(answer.text).toBe((await asked(path)).text);
      expect(answer.headers.etag).not.toBe(tag);
      expect(await costOf(other)).toEqual([REVISION]);
      expect((await asked(other, { 'If-None-Match': answer.headers.etag })).status).toBe(304);
    }
    expect(await costOf(pageOf(10, 1))).toEqual([PAGE]);
  });

  it('past the end costs one statement, whatever was requested before', async () => {
    expect(await costOf(pageOf(200, 9))).toEqual([COUNTS]);
    expect(await costOf(pageOf(200, 9))).toEqual([REVISION]);
    expect(await costOf(pageOf(200, 8))).toEqual([COUNTS]);
  });

  it('that the client has costs one read of the revision', async () => {
    const headers = { 'If-None-Match': await tagOf(pageOf(10, 0)) };
    expect(await costOf(pageOf(10, 0), headers)).toEqual([REVISION]);
  });

  it('with another tag costs one more read of the revision', async () => {
    await write();
    expect(await costOf(pageOf(10, 0), FOREIGN)).toEqual([REVISION, COUNTS, PAGE]);
    expect(await costOf(pageOf(10, 1), FOREIGN)).toEqual([REVISION, PAGE]);
    expect(await costOf(pageOf(10, 1), FOREIGN)).toEqual([REVISION]);
  });

  it('with the tag of an earlier revision costs three statements', async () => {
    const tag = await tagOf(pageOf(10, 0));
    await write();
    const headers = { 'If-None-Match': tag };
    expect(await costOf(pageOf(10, 0), headers)).toEqual([REVISION, COUNTS, PAGE]);
  });

  it('costs the same by HEAD', async () => {
    const head = () => service.send({ method: 'HEAD', path: pageOf(10, 0), headers: basic(key) });
    expect((await log.during(head)).map(tablesOf)).toEqual([COUNTS, PAGE]);
    expect((await log.during(head)).map(tablesOf)).toEqual([REVISION]);
  });

  it('costs nothing if the query is invalid', async () => {
    expect(await costOf('/v3.0/transactions?start_date=yesterday')).toEqual([]);
  });
});

describe('without a page cache, a page of the list', () => {
  beforeAll(() => begin({ PAGE_CACHE_MB: '0' }));
  afterAll(() => service.stop());

  it('reads the counts of a range once, and the page each time', async () => {
    expect(await costOf(pageOf(10, 0))).toEqual([COUNTS, PAGE]);
    expect(await costOf(pageOf(10, 0))).toEqual([PAGE]);
    expect(await costOf(pageOf(40, 0))).toEqual([REFUNDED_DAYS, PAGE]);
    expect(await costOf(pageOf(40, 0))).toEqual([PAGE]);
  });

  it('costs one read of the revision if the client has it', async () => {
    const headers = { 'If-None-Match': await tagOf(pageOf(10, 0)) };
    expect(await costOf(pageOf(10, 0), headers)).toEqual([REVISION]);
  });

  it('costs three statements with another tag', async () => {
    expect(await costOf(pageOf(10, 0), FOREIGN)).toEqual([REVISION, COUNTS, PAGE]);
  });

  const namesOn = async (path: string) =>
    (await service.envelope(path, key)).results.map(({ affiliate }) => affiliate);

  it('reads no names that earlier pages of the same revision revealed', async () => {
    for (const index of [0, 1, 2, 3, 4]) await asked(pageOf(5, index));
    expect(await costOf(pageOf(5, 5))).toEqual([PAGE_WITHOUT_NAMES]);
    await service.import([user(AFFILIATE, { display_name: 'Renamed' })]);
    for (const index of [0, 1, 2, 3, 4, 5]) {
      const shown = { id: AFFILIATE, display_name: 'Renamed' };
      expect(await namesOn(pageOf(5, index))).toEqual(Array.from({ length: 5 }, () => shown));
    }
  });

  it('is read again with its names if one of them is unknown', async () => {
    const sale_date = '2025-06-01T00:00:00Z';
    await service.import([
      user(OTHER_AFFILIATE, { display_name: 'Rare' }),
      transaction('rare', 10, { sale_date, affiliate_id: OTHER_AFFILIATE }),
    ]);
    for (const index of [0, 1, 2, 3, 4]) await asked(pageOf(5, index));
    expect(await costOf(pageOf(1, 30))).toEqual([PAGE_WITHOUT_NAMES, PAGE]);
    expect(await namesOn(pageOf(1, 30))).toEqual([{ id: OTHER_AFFILIATE, display_name: 'Rare' }]);
  });
});

describe('other operations', () => {
  beforeAll(() => begin());
  afterAll(() => service.stop());

  it.each(SINGLES)('%s costs one statement', async (path, tables) => {
    expect(await costOf(path)).toEqual([tables]);
  });

  it.each(SINGLES)('%s costs one read of the revision if the client has it', async (path, _) => {
    expect(await costOf(path, { 'If-None-Match': await tagOf(path) })).toEqual([REVISION]);
  });

  it.each(SINGLES)('%s costs two with another tag', async (path, tables) => {
    expect(await costOf(path, FOREIGN)).toEqual([REVISION, tables]);
  });

  it('the latest transactions cost one statement, and one more after a transaction', async () => {
    const path = '/v2.0/latest-transactions';
    expect(await costOf(path)).toEqual([PAGE]);
    expect(await costOf(`${path}/sold-1`)).toEqual([POSITION_OF_VENDOR, PAGE]);
    expect(await costOf(`${path}/none`)).toEqual([POSITION_OF_VENDOR, PAGE]);
    expect(await costOf(`${path}/${'x'.repeat(65)}`)).toEqual([PAGE]);
    expect(await costOf(path, { 'If-None-Match': await tagOf(path) })).toEqual([REVISION]);
  });

  it('the latest transactions of an affiliate cost the same, without a tag', async () => {
    const path = '/v2.0/latest-affiliates-transactions';
    expect(await costOf(path, FOREIGN, affiliateKey)).toEqual([PAGE_OF_AFFILIATE]);
    expect(await costOf(`${path}/sold-1`, FOREIGN, affiliateKey)).toEqual([
      POSITION,
      PAGE_OF_AFFILIATE,
    ]);
  });

  it('the statistics cost four statements: two parties, clicks, and sums with first and last sale', async () => {
    expect(await costOf(`/v2.1/affiliatestats/${AFFILIATE}/products/10`)).toEqual([
      ['products'],
      SEEN,
      ['daily_clicks'],
      ['affiliate_sales', 'transactions'],
    ]);
  });

  it('the first request with a key costs one lookup, and the next none', async () => {
    const lookUps = async (of: string) =>
      (await log.allDuring(() => service.get('/v3.0', of))).filter(
        // The use of a key is noted once a minute, and no request waits for it.
        (statement) => isKeyLookUp(statement) && !statement.sql.startsWith('UPDATE'),
      ).length;
    // On a slow machine, the second for which a key is cached may be over.
    for (let tried = 0; tried < 20; tried += 1) {
      const of = await service.key(VENDOR);
      const begun = Date.now();
      const found = [await lookUps(of), await lookUps(of), await lookUps(of)];
      if (Date.now() - begun >= 1_000) continue;
      expect(found).toEqual([1, 0, 0]);
      return;
    }
    throw new Error('no three requests in a second');
  });
});
