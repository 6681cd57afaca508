/** Figures refuse wrong requests, compare whole days, and have tags and CSV (docs/figures.md). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FigureBounds } from '../../../src/modules/reports/figures/figure-reads.service.js';
import { MEASURE_NAMES } from '../../../src/modules/reports/figures/measures.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { basic, type Answer } from '../../support/http/http.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { TestService } from '../../support/servers/service.js';

const FIGURES = '/ledger/v1/figures';
const YEAR = 'start_date=2025-01-01&end_date=2025-12-31';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
const soon = `${daysAgo(-5)}T12:00:00Z`;

let service: TestService;
let key: string;
let bounds: FigureBounds;
beforeAll(async () => {
  service = await TestService.start();
  bounds = service.app.get(FigureBounds);
  const sold = { sale_date: '2025-03-01T00:00:00Z', affiliate_id: 2, amount: '10.00' };
  await service.import([
    user(1),
    user(2),
    product(10, 1, { name: '=Course' }),
    affiliation(2, 10),
    transaction('one', 10, { ...sold, tracking: { tid: 'a' } }),
    transaction('two', 10, { ...sold, tracking: { tid: 'b' }, sale_date: '2025-04-01T00:00:00Z' }),
    transaction('today', 10, { ...sold, sale_date: `${daysAgo(0)}T00:00:00Z` }),
    transaction('yesterday', 10, {
      ...sold,
      tracking: { tid: 'b, "c"' },
      sale_date: `${daysAgo(1)}T00:00:00Z`,
    }),
    transaction('before', 10, { ...sold, sale_date: `${daysAgo(2)}T00:00:00Z` }),
    recurringPayment('due', 10, { next_date: `${daysAgo(-3)}T12:00:00Z`, price: '5.00' }),
    recurringPayment('late', 10, { next_date: `${daysAgo(3)}T12:00:00Z`, price: '7.00' }),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

function ask(query: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const path = query.startsWith('/') ? `${FIGURES}${query}` : `${FIGURES}?${query}`;
  return service.send({ method: 'GET', path, headers: { ...basic(key), ...headers } });
}

describe('Figures refuse', () => {
  it.each([
    ['an unknown parameter', 'page=1', 'no parameter "page"'],
    ['a mistyped filter', 'product=10', 'no parameter "product"'],
    ['an unknown measure', 'measures=sales,profit', 'measures must be some of'],
    ['no measure', 'measures=', 'measures must be some of'],
    ['a personal field as a group', 'group_by=vtid', 'group_by must be one of'],
    ['an unknown interval', 'interval=hour', 'interval must be one of'],
    ['a repeated parameter', 'interval=day&interval=week', 'interval must be one of'],
    [
      'a range that ends before it begins',
      'start_date=2025-02-02&end_date=2025-02-01',
      'on or after',
    ],
    ['repeated measures', 'measures=sales&measures=gross', 'measures must be some of'],
    ['repeated groups', 'group_by=product&group_by=tid', 'group_by must be one of'],
    ['a repeated filter', 'product_id=10&product_id=11', 'product_id must be an integer'],
    ['a filter with a key', 'tid[0]=a', 'no parameter "tid[0]"'],
    ['a personal field as a filter', 'custom=a', 'no parameter "custom"'],
    ['half a range', 'start_date=2025-02-02', 'end_date must be a date'],
    ['a day that is none', 'start_date=2025-02-30&end_date=2025-03-01', 'start_date must be'],
    ['an id that is none', 'product_id=1e3', 'product_id must be an integer'],
    ['an empty value', 'tid=', 'tid must be a text'],
    ['two tracked fields', 'tid=a&sub_id1=b', 'one tracked field'],
    ['a tracked field with a product', 'tid=a&product_id=10', 'one tracked field'],
    ['clicks by tracked field', 'measures=clicks&group_by=tid', 'not known by tracked field'],
    [
      'unpaid commissions of a product',
      'measures=unpaid_commissions&product_id=10',
      'by affiliate only',
    ],
    ['the margins of others', 'as=affiliate&measures=sales,taxes', 'taxes as an affiliate'],
    ['the affiliates of others', 'as=affiliate&group_by=affiliate', 'as an affiliate'],
    ['the filters of others', 'as=affiliate&tid=a', 'as an affiliate'],
    [
      'a comparison of today',
      `compare=previous_year&start_date=${daysAgo(0)}&end_date=9999-12-31`,
      'before today',
    ],
    [
      'one item more than there may be',
      'interval=day&start_date=1990-01-01&end_date=2017-05-19',
      'would have 10001 items; at most 10000',
    ],
    [
      'the days of all years',
      'interval=day&start_date=0001-01-01&end_date=9999-12-31',
      '3652059 items',
    ],
    ['a parameter of unpaid commissions', '/unpaid?affiliate_id=2', 'no parameter'],
    ['a parameter of the catalogue', '/catalogue?measures=sales', 'no parameter'],
    ['a future month', '/cohorts?until=9999-12', 'future month'],
    ['a month that is none', '/cohorts?until=2025-13', 'until must be a month'],
    ['two filters of cohorts', '/cohorts?product_id=10&affiliate_id=2', 'not by both'],
  ])('%s', async (_, query, detail) => {
    const answer = await ask(query);
    expectFailure(answer, 4001, 'ledger-1');
    expect(answer.text).toContain(detail.replaceAll('"', '\\"'));
  });

  it('personal fields as groups to a masked key', async () => {
    const masked = basic(await service.key(1, 'masked'));
    for (const field of ['vtid', 'custom']) {
      expectFailure(await ask(`group_by=${field}`, masked), 4001, 'ledger-1');
    }
    expect((await ask('group_by=tid', masked)).status).toBe(200);
  });

  it('CSV of totals only', async () => {
    const answer = await ask('measures=unpaid_commissions', { Accept: 'text/csv' });
    expectFailure(answer, 4001, 'ledger-1');
  });

  it('more sales than they read, with their number and the export', async () => {
    const most = bounds.sales;
    bounds.sales = 1;
    try {
      const answer = await ask(`${YEAR}&group_by=product&tid=a`);
      expectFailure(answer, 4001, 'ledger-1');
      expect(answer.text).toContain('has 2 sales and refunds to read; at most 1');
      expect(answer.text).toContain(`transactions.ndjson?${YEAR}`);
    } finally {
      bounds.sales = most;
    }
  });

  it.each(['none', 'product', 'affiliate'])(
    'no measure by %s, however many sales there are, without tracked fields',
    async (group) => {
      const all = MEASURE_NAMES.filter((name) => name !== 'unpaid_commissions');
      const most = bounds.sales;
      bounds.sales = 0;
      try {
        for (const filter of [
          '',
          'product_id=10',
          'affiliate_id=2',
          'product_id=10&affiliate_id=2',
        ]) {
          const query = `${YEAR}&interval=month&group_by=${group}&measures=${all.join(',')}&${filter}`;
          expect((await ask(query)).status).toBe(200);
        }
      } finally {
        bounds.sales = most;
      }
    },
  );

  it('more items than they return, with their number', async () => {
    const most = bounds.items;
    bounds.items = 23;
    try {
      const answer = await ask(`${YEAR}&group_by=tid&interval=month`);
      expect(answer.text).toContain('24 items; at most 23');
    } finally {
      bounds.items = most;
    }
  });
});

describe('Figures', () => {
  it('compare whole days only', async () => {
    const range = `start_date=${daysAgo(1)}&end_date=${daysAgo(0)}`;
    const { meta, results } = await service.envelope(
      `${FIGURES}?${range}&compare=previous_period&measures=sales,gross`,
      key,
    );
    const day = (days: number) => ({ start_date: daysAgo(days), end_date: daysAgo(days) });
    const one = { sales: 1, gross: '10.00' };
    expect(meta).toMatchObject({ range: day(1), compared_range: day(2), compared_totals: one });
    expect(results).toEqual([{ group: null, interval: null, measures: one, compared: one }]);
  });

  it('have a tag until the ledger changes, for each form', async () => {
    const query = `${YEAR}&group_by=product`;
    const first = await ask(query);
    const tag = { 'If-None-Match': String(first.headers.etag) };
    expect((await ask(query, tag)).status).toBe(304);
    expect((await ask(query, { ...tag, Accept: 'text/csv' })).status).toBe(200);
    await service.import([transaction('two', 10, { sale_date: '2025-04-02T00:00:00Z' })]);
    expect((await ask(query, tag)).status).toBe(200);
    expect((await ask(`${query}&measures=clicks`)).headers.etag).toBeUndefined();
  });

  it('have as many items as there may be', async () => {
    const days = 'interval=day&start_date=1990-01-01&end_date=2017-05-18';
    expect((await service.envelope(`${FIGURES}?${days}`, key)).results).toHaveLength(10_000);
  });

  it('compare nothing if there are no days before today', async () => {
    const { meta, results } = await service.envelope(
      `${FIGURES}?compare=previous_period&measures=sales`,
      await service.key(2),
    );
    expect(meta).toMatchObject({ totals: { sales: 0 }, compared_range: null });
    expect(results).toMatchObject([{ measures: { sales: 0 }, compared: null }]);
  });

  it('are CSV for programs', async () => {
    const query = 'start_date=2025-03-01&end_date=2025-03-02&group_by=product&interval=month';
    const { text, headers } = await ask(`${query}&measures=sales,refund_rate`, {
      Accept: 'text/csv',
    });
    expect(headers['content-type']).toContain('text/csv');
    expect(text).toBe(
      'product_id,product_name,start_date,end_date,partial,sales,refund_rate\r\n10,=Course,2025-03-01,2025-03-02,true,1,0.0000\r\n',
    );
  });

  it('are CSV with quotes where values need them', async () => {
    const query = `start_date=${daysAgo(1)}&end_date=${daysAgo(1)}&group_by=tid&measures=sales`;
    const { text } = await ask(query, { Accept: 'text/csv' });
    expect(text).toBe('tid,sales\r\n"b, ""c""",1\r\n');
  });
});

describe('The other reports', () => {
  it('are unpaid commissions by age, due renewals, and cohorts', async () => {
    const unpaid = await service.envelope(`${FIGURES}/unpaid`, key);
    const { meta } = await service.envelope(
      `${FIGURES}?measures=unpaid_commissions&affiliate_id=2`,
      key,
    );
    const totals = unpaid.results.map(({ total }) => total);
    expect(meta).toMatchObject({ totals: { unpaid_commissions: totals[0] ?? '0.00' } });
    const renewals = await service.envelope(`${FIGURES}/renewals`, key);
    expect(renewals.meta).toMatchObject({
      totals: { recurring_payments: 1, amount: '5.00' },
      overdue: { recurring_payments: 1, amount: '7.00' },
      recurring_payments: { active: 2, canceled: 0, completed: 0, other: 0 },
      created: 0,
    });
    expect(renewals.results).toHaveLength(30);
    expect(renewals.results[3]).toEqual({
      date: daysAgo(-3),
      recurring_payments: 1,
      amount: '5.00',
    });
    const cohorts = await service.envelope(`${FIGURES}/cohorts?until=2025-04`, key);
    expect(cohorts.results.map(({ month, sales }) => [month, sales])).toEqual([
      ['2025-04', 1],
      ['2025-03', 1],
    ]);
  });
});

describe('Figures and the other reports', () => {
  it.each([
    ['the name of a product', `${YEAR}&group_by=product`, product(10, 1, { name: '=Course 2' })],
    ['the name of an affiliate', `${YEAR}&group_by=affiliate`, user(2, { display_name: 'Two' })],
    ['a recurring payment', '/renewals', recurringPayment('new', 10, { next_date: soon })],
  ])('have a new tag after a change of %s', async (_, query, changed) => {
    const before = await ask(query);
    const tag = { 'If-None-Match': String(before.headers.etag) };
    expect((await ask(query, tag)).status).toBe(304);
    await service.import([changed]);
    const after = await ask(query, tag);
    expect(after.status).toBe(200);
    expect(after.text).not.toBe(before.text);
  });
});
