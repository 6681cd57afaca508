/** A range includes its first and its last second, and nothing a second outside of them. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Visitor } from '../../support/browser/visitor.js';
import {
  affiliation,
  clicks,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
  WITH_COMMISSION,
} from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { basic } from '../../support/http/http.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, AFFILIATE] = [1, 2];
/**
 * A month, a range that begins and ends within months, whose sums combine days and months, and a
 * day.
 */
const RANGES = [
  ['2025-06-01', '2025-06-30'],
  ['2025-03-10', '2025-05-20'],
  ['2025-08-07', '2025-08-07'],
] as const;
const DAY_MS = 86_400_000;

type Place = 'before' | 'first' | 'last' | 'behind';

/** Returns the seconds around the ends of a range. */
function secondsOf([from, to]: (typeof RANGES)[number]): [Place, string][] {
  const [begin, end] = [Date.parse(`${from}T00:00:00Z`), Date.parse(`${to}T23:59:59Z`)];
  const at = (ms: number) => new Date(ms).toISOString().replace('.000', '');
  return [
    ['before', at(begin - 1_000)],
    ['first', at(begin)],
    ['last', at(end)],
    ['behind', at(end + 1_000)],
  ];
}

/** Returns a sale at each second, and a refund at each second of a much older sale. */
function salesOf(range: (typeof RANGES)[number]): object[] {
  const sale = (id: string, sale_date: string, changes: object = {}) =>
    transaction(id, 10, {
      sale_date,
      affiliate_id: AFFILIATE,
      payouts: WITH_COMMISSION,
      amount: '1.00',
      tracking: { tid: 'spring' },
      ...changes,
    });
  return secondsOf(range).flatMap(([place, second]) => [
    sale(`sold-${place}-${range[0]}`, second),
    sale(`back-${place}-${range[0]}`, '2025-01-01T00:00:00Z', {
      status: 'refunded',
      refund: refund(second, { refund_amount: '0.50' }),
    }),
    sale(`cb-${place}-${range[0]}`, '2025-01-01T00:00:00Z', {
      status: 'charged_back',
      refund: refund(second, { refund_amount: '0.50' }),
    }),
  ]);
}

let service: TestService;
let ledger: TestLedger;
let key: string;
let visitor: Visitor;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  service = await TestService.start({ PERSONAL_DATA_READS: 'on' });
  ledger = TestLedger.on(service.database);
  await service.import([
    user(VENDOR),
    user(AFFILIATE),
    product(10, VENDOR),
    affiliation(AFFILIATE, 10),
    user(3),
    product(30, 3),
    user(4),
    product(40, 4),
    user(5),
    ...RANGES.flatMap(salesOf),
    ...RANGES.flatMap(([from, to]) =>
      [from, to].flatMap((day) => [
        clicks(AFFILIATE, 10, { date: day, clicks: 1, unique_clicks: 1 }),
      ]),
    ),
  ]);
  key = await service.key(VENDOR);
  visitor = await Visitor.signedIn(service, VENDOR);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

const page = async (path: string) => {
  const { status, text } = await visitor.get(path);
  expect([path, status]).toEqual([path, 200]);
  return text;
};
/**
 * Returns the text of a page without its tags, since a form token could contain any three digits.
 */
const plain = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
/** Returns the ids in a text that belong to sales at the ends of any range. */
const idsIn = (text: string) =>
  [...new Set(text.match(/(?:sold|back|cb)-[a-z]+-\d{4}-\d{2}-\d{2}/g))].sort();

describe.each(RANGES)('from %s to %s', (...range) => {
  const [from, to] = range;
  const of = (...kinds: string[]) =>
    kinds.flatMap((kind) => ['first', 'last'].map((place) => `${kind}-${place}-${from}`)).sort();
  const api = `start_date=${from}&end_date=${to}`;
  const pages = `from=${from}&to=${to}`;
  // Sales of other ranges may be in this one.
  const own = (ids: readonly string[]) => ids.filter((id) => id.endsWith(from));

  it('are in the list and the exports, and are counted', async () => {
    const { meta, results } = await service.envelope(
      `/v3.0/transactions?${api}&page_size=200`,
      key,
    );
    expect(own(idsIn(JSON.stringify(results)))).toEqual(of('sold', 'back', 'cb'));
    expect(meta.total_count).toBe(results.length);
    for (const format of ['ndjson', 'csv']) {
      const file = await service.get(`/ledger/v1/transactions.${format}?${api}`, key);
      expect([format, own(idsIn(file.text))]).toEqual([format, of('sold', 'back', 'cb')]);
      expect(file.headers['x-ledger-count']).toBe(String(results.length));
    }
    const parquet = await service.get(`/ledger/v1/transactions.parquet?${api}`, key);
    expect(parquet.headers['x-ledger-count']).toBe(String(results.length));
  });

  it.each([
    ['all&refunds=refund', ['sold', 'back', 'cb']],
    ['sales', ['sold']],
    ['refunds&refunds=refund', ['back']],
    ['chargebacks&refunds=refund', ['cb']],
    ['all&refunds=refund&tid=spring', ['sold', 'back', 'cb']],
    ['refunds&refunds=refund&tid=spring', ['back']],
    ['all&refunds=refund&partner=2', ['sold', 'back', 'cb']],
    ['all&refunds=refund&product=10', ['sold', 'back', 'cb']],
  ])('are in the page and the download of %s', async (query, kinds) => {
    for (const path of ['', '.csv']) {
      const text = await page(`/account/reports/transactions${path}?${pages}&kind=${query}`);
      expect(own(idsIn(text))).toEqual(of(...kinds));
    }
  });

  it('are in the figures of affiliates, of tracking values and of clicks', async () => {
    const inside = await service.envelope(`/v3.0/transactions?${api}&page_size=200`, key);
    const ids = idsIn(JSON.stringify(inside.results));
    const [sales = '', refunds = '', chargebacks = ''] = ['sold', 'back', 'cb'].map((kind) =>
      String(ids.filter((id) => id.startsWith(kind)).length),
    );
    const figures = { sales, gross: `${sales}.00`, refunds, chargebacks };
    const tracking = await page(`/account/tracking.csv?${pages}&refunds=refund&field=tid`);
    expect(cellsOf(tracking)).toMatchObject({ value: 'spring', ...figures });
    const affiliates = await page(`/account/affiliates.csv?${pages}&refunds=refund`);
    expect(cellsOf(affiliates)).toMatchObject({ ...figures, clicks: from === to ? '1' : '2' });
  });
});

/** Returns the first record of a CSV, by the names of its columns. */
function cellsOf(csv: string): Readonly<Record<string, string>> {
  const [head = '', row = ''] = csv.replace('\ufeff', '').split('\r\n');
  const cells = row.split(',');
  return Object.fromEntries(head.split(',').map((name, at) => [name, cells[at] ?? '']));
}

it('of the ages of unpaid commissions are whole days', async () => {
  const other = await Visitor.signedIn(service, 3);
  const ages = [0, 30, 31, 60, 61, 90, 91];
  await service.import(
    ages.map((days, at) =>
      transaction(`unpaid-${days}`, 30, {
        sale_date: `${daysAgo(days)}T00:00:00Z`,
        affiliate_id: AFFILIATE,
        payouts: { ...WITH_COMMISSION, affiliate_payout: `${2 ** at}.00` },
      }),
    ),
  );
  const { text } = await other.get('/account/affiliates.csv?range=all-time');
  expect(cellsOf(text)).toMatchObject({
    unpaid_0_30: '3.00',
    unpaid_31_60: '12.00',
    unpaid_61_90: '48.00',
    unpaid_over_90: '64.00',
  });
});

it('of the payments that are due are whole days', async () => {
  const other = await Visitor.signedIn(service, 4);
  const due = [`${daysAgo(1)}T23:59:59Z`, `${daysAgo(0)}T00:00:00Z`];
  const later = [`${daysAgo(-29)}T23:59:59Z`, `${daysAgo(-30)}T00:00:00Z`];
  await service.import(
    [...due, ...later].map((next_date, at) =>
      recurringPayment(`DUE-${at}`, 40, {
        id: at + 1,
        next_date,
        price: `${10 ** at}.00`,
      }),
    ),
  );
  const { text } = await other.get('/account/subscriptions');
  expect(plain(text)).toContain(
    'Due in the next 30 days 110.00 2 payments Overdue 1.00 1 late payment',
  );
});

it('of a replay and of kept reads are whole days', async () => {
  const day = daysAgo(3);
  const times = [
    `${daysAgo(4)} 23:59:59`,
    `${day} 00:00:00`,
    `${day} 23:59:59`,
    `${daysAgo(2)} 00:00:00`,
  ];
  for (const [at, time] of times.entries()) {
    for (const table of ['transactions', 'changed_records']) {
      const since = at === 0 ? 0 : 8 + 4 * at;
      await ledger.run(
        `UPDATE ${table} SET changed_at = '${time}' WHERE vendor_id = 1 AND sequence > ${since}`,
      );
    }
    await ledger.run(`INSERT INTO personal_reads
      (vendor_id, read_at, writer, number, user_id, application_id, operation, records, times)
      VALUES (1, '${time}', '0123456789abcdef', ${at}, 1, 0, 'listTransactions', ${at + 700}, 1)`);
  }
  const headers = { ...basic(key), 'Content-Type': 'application/json' };
  const send = async (method: string, path: string, body: object) => {
    const sent = {
      method,
      path: `/ledger/v1/webhooks${path}`,
      headers,
      body: JSON.stringify(body),
    };
    return (JSON.parse((await service.send(sent)).text) as { results: { id: number }[] })
      .results[0];
  };
  const hook = await send('POST', '', { url: 'https://hooks.example.test/' });
  const path = `/${String(hook?.id)}`;
  await send('PATCH', path, { state: 'paused' });
  const positions: unknown[] = [];
  // A replay never skips waiting changes: it only moves the position back.
  for (const from of [daysAgo(2), day, daysAgo(4)]) {
    await send('POST', `${path}/replay`, { from });
    positions.push((await ledger.rows('SELECT position FROM webhook_endpoints'))[0]?.position);
  }
  expect(positions).toEqual([20, 12, 0]);
  const shown = plain(await page(`/account/data-protection?from=${day}&to=${day}`));
  expect([700, 701, 702, 703].filter((records) => shown.includes(` ${records} `))).toEqual([
    701, 702,
  ]);
});
