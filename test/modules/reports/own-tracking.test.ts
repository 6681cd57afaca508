/** The page and the operation with what the tracking ids of an affiliate earned. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FigureBounds } from '../../../src/modules/reports/figures/figure-reads.service.js';
import {
  product,
  refund,
  transaction,
  user,
  WITH_COMMISSION,
} from '../../support/builders/ledger-records.js';
import { tablesOf } from '../../support/browser/page-tables.js';
import { Visitor } from '../../support/browser/visitor.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, SECOND, AFFILIATE, RIVAL, NEW] = [1, 2, 3, 4, 5];
const PATH = '/account/earnings/tracking';
const OPERATION = '/ledger/v1/earnings/tracking';
const JUNE = 'from=2025-06-01&to=2025-06-30';
const JUNE_OF_API = 'start_date=2025-06-01&end_date=2025-06-30';

const REFUND = { ...refund('2025-07-02T10:00:00Z'), affiliate_refund_impact: '-10.00' };

let service: TestService;
let ada: Visitor;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    ...[VENDOR, SECOND, AFFILIATE, RIVAL, NEW].map((id) => user(id)),
    product(10, VENDOR),
    product(20, SECOND),
    sold('a1', 10, 'ads'),
    sold('a2', 20, 'ads', { payouts: payouts('22.50') }),
    sold('m1', 10, '<mail>&"'),
    sold('m2', 10, '<mail>&"', { status: 'refunded', refund: REFUND }),
    sold('n1', 10, null),
    sold('p1', 10, 'pending', { status: 'pending' }),
    sold('r1', 10, 'of-rival', { affiliate_id: RIVAL }),
    sold('v1', 10, 'of-vendor', { affiliate_id: null }),
  ]);
  ada = await Visitor.signedIn(service, AFFILIATE);
  key = await service.key(AFFILIATE);
});
afterAll(() => service.stop());

function payouts(affiliate_payout: string) {
  return { ...WITH_COMMISSION, affiliate_payout };
}

function sold(id: string, product_id: number, tid: string | null, changes = {}): object {
  return transaction(id, product_id, {
    affiliate_id: AFFILIATE,
    payouts: payouts('10.00'),
    customer: { first_name: 'Secret', last_name: 'Customer', email: 'secret@example.test' },
    tracking: { tid, utm_source: 'hidden-source', sub_id1: 'hidden-sub' },
    ...changes,
  });
}

async function rows(query: string): Promise<string[][]> {
  const { status, text } = await ada.get(`${PATH}?${query}`);
  expect(status).toBe(200);
  const [table = []] = tablesOf(text);
  return table.map(({ name, cells }) => [name, ...Object.values(cells)]);
}

const TOTAL = { sales: 5, earned: '62.50', share: '1.0000', refunds: 0, refund_rate: '0.0000' };

describe('the page', () => {
  it('shows the ids with the highest commission first, those without one, and the total', async () => {
    expect(await rows(JUNE)).toEqual([
      ['ads', '2', '32.50', '52.0%', '–', '0.0%'],
      ['&lt;mail>&&quot;', '2', '20.00', '32.0%', '–', '0.0%'],
      ['No tracking id', '1', '10.00', '16.0%', '–', '0.0%'],
      ['Total', '5', '62.50', '100.0%', '–', '0.0%'],
    ]);
    const { text } = await ada.get(`${PATH}?${JUNE}`);
    expect(text).toContain('<h1>My tracking</h1>');
    expect(text).toMatch(/62\.50.* commission from 5 sales/s);
    // The bar of the second value has about 61 percent of the width of the first one.
    expect(text.match(/<rect width="[\d.]+"/g)).toEqual([
      '<rect width="100"',
      '<rect width="61.5"',
      '<rect width="30.7"',
    ]);
    // A phone has the commission in the first line, and three facts in the second one.
    expect(text).toContain('data-word="of commission"');
    expect(text).toContain('Sort</span> by commission, highest first');
  });

  it('has an entry in the header, for those who refer sales', async () => {
    const { text } = await ada.get(`${PATH}?${JUNE}`);
    expect(text).toMatch(/aria-current="page"[^>]*>My tracking<\/a>/);
    const { text: ofVendor } = await (await Visitor.signedIn(service, VENDOR)).get(PATH);
    expect(ofVendor).not.toContain('>My tracking</a>');
  });

  it('adds up to the report of the same days, and of all time to the earnings', async () => {
    for (const query of [`${JUNE}&refunds=sale`, 'from=2025-07-01&to=2025-07-31']) {
      const { text } = await ada.get(`/account/reports?as=affiliate&${query}`);
      const [, , total = ''] = (await rows(query)).at(-1) ?? [];
      expect(text).toContain(`>${total}<`);
    }
    const [, , total = ''] = (await rows('range=all-time')).at(-1) ?? [];
    const { meta } = await service.envelope('/ledger/v1/earnings', key);
    expect(meta).toMatchObject({ totals: { earned: total } });
  });

  it('counts a refund by its own day or that of its sale', async () => {
    const lost = ['&lt;mail>&&quot;', '2', '10.00', '19.0%', '1', '50.0%'];
    expect((await rows(`${JUNE}&refunds=sale`))[1]).toEqual(lost);
    // The value has no sale in July, so it has no row of its own.
    expect(await rows('from=2025-07-01&to=2025-07-31')).toEqual([
      ['Other: all further values', '–', '−10.00', '–', '1', '–'],
      ['Total', '–', '−10.00', '–', '1', '–'],
    ]);
  });

  it('is sorted by each column', async () => {
    const names = async (order: string) =>
      (await rows(`${JUNE}&refunds=sale&${order}`)).slice(0, 2).map(([name]) => name);
    expect(await names('sort=value')).toEqual(['&lt;mail>&&quot;', 'ads']);
    expect(await names('sort=commission&order=asc')).toEqual(['&lt;mail>&&quot;', 'ads']);
    expect(await names('sort=refunds')).toEqual(['&lt;mail>&&quot;', 'ads']);
    expect(await names('sort=refund_rate')).toEqual(['ads', '&lt;mail>&&quot;']);
    expect(await names('sort=sales&order=asc')).toEqual(['ads', '&lt;mail>&&quot;']);
    expect(await names('sort=gross&order=sideways')).toEqual(['ads', '&lt;mail>&&quot;']);
  });

  it('leads to the sales behind each number', async () => {
    const { text } = await ada.get(`${PATH}?${JUNE}`);
    const [, href = ''] = /href="([^"]*kind=sales&amp;tid=ads)"/.exec(text) ?? [];
    const list = await ada.get(href.replaceAll('&amp;', '&'));
    expect([...new Set(list.text.match(/\b(?:[amn]\d)(?=\?)/g))].sort()).toEqual(['a1', 'a2']);
  });

  it('is narrowed to one vendor, to whom My earnings leads', async () => {
    const { text } = await ada.get('/account/earnings');
    expect(text).toContain(`href="${PATH}?range=all-time&amp;partner=${SECOND}"`);
    expect(await rows(`${JUNE}&partner=${SECOND}`)).toEqual([
      ['ads', '1', '22.50', '100.0%', '–', '0.0%'],
      ['Total', '1', '22.50', '100.0%', '–', '0.0%'],
    ]);
    const chosen = await ada.get(`${PATH}?${JUNE}&partner=${SECOND}`);
    expect(chosen.text).toContain(`User ${SECOND}`);
    // It does not say the name of a user to whom the affiliate refers nothing.
    const other = await ada.get(`${PATH}?${JUNE}&partner=${RIVAL}`);
    expect(other.text).not.toContain(`User ${RIVAL}`);
  });
});

describe('an affiliate', () => {
  it('sees neither the sales of others nor more of its own than the tracking id', async () => {
    for (const query of [JUNE, 'range=all-time', `${JUNE}&refunds=sale&sort=value`]) {
      const { text } = await ada.get(`${PATH}?${query}`);
      const { text: json } = await service.get(`${OPERATION}?${JUNE_OF_API}`, key);
      for (const hidden of [
        'of-rival',
        'of-vendor',
        'hidden-',
        'Secret',
        'secret@',
        'pending',
        '30.00',
        '47.00',
        '235.00',
      ]) {
        expect([hidden, text.includes(hidden), json.includes(hidden)]).toEqual([
          hidden,
          false,
          false,
        ]);
      }
    }
  });

  it('of other sales sees those alone', async () => {
    const { results } = await service.envelope(OPERATION, await service.key(RIVAL));
    expect(results).toMatchObject([{ tid: 'of-rival', sales: 1, earned: '10.00' }]);
  });
});

describe('the operation', () => {
  it('has the same figures as the page', async () => {
    const { results, meta } = await service.envelope(`${OPERATION}?${JUNE_OF_API}`, key);
    const usual = { refunds: 0, refund_rate: '0.0000' };
    expect(results).toEqual([
      { tid: 'ads', sales: 2, earned: '32.50', share: '0.5200', ...usual },
      { tid: '<mail>&"', sales: 2, earned: '20.00', share: '0.3200', ...usual },
      { tid: null, sales: 1, earned: '10.00', share: '0.1600', ...usual },
    ]);
    expect(meta).toMatchObject({
      range: { start_date: '2025-06-01', end_date: '2025-06-30' },
      totals: TOTAL,
      other: null,
      searched_to: null,
    });
  });

  it('covers all days without a range, and one vendor if asked', async () => {
    const all = await service.envelope(OPERATION, key);
    expect(all.meta).toMatchObject({
      range: { start_date: '2025-06-01', end_date: '2025-07-02' },
      totals: { sales: 5, earned: '52.50', refunds: 1, refund_rate: '0.2000' },
    });
    const { meta } = await service.envelope(`${OPERATION}?vendor_id=${SECOND}`, key);
    expect(meta).toMatchObject({ totals: { sales: 1, earned: '22.50' } });
    const bySale = await service.envelope(`${OPERATION}?${JUNE_OF_API}&refunds_on=sale_date`, key);
    expect(bySale.meta).toMatchObject({ totals: { earned: '52.50', refunds: 1 } });
  });

  it('has nothing for a vendor and for a user without anything', async () => {
    for (const id of [VENDOR, NEW]) {
      const { results, meta } = await service.envelope(OPERATION, await service.key(id));
      expect(results).toEqual([]);
      expect(meta).toMatchObject({ totals: { sales: 0, earned: '0.00', share: '0.0000' } });
    }
  });

  it.each([
    'start_date=2025-06-01',
    'end_date=2025-06-01',
    'start_date=2025-02-30&end_date=2025-06-01',
    'start_date=2025-06-02&end_date=2025-06-01',
    'vendor_id=0',
    'vendor_id=one',
    'refunds_on=today',
    'tid=ads',
  ])('refuses %s', async (query) => {
    expectFailure(await service.get(`${OPERATION}?${query}`, key), 4001, 'ledger-1');
  });
});

describe('nothing to show', () => {
  it('says how a link gets a tracking id, and leads to all time', async () => {
    const { text } = await ada.get(`${PATH}?from=2020-01-01&to=2020-01-31`);
    expect(text).toContain('No sales that you referred in this period.');
    expect(text).toMatch(/href="[^"]*range=all-time[^"]*">Show all time/);
    expect(text).toContain('<code>https://example.com/?tid=newsletter</code>');
    const nobody = await Visitor.signedIn(service, NEW);
    const { status, text: empty } = await nobody.get(`${PATH}?range=all-time`);
    expect(status).toBe(200);
    expect(empty).toContain('You refer no sales yet.');
  });

  it('of an invalid range or vendor says so', async () => {
    for (const [query, words] of [
      ['from=2025-06-31&to=2025-07-01', 'The first day must be a date'],
      ['from=2025-06-30&to=2025-06-01', 'must not be before the first'],
      [`${JUNE}&partner=nobody`, 'must be an id, such as 101.'],
    ] as const) {
      const { status, text } = await ada.get(`${PATH}?${query}`);
      expect([query, status]).toEqual([query, 400]);
      expect(text).toContain(words);
      expect(text).not.toContain('<table');
    }
  });

  it('asks others to sign in', async () => {
    const { status, headers } = await new Visitor(service).get(PATH);
    expect([status, headers.location]).toEqual([
      303,
      `/account/sign-in?next=${encodeURIComponent(PATH)}`,
    ]);
  });
});

describe('many', () => {
  const { slice, salesOfPage } = new FigureBounds();
  afterEach(() => {
    Object.assign(service.app.get(FigureBounds), { slice, salesOfPage });
  });

  it('sales are read newest first as far as the bound, and the rest is in Other', async () => {
    await service.import(
      [1, 2, 3].map((day) =>
        sold(`d${day}`, 10, `day-${day}`, { sale_date: `2024-03-0${day}T10:00:00Z` }),
      ),
    );
    Object.assign(service.app.get(FigureBounds), { slice: 1, salesOfPage: 2 });
    const query = 'from=2024-03-01&to=2024-03-31';
    expect(await rows(`${query}&sort=value`)).toEqual([
      ['day-2', '1', '10.00', '33.3%', '–', '0.0%'],
      ['day-3', '1', '10.00', '33.3%', '–', '0.0%'],
      ['Other: all further values', '1', '10.00', '33.3%', '–', '0.0%'],
      ['Total', '3', '30.00', '100.0%', '–', '0.0%'],
    ]);
    const { text } = await ada.get(`${PATH}?${query}`);
    expect(text).toContain('Searched as far as 2024-03-02.');
    const asked = `${OPERATION}?start_date=2024-03-01&end_date=2024-03-31`;
    const { results, meta } = await service.envelope(asked, key);
    expect(results.map(({ tid }) => tid)).toEqual(['day-2', 'day-3']);
    expect(meta).toMatchObject({
      searched_to: '2024-03-02',
      other: { sales: 1, earned: '10.00' },
      totals: { sales: 3, earned: '30.00' },
    });
  });

  it('values have 1,000 rows, 100 on a page, and the rest is in Other', async () => {
    await service.import(
      Array.from({ length: 1_002 }, (_, at) =>
        sold(`v-${at}`, 10, `value-${String(at).padStart(4, '0')}`, {
          sale_date: '2023-05-01T10:00:00Z',
        }),
      ),
    );
    const query = 'from=2023-05-01&to=2023-05-31';
    const [first, last] = [await rows(query), await rows(`${query}&page=10`)];
    expect(first).toHaveLength(102);
    expect(last.slice(-3).map(([name, sales]) => [name, sales])).toEqual([
      ['value-0999', '1'],
      ['Other: all further values', '2'],
      ['Total', '1,002'],
    ]);
    const { text } = await ada.get(`${PATH}?${query}`);
    expect(text).toContain('Only the top 1,000 values have a row.');
    const asked = `${OPERATION}?start_date=2023-05-01&end_date=2023-05-31`;
    const { results, meta } = await service.envelope(asked, key);
    expect(results).toHaveLength(1_000);
    expect(meta).toMatchObject({ other: { sales: 2, earned: '20.00' } });
  });
});
