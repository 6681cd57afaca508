/** Queries of transactions equal a filter over the export of the same cursor (docs/queries.md). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { QuerySlices } from '../../../src/modules/transactions/query/query-pages.js';
import { LARGE_TRACKING } from '../../support/builders/large-sale.js';
import {
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { PausingImporter } from '../../support/random/pausing-importer.js';
import { exportedBy, meets, type Parameters } from '../../support/oracles/query-oracle.js';
import { figureOf, type Listed } from '../../support/oracles/report-oracle.js';
import { holds, sampled } from '../../support/random/properties.js';
import { lineOf, recordOf, sale, VendorIds } from '../../support/random/random-ledgers.js';
import { TestService } from '../../support/servers/service.js';

const SALES = 300;
/** Walks of several pages beside an importer. */
const WALKS = Number(process.env.QUERY_WALKS ?? 25);
const CALENDAR = ['2025-05-30', '2025-05-31', '2025-06-01', '2025-06-04'];
const EMAILS = ['mara@example.test', 'Mara@Example.test', 'leo@example.test', 'zoë@example.test'];
const KEYS = ['PRE-1', 'pre-1', null, null, null];
const ids = new VendorIds(1);
const other = new VendorIds(2);
const keys = new Map<string, string>();

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  const records = sampled(sale, SALES).map((sold, place) => {
    const record = recordOf(ids, place, CALENDAR, sold);
    const pre_key = KEYS[place % KEYS.length] ?? null;
    if (pre_key !== null) keys.set(record.transaction_id, pre_key);
    const customer = { ...record.customer, email: EMAILS[place % EMAILS.length] ?? '' };
    return { ...lineOf({ ...record, customer }), pre_key };
  });
  await service.import([
    user(ids.vendor),
    user(ids.affiliate),
    user(other.vendor),
    product(ids.product(0), ids.vendor),
    product(ids.product(1), ids.vendor),
    product(other.product(0), other.vendor),
    recurringPayment('PRE-1', ids.product(0)),
    recurringPayment('pre-1', ids.product(1)),
    transaction('of-another', other.product(0)),
    ...records,
  ]);
  key = await service.key(ids.vendor);
  // With these sizes a page has many slices, and ends before the list does.
  Object.assign(service.app.get(QuerySlices), { size: 25, most: 2, days: 2, counted: 100 });
});
afterAll(() => service.stop());

interface Page {
  readonly rows: readonly Listed[];
  readonly total_count: number | null;
  readonly searched_to: string | null;
  readonly next_cursor: string | null;
  readonly cursor: string;
  readonly figure_total?: string | null;
}

async function pageOf(parameters: Parameters, of = key): Promise<Page> {
  const path = `/ledger/v1/transactions?${new URLSearchParams(parameters).toString()}`;
  const { status, text } = await service.get(path, of);
  const { meta, results } = JSON.parse(text) as { meta: Omit<Page, 'rows'>; results: Listed[] };
  if (status !== 200) throw new Error(text);
  return { ...meta, rows: results };
}

/** Returns all pages of a query. @param between is called before each page but the first */
async function walk(parameters: Parameters, between = () => Promise.resolve()): Promise<Page[]> {
  const pages = [await pageOf(parameters)];
  for (let after = pages[0]?.next_cursor ?? null; after !== null;) {
    await between();
    const page = await pageOf({ ...parameters, after });
    pages.push(page);
    after = page.next_cursor;
  }
  return pages;
}

const idsOf = (rows: readonly Listed[]) => rows.map(({ transaction_id }) => transaction_id);
const idsOn = (pages: readonly Page[]) => pages.flatMap(({ rows }) => idsOf(rows));

const day = fc.constantFrom('2025-05-29', ...CALENDAR, '2025-06-05');
const word = fc.constantFrom('a', 'A ', '%', '\\', 'Zoë 🙂', "O'Brien; --", '', 'none');
const money = fc.constantFrom('0', '0.01', '-0.01', '0.1', '47', '1000.00', '-18.8');
const filters = {
  status: fc.constantFrom(
    'settled',
    'pending',
    'refunded,chargeback',
    'chargeback',
    'pending,settled',
  ),
  product_id: fc.constantFrom('12', '13', '12,13', '13,99', '22'),
  affiliate_id: fc.constantFrom('11', '11,12', '99'),
  refunded: fc.constantFrom('true', 'false'),
  email: fc.constantFrom(
    'mara@example.test',
    'LEO@example.TEST',
    'ZOë@example.test',
    'none@example.test',
  ),
  pre_key: fc.constantFrom('PRE-1', 'pre-1', 'none'),
  min_amount: money,
  tid: word,
  sub_id5: word,
  other_params: word,
} as const;
const query: fc.Arbitrary<Parameters> = fc
  .record({
    range: fc.option(fc.tuple(day, day), { nil: null }),
    date: fc.constantFrom('either', 'sale', 'refund', undefined),
    order: fc.constantFrom('newest', 'oldest', undefined),
    limit: fc.constantFrom('1', '7', '50', '200'),
    names: fc.uniqueArray(fc.constantFrom(...Object.keys(filters)), { maxLength: 3 }),
    values: fc.record(filters),
  })
  .map(({ range, names, values, ...others }) => {
    const [start_date, end_date] = [...(range ?? [])].sort();
    const chosen = Object.entries(values).filter(([name]) => names.includes(name));
    const all = { ...others, start_date, end_date, ...Object.fromEntries(chosen) };
    const given = Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    return Object.fromEntries(given);
  });

describe('A query', () => {
  it('has what matches in the export of the same cursor, page by page, in both orders', async () => {
    const { rows, cursor } = await exportedBy(service, key);
    const seen = { stopped: 0, uncounted: 0, several: 0 };
    await holds(
      fc.asyncProperty(query, async (parameters) => {
        const found = rows.filter(meets(parameters, keys));
        const expected = parameters.order === 'oldest' ? found.toReversed() : found;
        const pages = await walk(parameters);
        expect(idsOn(pages)).toEqual(idsOf(expected));
        expect(pages.flatMap((page) => page.rows)).toEqual(expected);
        for (const page of pages) {
          expect(page.cursor).toBe(cursor);
          expect([found.length, null]).toContain(page.total_count);
        }
        if (found.length <= 50 && pages.length === 1) {
          expect(pages[0]?.total_count).toBe(found.length);
        }
        seen.several += pages.length > 1 ? 1 : 0;
        seen.stopped += pages.some(({ searched_to }) => searched_to !== null) ? 1 : 0;
        seen.uncounted += pages.some(({ total_count }) => total_count === null) ? 1 : 0;
      }),
      { numRuns: 60, atLeast: 30 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
  });

  it('has the same transactions as a filtered export, which counts them first', async () => {
    await holds(
      fc.asyncProperty(query, async ({ limit: _limit, order: _order, ...parameters }) => {
        const wanted = { status: 'settled,refunded,pending', ...parameters };
        const { rows, count } = await exportedBy(service, key, wanted);
        expect(rows).toEqual(
          (await walk({ ...wanted, limit: '200' })).flatMap((page) => page.rows),
        );
        expect(count).toBe(rows.length);
      }),
      { numRuns: 20, atLeast: 10 },
    );
  });

  it(
    'brings whatever does not change exactly once while an importer writes',
    async () => {
      const before = await exportedBy(service, key);
      const importer = new PausingImporter(service, ids.product(0), idsOf(before.rows), keys);
      let together = 0;
      await importer.during(async () => {
        await holds(
          fc.asyncProperty(query, fc.constantFrom('3', '7', '20'), async (filter, limit) => {
            const parameters: Parameters = { ...filter, limit };
            const changed = importer.changesFromNow();
            const { rows } = await exportedBy(service, key);
            const pages = await walk(parameters, () => importer.pause());
            const unchanged = (found: readonly string[]) => found.filter((id) => !changed.has(id));
            const matching = idsOf(rows.filter(meets(parameters, keys)));
            const expected = parameters.order === 'oldest' ? matching.reverse() : matching;
            expect(unchanged(idsOn(pages))).toEqual(unchanged(expected));
            together += new Set(pages.map(({ cursor }) => cursor)).size > 1 ? 1 : 0;
          }),
          { numRuns: WALKS, atLeast: WALKS },
        );
      });
      expect(together).toBeGreaterThan(WALKS / 4);
    },
    60_000 + 2_000 * WALKS,
  );

  it('continues after a sale that has left the ledger of the query', async () => {
    const parameters = { limit: '3' };
    const first = await pageOf(parameters);
    const last = first.rows.at(-1);
    const second = await pageOf({ ...parameters, after: first.next_cursor ?? '' });
    await service.import([
      transaction(last?.transaction_id ?? '', ids.product(0), {
        sale_date: '2025-06-30T10:00:00Z',
      }),
    ]);
    expect(idsOf((await pageOf({ ...parameters, after: first.next_cursor ?? '' })).rows)).toEqual(
      idsOf(second.rows),
    );
  });

  it('sends rows that do not fit together part by part', async () => {
    const large = Array.from({ length: 20 }, (_, at) =>
      transaction(`large-${at}`, other.product(0), { tracking: LARGE_TRACKING }),
    );
    await service.import(large);
    const of = await service.key(other.vendor);
    const { rows } = await exportedBy(service, of);
    const page = await pageOf({ limit: '200', order: 'oldest' }, of);
    expect(page.rows).toEqual(rows.toReversed());
  });
});

/** A transaction with what its figure counts. */
interface Counted extends Listed {
  readonly kind: string;
  readonly currency: string | null;
  readonly in_period: string;
}

describe('A query with a figure', () => {
  const range = { start_date: '2025-05-31', end_date: '2025-06-01' };
  const cents = (amount: string) => BigInt(amount.replace('.', ''));
  const CASES = ['seller_earnings', 'gross', 'refunded', 'charged_back', 'commissions', 'other'];

  it.each(CASES)('has what %s counts of each transaction, and its total', async (figure) => {
    for (const date of ['either', 'sale'] as const) {
      const by = date === 'sale' ? 'sale' : 'refund';
      const { rows: all } = await exportedBy(service, key);
      for (const filter of [{}, { product_id: '12' }, { affiliate_id: '11', product_id: '13' }]) {
        const asked = { ...range, date, ...filter };
        const found = all.filter(meets(asked, keys));
        const pages = await walk({ ...asked, figure, limit: '20' });
        const total = figureOf(figure, found, range, by);
        for (const { figure_total } of pages) expect(cents(figure_total ?? '')).toBe(total);
        const counted = pages.flatMap(({ rows }) => rows) as Counted[];
        expect(counted.map(({ in_period }) => cents(in_period))).toEqual(
          found.map((one) => figureOf(figure, [one], range, by)),
        );
        const { rows: exported } = await exportedBy(service, key, { ...asked, figure });
        expect(exported).toEqual(counted);
      }
    }
  });

  it('calls later payments of a recurring payment rebills', async () => {
    const { rows } = await exportedBy(service, key);
    const oldest = rows.toReversed().map(({ transaction_id }) => transaction_id);
    const firsts = ['PRE-1', 'pre-1'].map((pre_key) =>
      oldest.find((id) => keys.get(id) === pre_key),
    );
    const pages = await walk({ figure: 'gross', limit: '200' });
    for (const row of pages.flatMap((page) => page.rows) as Counted[]) {
      const { transaction_id: id, kind, currency } = row;
      expect([kind, currency]).toEqual([
        keys.has(id) && !firsts.includes(id) ? 'rebill' : 'sale',
        null,
      ]);
    }
  });

  it('has no total if no kept sums serve its filters, unless it is the only page', async () => {
    const [first] = await walk({ figure: 'gross', status: 'settled', limit: '7' });
    expect(first?.figure_total).toBeNull();
    const [only] = await walk({ ...range, figure: 'gross', email: 'none@example.test' });
    expect(only?.figure_total).toBe('0.00');
  });
});

describe('A cursor', () => {
  it('belongs to its filters, its order and its vendor, but not to its limit', async () => {
    const { next_cursor } = await pageOf({ status: 'settled', limit: '2' });
    const after = next_cursor ?? '';
    expect((await pageOf({ status: 'settled', limit: '3', after })).rows).toHaveLength(3);
    const others: [Parameters, string][] = [
      [{ after }, key],
      [{ status: 'pending', after }, key],
      [{ status: 'settled', order: 'oldest', after }, key],
      [{ status: 'settled', after }, await service.key(other.vendor)],
    ];
    for (const [parameters, of] of others) {
      await expect(pageOf(parameters, of)).rejects.toThrow('after belongs to another query');
    }
  });

  it('shows nothing of others, whatever place is written into it', async () => {
    const { next_cursor } = await pageOf({ limit: '2' });
    const [hash] = JSON.parse(Buffer.from(next_cursor ?? '', 'base64url').toString()) as string[];
    const forged = (...place: unknown[]) =>
      Buffer.from(JSON.stringify([hash, ...place])).toString('base64url');
    const newest = await pageOf({
      after: forged('9999-12-31 23:59:59', 999_999_999),
      limit: '200',
    });
    const { rows } = await exportedBy(service, key);
    expect(idsOf(newest.rows)).toEqual(idsOf(rows.slice(0, 200)));
    const unreadable = [
      forged(),
      forged('2025-02-30 00:00:00', 1),
      forged('2025-02-20 24:00:00', 1),
      forged('2025-02-20 00:00:00', -1),
      forged('2025-02-20 00:00:00', '1'),
      forged(1, 1),
      'x',
      '',
      Buffer.from('{}').toString('base64url'),
      'A'.repeat(3_000),
    ];
    for (const after of unreadable) {
      await expect(pageOf({ after })).rejects.toThrow('after must be the next_cursor of a page');
    }
  });
});

describe('A query that is not valid', () => {
  const BAD: readonly [string, string][] = [
    ['stats=settled', 'stats'],
    ['page_size=5', 'page_size'],
    ['status=settled&status=pending', 'status'],
    ['status=COMPLETED', 'status'],
    ['status=', 'status'],
    ['start_date=2025-06-02&end_date=2025-06-01', 'end_date'],
    ['start_date=2025-02-30', 'start_date'],
    ['date=refunded', 'date'],
    ['product_id=1,', 'product_id'],
    ['product_id=99999999999999999', 'product_id'],
    [`product_id=${Array.from({ length: 101 }, (_, id) => id).join(',')}`, 'product_id'],
    ['affiliate_id=-1', 'affiliate_id'],
    ['email=', 'email'],
    ['email=a&email=b', 'email'],
    [`pre_key=${'x'.repeat(256)}`, 'pre_key'],
    ['min_amount=1e3', 'min_amount'],
    ['min_amount=2&max_amount=1.99', 'max_amount'],
    ['max_amount=99999999999999999', 'max_amount'],
    ['refunded=yes', 'refunded'],
    ['tid=a&tid=b', 'tid'],
    ['order=Oldest', 'order'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
  ];

  it.each(BAD)('%s is refused with the name of the parameter', async (query, name) => {
    const { status, text } = await service.get(`/ledger/v1/transactions?${query}`, key);
    const { meta } = JSON.parse(text) as { meta: { status: { code: number; detail: string } } };
    expect([status, meta.status.code]).toEqual([400, 4001]);
    expect(meta.status.detail).toContain(name);
  });
});

describe('A filtered export', () => {
  it('refuses what it does not know and what takes too long; one without filters ignores it', async () => {
    const statusOf = async (query: string) => {
      const { status, text } = await service.get(`/ledger/v1/transactions.csv?${query}`, key);
      return [status, status === 200 ? '' : text];
    };
    expect(await statusOf('stats=settled')).toEqual([200, '']);
    expect(await statusOf('refunded=true&limit=1')).toEqual([
      400,
      expect.stringContaining('limit'),
    ]);
    const slices = service.app.get(QuerySlices);
    Object.assign(slices, { countMs: -1 });
    expect(await statusOf('tid=a')).toEqual([400, expect.stringContaining('Narrow the range')]);
    Object.assign(slices, { countMs: 30_000 });
    expect(await statusOf('tid=a')).toEqual([200, '']);
  });
});

describe('With masked access', () => {
  it('filters by personal data are refused, and other queries show none', async () => {
    const masked = await service.key(ids.vendor, 'masked');
    for (const name of ['email', 'vtid', 'custom', 'other_params']) {
      const { status, text } = await service.get(`/ledger/v1/transactions?${name}=a`, masked);
      expect([status, text]).toEqual([403, expect.stringContaining('"code":4030')]);
    }
    const exported = await service.get('/ledger/v1/transactions.csv?email=a', masked);
    expect(exported.status).toBe(403);
    const { rows } = await pageOf({ refunded: 'true' }, masked);
    expect(rows.length).toBeGreaterThan(0);
    for (const { customer, tracking } of rows) {
      expect(Object.values(customer).join('')).toBe('');
      expect([tracking.vtid, tracking.custom, tracking.other_params]).toEqual([null, null, null]);
    }
  });
});
