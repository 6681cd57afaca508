/** Reads of personal data: the service counts them and shows them to the vendor. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PageCache } from '../../../src/api/cache/page-cache.js';
import { PersonalReadLog } from '../../../src/modules/privacy/reads/personal-read-log.service.js';
import type { KeptReads } from '../../../src/modules/privacy/reads/personal-read.model.js';
import { PersonalReadsService } from '../../../src/modules/privacy/reads/personal-reads.service.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { pagesRouter } from '../../../src/platform/pages/serve-pages.js';
import { pagePathsOf } from '../../support/browser/page-routes.js';
import { Visitor } from '../../support/browser/visitor.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { basic, type Answer } from '../../support/http/http.js';
import { operationsOf, VERSIONS } from '../../support/oracles/operations.js';
import { runCli } from '../../support/processes/cli.js';
import { TestService } from '../../support/servers/service.js';
import { openRaw } from '../../support/sql/raw-connection.js';

const [VENDOR, OTHER, AFFILIATE] = [1, 2, 100];
const RANGE = 'start_date=2025-06-01&end_date=2025-06-30';
const JUNE = { first_day: '2025-06-01', last_day: '2025-06-30' };
const ANY_DAY = { first_day: null, last_day: null };
const TRANSACTIONS_PAGE = '/account/reports/transactions?from=2025-06-01&to=2025-06-30';
const DATE = '2025-06-05T12:00:00Z';
const ON = { PERSONAL_DATA_READS: 'on' };
const ALL = { first_day: null, last_day: null, record: null };

let service: TestService;
let keys: Record<'full' | 'masked' | 'affiliate', string>;
let visitor: Visitor;
beforeAll(async () => {
  service = await TestService.start(ON);
  await service.import([
    user(VENDOR),
    user(OTHER),
    user(AFFILIATE),
    product(10, VENDOR),
    product(20, OTHER),
    affiliation(AFFILIATE, 10),
    recurringPayment('PRE', 10),
    transaction('FIRST', 10, { sale_date: DATE }),
    transaction('SALE', 10, { sale_date: DATE, pre_key: 'PRE' }),
    transaction('SOLD', 10, { sale_date: new Date().toISOString(), affiliate_id: AFFILIATE }),
    transaction('OTHERS', 20, { sale_date: DATE }),
  ]);
  keys = {
    full: await service.key(VENDOR),
    masked: await service.key(VENDOR, 'masked'),
    affiliate: await service.key(AFFILIATE),
  };
  visitor = await Visitor.signedIn(service, VENDOR);
});
afterAll(() => service.stop());

async function kept(vendor_id = VENDOR): Promise<readonly KeptReads[]> {
  await service.app.get(PersonalReadLog).flush();
  const reads = service.app.get(PersonalReadsService);
  return (await reads.page({ vendor_id, ...ALL }, null, 1_000)).reads;
}

function nameOf({ writer, number }: KeptReads): string {
  return `${writer} ${number}`;
}

/** Returns the reads that are noted while `work` runs. */
async function notedOf(work: () => Promise<unknown>, vendor_id = VENDOR): Promise<KeptReads[]> {
  const before = new Set((await kept(vendor_id)).map(nameOf));
  await work();
  return (await kept(vendor_id)).filter((read) => !before.has(nameOf(read)));
}

function ofRecord(operation: string, record: string): object {
  return { operation, record_keys: `\n${record}\n`, ...ANY_DAY, records: 1, times: 1 };
}

function ofList(operation: string, records: number | null, days: object = ANY_DAY): object {
  return { operation, record_keys: null, ...days, records, times: 1 };
}

const OPERATIONS: readonly (readonly [path: string, noted: object])[] = [
  ['/v3.0/transactions/SALE', ofRecord('getTransaction', 'SALE')],
  ['/v2.1/transaction/details/SALE', ofRecord('getTransactionDetail', 'SALE')],
  ['/v2.0/transactions/summaries/SALE', ofRecord('getTransactionSummary', 'SALE')],
  ['/v2.0/recurring_payment/PRE', ofRecord('getRecurringPayment', 'PRE')],
  [`/v3.0/transactions?${RANGE}`, ofList('listTransactions', 2, JUNE)],
  ['/v2.0/latest-transactions', ofList('listLatestTransactions', 3)],
  ['/ledger/v1/changes?kinds=transaction,recurring_payment', ofList('listChanges', 4)],
  ['/ledger/v1/customers?email=customer%40example.test', ofList('queryCustomers', 1)],
  [`/ledger/v1/transactions.ndjson?${RANGE}`, ofList('exportNdjson', 2, JUNE)],
  ['/ledger/v1/transactions.csv', ofList('exportCsv', 3)],
  ['/ledger/v1/transactions.parquet', ofList('exportParquet', 3)],
];
const PAGES: readonly (readonly [path: string, noted: object])[] = [
  ['/account/transactions/SALE', ofRecord('page.transaction', 'SALE')],
  ['/account/search?q=SALE', ofRecord('page.search', 'SALE')],
  ['/account/customers?email=customer%40example.test', ofList('page.customer', 3)],
  ['/account/subscriptions', ofList('page.subscriptions', 1)],
  ['/account/subscriptions/PRE', ofRecord('page.subscription', 'PRE')],
  [TRANSACTIONS_PAGE, ofList('page.transactions', 2, JUNE)],
  [TRANSACTIONS_PAGE.replace('?', '.csv?'), ofList('page.csv', null, JUNE)],
  [TRANSACTIONS_PAGE.replace('?', '.ndjson?'), ofList('page.ndjson', null, JUNE)],
  [TRANSACTIONS_PAGE.replace('?', '.parquet?'), ofList('page.parquet', null, JUNE)],
  ['/account/people.json?email=customer%40example.test', ofList('page.person', 3)],
];

/** Values of the customer in the ledger, as no request writes them. */
const PERSONAL = ['Byron', 'customer@', 'processor@', 'contact@', 'sender@'];
/** Values for the parameters of every path of an operation that reads. */
const IN_PATHS: Readonly<Record<string, string>> = {
  transaction_id: 'SALE',
  paykey: 'FIRST',
  preKey: 'PRE',
  product_id: '10',
  affiliate_id: '100',
  id: '1',
  token: 'none',
};

function filled(template: string): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = IN_PATHS[name];
    if (value === undefined) throw new Error(`the test has no value for ${name} of ${template}`);
    return value;
  });
}

/** Expects that an answer is noted if it shows the customer, and otherwise is not. */
async function expectNotedIfShown(path: string, ask: () => Promise<Answer>): Promise<boolean> {
  const log = service.app.get(PersonalReadLog);
  await log.flush();
  const { kept: before } = log.counts;
  const { text, headers } = await ask();
  await log.flush();
  const isNoted = log.counts.kept > before;
  // The values in a Parquet file are compressed.
  const isReadable = !String(headers['content-type']).includes('parquet');
  const isShown = isReadable ? PERSONAL.some((value) => text.includes(value)) : isNoted;
  expect([path, isNoted]).toEqual([path, isShown]);
  return isShown;
}

describe('a read of personal data', () => {
  it('is noted by every operation and only if it shows some', async () => {
    const operations = await Promise.all(
      VERSIONS.map((version) => operationsOf(service, version, keys.full)),
    );
    const reading = operations.flat().filter((name) => name.startsWith('GET '));
    let shown = 0;
    for (const name of reading) {
      const path = `${filled(name.slice('GET '.length))}?${RANGE}`;
      const key = path.includes('affiliates-transactions') ? keys.affiliate : keys.full;
      if (await expectNotedIfShown(path, () => service.get(path, key))) shown += 1;
    }
    expect(shown).toBeGreaterThanOrEqual(OPERATIONS.length);
  });

  it('is noted by every page and only if it shows some', async () => {
    const router = pagesRouter(service.app);
    const paths = new Set(
      ['SALE', 'PRE', '10', '100', '1'].flatMap((id) => pagePathsOf(router, id)),
    );
    const query = 'from=2025-06-01&to=2025-06-30&id=SALE&q=CUSTOMER&email=CUSTOMER%40example.test';
    let shown = 0;
    for (const path of paths) {
      if (!path.startsWith('/account')) continue;
      if (await expectNotedIfShown(path, () => visitor.get(`${path}?${query}`))) shown += 1;
    }
    expect(shown).toBeGreaterThanOrEqual(PAGES.length);
  });

  it('has no days of an operation that ignores them', async () => {
    const days = `start_date=${'x'.repeat(100)}&end_date=2025-06-30`;
    const path = `/v3.0/transactions/SALE?${days}`;
    const noted = await notedOf(() => service.get(path, keys.full));
    expect(noted).toMatchObject([ofRecord('getTransaction', 'SALE')]);
  });

  it.each(OPERATIONS)('is noted of %s, and not with a masked key', async (path, expected) => {
    const [first, ...more] = await notedOf(() => service.get(path, keys.full));
    expect(first).toMatchObject({ vendor_id: VENDOR, user_id: VENDOR, ...expected });
    expect(first?.application_id).toBeGreaterThan(0);
    expect(more).toEqual([]);
    expect(await notedOf(() => service.get(path, keys.masked))).toEqual([]);
  });

  it.each(PAGES)('is noted of the page %s', async (path, expected) => {
    const noted = await notedOf(() => visitor.get(path));
    expect(noted).toEqual([
      expect.objectContaining({ user_id: VENDOR, application_id: 0, ...expected }),
    ]);
  });

  it('is noted for the vendor whose buyers an affiliate saw', async () => {
    const [read] = await notedOf(() =>
      service.get('/v2.0/latest-affiliates-transactions', keys.affiliate),
    );
    const expected = ofList('listLatestAffiliateTransactions', 1);
    expect(read).toMatchObject({ vendor_id: VENDOR, user_id: AFFILIATE, ...expected });
    expect(await kept(AFFILIATE)).toEqual([]);
  });

  it('is noted if the page came from the cache, and not if the answer is a 304', async () => {
    const path = `/v3.0/transactions?${RANGE}&page_size=1`;
    await service.get(path, keys.full);
    const { counts } = service.app.get(PageCache);
    const { sent } = counts;
    const again = await notedOf(() => service.get(path, keys.full));
    expect(counts.sent).toBe(sent + 1);
    expect(again).toMatchObject([ofList('listTransactions', 1, JUNE)]);
    for (const known of [path, '/v3.0/transactions/SALE']) {
      const { etag } = (await service.get(known, keys.full)).headers;
      const tag = { 'If-None-Match': String(etag) };
      const statuses: number[] = [];
      const noted = await notedOf(async () => {
        statuses.push((await service.get(known, keys.full, tag)).status);
      });
      expect([statuses, noted]).toEqual([[304], []]);
    }
  });

  it('is not noted of what shows none, of HEAD, of what is refused, or of what is not there', async () => {
    const noted = await notedOf(async () => {
      for (const path of ['/v2.1/products/names', '/v3.0/transactions/none', '/v3.0']) {
        await service.get(path, keys.full);
      }
      await service.get('/v3.0/transactions/OTHERS', keys.full);
      const path = '/v2.0/latest-affiliates-transactions';
      await service.send({ method: 'HEAD', path, headers: basic(keys.affiliate) });
      for (const [path] of OPERATIONS) {
        for (const [method, key, status] of [
          ['HEAD', keys.full, 200],
          ['HEAD', keys.masked, path.includes('/customers') ? 403 : 200],
          ['GET', 'no-key', 401],
          ['POST', keys.full, 405],
        ] as const) {
          const answer = await service.send({ method, path, headers: basic(key) });
          expect([method, path, answer.status]).toEqual([method, path, status]);
        }
        const { pathname } = new URL(path, 'http://service.example');
        const wrong =
          /transactions(\.\w+)?$|changes$/.test(pathname) && !pathname.includes('latest');
        const query = '?start_date=2025-06-31&end_date=x&after=x';
        if (wrong) expect((await service.get(pathname + query, keys.full)).status).toBe(400);
      }
      for (const [path] of PAGES) {
        expect((await new Visitor(service).get(path)).status).toBe(303);
        expect([path, (await visitor.head(path)).status]).toEqual([path, 200]);
      }
      await visitor.get('/account/reports');
    });
    expect(noted).toEqual([]);
    expect(await kept(OTHER)).toEqual([]);
  });
});

describe('the kept reads', () => {
  it('are on a page of the vendor, for a transaction with the lists that may have had it', async () => {
    await service.get('/v3.0/transactions/SALE', keys.full);
    await service.get(`/v3.0/transactions?start_date=2025-05-01&end_date=2025-05-31`, keys.full);
    await kept();
    const { text } = await visitor.get('/account/data-protection?transaction=SALE');
    expect(text).toContain('application tests');
    expect(text).toContain('you, signed in');
    expect(text).toContain('/account/transactions/SALE');
    expect(text).toContain('of 2025-06-01 to 2025-06-30');
    expect(text).not.toContain('2025-05-01');
    expect(text).not.toContain('FIRST');
    expect(text).not.toContain('off: nobody can see');
    const none = await visitor.get('/account/data-protection?to=2020-01-01');
    expect(none.text).toContain('No such reads.');
    expect((await visitor.get('/account/data-protection?from=x')).status).toBe(400);
    const other = await Visitor.signedIn(service, OTHER);
    expect((await other.get('/account/data-protection')).text).toContain('No such reads.');
  });

  it.each([
    { transaction: 'SALE', from: '2025-06-01', to: '2025-06-30' },
    { transaction: '', from: '', to: '2025-06-30' },
    { transaction: '"SALE', from: '2025-06-01', to: 'x' },
  ])('have a form that keeps what was typed: %j', async (typed) => {
    const query = new URLSearchParams(typed).toString();
    const { text } = await visitor.get(`/account/data-protection?${query}`);
    const fields = Object.keys(typed).map((name) => {
      const [field = ''] = new RegExp(`<input[^>]* name="${name}"[^>]*>`).exec(text) ?? [];
      return [name, (/ value="([^"]*)"/.exec(field)?.[1] ?? '').replaceAll('&quot;', '"')];
    });
    expect(Object.fromEntries(fields)).toEqual(typed);
  });

  it('are listed by a command', async () => {
    await kept();
    const args = ['reads', 'list', '--vendor', String(VENDOR)];
    const list = (...more: string[]) => runCli(service.database.url, [...args, ...more]);
    const { status, stdout } = await list('--transaction', 'SALE', '--json');
    expect(status).toBe(0);
    const reads = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as KeptReads);
    expect(reads.length).toBeGreaterThan(3);
    const isOfSale = (read: object) =>
      'record_keys' in read && JSON.stringify(read.record_keys) === '["SALE"]';
    expect(reads.filter((read) => !isOfSale(read) && read.record_keys !== null)).toEqual([]);
    expect(reads[0]).toEqual({
      read_at: expect.any(String) as unknown,
      user_id: expect.any(Number) as unknown,
      application_id: expect.any(Number) as unknown,
      operation: expect.any(String) as unknown,
      times: expect.any(Number) as unknown,
      record_keys: expect.anything() as unknown,
      records: expect.any(Number) as unknown,
      ...ANY_DAY,
    });
    expect((await list('--from', '2099-01-01')).stdout).toBe('There are no reads.\n');
    expect((await list('--to', 'x')).status).not.toBe(0);
  });

  it.each([
    ['command.export', 3, ['export', '-']],
    ['command.people', 3, ['people', 'export', 'customer@example.test']],
  ])('of %s are noted, too', async (operation, records, args) => {
    const all = [...args, '--vendor', String(VENDOR)];
    const [read] = await notedOf(() => runCli(service.database.url, all, { env: ON }));
    expect(read).toMatchObject({ user_id: 0, application_id: 0, ...ofList(operation, records) });
  });

  it('are deleted after 90 days, and no earlier', async () => {
    const raw = await openRaw(service.database.url);
    const before = await kept();
    const times = ['2020-01-01 00:00:00', '2020-02-01 00:00:00', '2020-02-01 00:00:01'];
    for (const [number, read_at] of times.entries()) {
      await raw.run(
        `INSERT INTO personal_reads (vendor_id, read_at, writer, number, user_id, application_id, operation, times)
          VALUES (${OTHER}, '${read_at}', 'w', ${number}, 1, 1, 'getTransaction', 1)`,
      );
    }
    await raw.close();
    const reads = service.app.get(PersonalReadsService);
    // This moment is 90 days after the second read.
    const now = new Date('2020-05-01T00:00:01Z');
    expect(await reads.deleteExpired(now, new AbortController().signal)).toBe(2);
    expect((await kept(OTHER)).map(({ read_at }) => read_at)).toEqual(['2020-02-01 00:00:01']);
    expect(await kept()).toEqual(before);
  });

  it('wait while they cannot be written, and are counted if they never can', async () => {
    const raw = await openRaw(service.database.url);
    const instance = await service.beside(ON);
    const metrics = () => instance.app.get(Metrics).registry.metrics();
    const read = () => instance.get('/v3.0/transactions/SALE', keys.full);
    const noted = await notedOf(async () => {
      await raw.run('ALTER TABLE personal_reads RENAME TO away');
      await read();
      await instance.app.get(PersonalReadLog).flush();
      await raw.run('ALTER TABLE away RENAME TO personal_reads');
      await instance.app.get(PersonalReadLog).flush();
    });
    expect(noted).toMatchObject([ofRecord('getTransaction', 'SALE')]);
    expect(await metrics()).toContain('personal_data_reads_total{event="kept"} 1\n');
    await read();
    await raw.run('ALTER TABLE personal_reads RENAME TO away');
    await instance.stop();
    await raw.run('ALTER TABLE away RENAME TO personal_reads');
    expect(await metrics()).toContain('personal_data_reads_total{event="lost"} 1\n');
    await raw.close();
  });

  it('are written before the service stops, and none without the setting', async () => {
    const readOn = async (environment: Record<string, string>) => {
      const instance = await service.beside(environment);
      await instance.get('/v3.0/transactions/SALE', keys.full);
      await instance.stop();
    };
    expect(await notedOf(() => readOn(ON))).toMatchObject([ofRecord('getTransaction', 'SALE')]);
    expect(await notedOf(() => readOn({}))).toEqual([]);
  });
});
