/** The account pages of a vendor's affiliates. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tablesOf } from '../../support/browser/page-tables.js';
import { shownFigures } from '../../support/browser/report-pages.js';
import { Visitor } from '../../support/browser/visitor.js';
import {
  affiliation,
  clicks,
  product,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { onOneDay } from '../../support/processes/one-day.js';
import { TestService } from '../../support/servers/service.js';

const PATH = '/account/affiliates';
const PASSWORD = 'correct horse battery staple';
const NAMED_BADLY = 3;
const RANGE = 'from=2025-06-01&to=2025-06-30';
const [VENDOR, OTHER, PRODUCT, FOREIGN] = [1, 2, 10, 20];
/** These fill two pages. */
const SELLERS = Array.from({ length: 60 }, (_, index) => 100 + index);
const [REQUESTED, OF_OTHER, PENDING, CLICKED, NAMELESS] = [200, 201, 202, 203, 204];

let service: TestService;
let ann: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  const sold = (affiliate_id: number, amount: number, more: object = {}) =>
    transaction(`by-${affiliate_id}`, PRODUCT, { affiliate_id, amount: `${amount}.00`, ...more });
  await service.import([
    ...[VENDOR, OTHER, NAMED_BADLY, REQUESTED, OF_OTHER, PENDING, CLICKED].map((id) => user(id)),
    ...SELLERS.map((id) => user(id, { name: `Seller ${id}` })),
    user(100, { display_name: '=Best' }),
    product(PRODUCT, VENDOR),
    product(FOREIGN, OTHER),
    ...SELLERS.map((id) => sold(id, id)),
    transaction('foreign', FOREIGN, { affiliate_id: OF_OTHER }),
    sold(PENDING, 5, { status: 'pending' }),
    affiliation(REQUESTED, PRODUCT, { status: 'REQUESTED' }),
    clicks(CLICKED, PRODUCT),
    affiliation(OF_OTHER, FOREIGN),
    clicks(OF_OTHER, FOREIGN),
  ]);
  ann = await Visitor.signedIn(service, VENDOR);
});
afterAll(() => service.stop());

function headsOf(html: string): string[] {
  return [...html.matchAll(/<th scope="col".*?<\/th>/g)].map(([head]) => head);
}

/** Returns the ids of the shown affiliates, in their order. */
async function shown(query: string): Promise<number[]> {
  const { status, text } = await ann.get(`${PATH}?${query}`);
  expect(status).toBe(200);
  return Array.from(
    text.matchAll(/<th scope="row"[^>]*><div[^>]*><a href="[^"]*affiliates\/(\d+)\?/g),
    ([, id]) => Number(id),
  );
}

describe('the list of affiliates', () => {
  it('has pages of 50, the highest gross first', async () => {
    const first = await shown(RANGE);
    expect(first).toEqual([...SELLERS].reverse().slice(0, 50));
    const second = await shown(`${RANGE}&page=2`);
    expect(second.slice(0, 10)).toEqual([...SELLERS].reverse().slice(50));
    expect(second.slice(10)).toEqual([REQUESTED, CLICKED]);
    expect(await shown(`${RANGE}&page=99`)).toEqual(second);
    const { text } = await ann.get(`${PATH}?${RANGE}&page=2`);
    expect(text).toContain('Page 2 of 2');
    expect(text).toContain('Total of 62');
  });

  it('is sorted by each column, in both orders, by links that keep the range', async () => {
    const few = await ann.get(`${PATH}?${RANGE}&refunds=refund`);
    expect(headsOf(few.text)).toHaveLength(8);
    const more = /href="([^"]*)">More columns/.exec(few.text)?.[1] ?? '';
    const { text } = await ann.get(more.replaceAll('&amp;', '&'));
    expect(headsOf(text)).toHaveLength(17);
    // The change of the shown affiliates does not sort.
    const heads = headsOf(text).filter((head) => head.includes('sort='));
    expect(heads).toHaveLength(16);
    expect(heads.filter((head) => head.includes('aria-sort='))).toEqual([
      expect.stringMatching(
        /aria-sort="descending"><a href="[^"]*sort=gross&amp;order=asc&amp;columns=all">Gross/,
      ),
    ]);
    for (const head of heads) {
      const href = /href="([^"]*)"/.exec(head)?.[1]?.replaceAll('&amp;', '&') ?? '';
      expect(href).toContain(`${PATH}?${RANGE}&refunds=refund&sort=`);
      const sorted = await ann.get(href);
      const order = href.includes('order=asc') ? 'ascending' : 'descending';
      expect(sorted.text.split(`aria-sort="${order}"`)).toHaveLength(2);
    }
    expect((await shown(`${RANGE}&sort=gross&order=asc`)).slice(0, 3)).toEqual([200, 203, 100]);
    expect((await shown(`${RANGE}&sort=name`)).slice(0, 2)).toEqual([100, 101]);
    expect((await shown(`${RANGE}&sort=clicks`))[0]).toBe(CLICKED);
    expect(await shown(`${RANGE}&sort=nothing&order=up&page=-1`)).toEqual(await shown(RANGE));
  });

  it('is narrowed by a part of a name or by an id, in the file, too', async () => {
    expect(await shown(`${RANGE}&name=seller%2015`)).toEqual(
      [...SELLERS].reverse().filter((id) => id >= 150),
    );
    expect(await shown(`${RANGE}&name=159`)).toEqual([159]);
    const { text } = await ann.get(`${PATH}?${RANGE}&name=SELLER%20159`);
    expect(tablesOf(text)[0]?.at(-1)).toMatchObject({ name: 'Total', cells: { Gross: '159.00' } });
    const none = await ann.get(`${PATH}?${RANGE}&name=nobody`);
    expect(none.text).toContain('No affiliate has this name.');
    const file = await ann.get(`${PATH}.csv?${RANGE}&name=best`);
    expect(file.text.trimEnd().split('\r\n').slice(1)).toEqual([
      expect.stringMatching(/^100,'=Best,/),
    ]);
  });

  it('shows a status of the terms that is not usual, changes, and ids behind equal names', async () => {
    const [TWIN, OTHER_TWIN, LATE, EARLY] = [210, 211, 30, 31];
    const [product_id, vendor_id] = [25, 5];
    const sold = (id: string, affiliate_id: number, amount: string, day: number) =>
      transaction(id, product_id, {
        affiliate_id,
        amount,
        sale_date: `2025-0${day > LATE ? 5 : 6}-05T00:00:00Z`,
      });
    await service.import([
      user(vendor_id),
      user(TWIN, { name: 'Twin' }),
      user(OTHER_TWIN, { name: 'Twin' }),
      product(product_id, vendor_id),
      product(product_id + 1, vendor_id),
      affiliation(TWIN, product_id, { status: 'APPROVED' }),
      affiliation(TWIN, product_id + 1, { status: 'REQUESTED' }),
      affiliation(OTHER_TWIN, product_id, { status: 'DENIED' }),
      sold('twin-now', TWIN, '30.00', LATE),
      sold('twin-then', TWIN, '50.00', EARLY),
      sold('other-now', OTHER_TWIN, '10.00', LATE),
    ]);
    const vendor = await Visitor.signedIn(service, vendor_id);
    const [rows = []] = tablesOf((await vendor.get(`${PATH}?${RANGE}`)).text);
    const cells = rows.map(({ name, cells: of }) => [name, of.Gross, of['Change of gross']]);
    expect(cells).toEqual([
      [`Twin ${TWIN} Requested`, '30.00', '−20.00'],
      [`Twin ${OTHER_TWIN} Rejected`, '10.00', '+10.00'],
      ['Total of 2', '40.00', ''],
    ]);
    expect((await vendor.get(`${PATH}?${RANGE}&compare=none`)).text).not.toContain('Change of');
    const twin = await vendor.get(`${PATH}/${TWIN}?${RANGE}`);
    expect(shownFigures(twin.text).Gross).toMatch(/^30\.00 .*−40\.0% \(was 50\.00 ?\)$/);
    const { text } = await vendor.get(`${PATH}/${TWIN}?${RANGE}&compare=none`);
    expect(text).not.toContain('(was');
  });

  it('shows who has nothing in the range only with a relationship', async () => {
    expect(await shown('from=2024-01-01&to=2024-12-31')).toEqual([REQUESTED]);
    const { text } = await (await Visitor.signedIn(service, REQUESTED)).get(PATH);
    expect(text).toContain('You have no affiliates.');
  });

  it('is there as CSV, with all pages', async () => {
    const { headers, text } = await ann.get(`${PATH}.csv?${RANGE}`);
    expect(headers['content-disposition']).toContain('affiliates-2025-06-01-to-2025-06-30.csv');
    const lines = text.replace('\ufeff', '').trimEnd().split('\r\n');
    expect(lines).toHaveLength(63);
    expect(lines[0]).toMatch(/^affiliate_id,affiliate_name,sales,gross,commission,refunds,/);
    expect(lines[1]).toBe(
      '159,Seller 159,1,159.00,0.00,0,0.0000,0,0.0000,,,,0.00,0.00,0.00,0.00,0.00,0.00,0.00',
    );
    expect(lines).toContain(
      "100,'=Best,1,100.00,0.00,0,0.0000,0,0.0000,,,,0.00,0.00,0.00,0.00,0.00,0.00,0.00",
    );
    expect(lines[62]).toBe(
      '203,User 203,0,0.00,0.00,0,,0,,12,9,0.0000,0.00,0.00,0.00,0.00,0.00,0.00,0.00',
    );
  });

  it('calls one by the name if the display name is empty, and by the id if it has neither', async () => {
    const [product_id, range] = [21, 'from=2024-03-01&to=2024-03-31'];
    await service.import([
      product(product_id, NAMED_BADLY, { name: '' }),
      user(CLICKED, { display_name: '' }),
      user(NAMELESS, { name: '', display_name: null }),
      ...[CLICKED, NAMELESS].map((affiliate_id) =>
        transaction(`badly-${affiliate_id}`, product_id, {
          affiliate_id,
          sale_date: '2024-03-05T00:00:00Z',
          product_name: '',
        }),
      ),
    ]);
    const bob = await Visitor.signedIn(service, NAMED_BADLY);
    const reports = `/account/reports`;
    for (const path of [
      `${PATH}?${range}`,
      `${reports}?${range}`,
      `${reports}/transactions?${range}`,
    ]) {
      const { text } = await bob.get(path);
      expect(text).toMatch(new RegExp(`>User ${CLICKED}<`));
      expect(text).toMatch(new RegExp(`>${NAMELESS}<`));
      expect(text).not.toMatch(/<a [^>]*><\/a>/);
    }
    const { text } = await bob.get(`/account/transactions/badly-${NAMELESS}`);
    expect(text).toContain(`affiliates/${NAMELESS}">${NAMELESS}</a>`);
    expect(text).toContain(`>${product_id}</a>`);
    expect((await bob.get(`${PATH}/${CLICKED}`)).text).toContain(`<h1>User ${CLICKED}</h1>`);
  });

  it('tells of a range that is none', async () => {
    const { status, text } = await ann.get(`${PATH}?from=2025-02-30&to=2025-03-01`);
    expect(status).toBe(400);
    expect(text).toContain('The first day must be a date such as 2030-12-31.');
    expect((await ann.get(`${PATH}.csv?from=2025-02-30&to=2025-03-01`)).status).toBe(400);
    expect((await ann.get(`${PATH}/100?from=x&to=2025-03-01`)).status).toBe(400);
  });
});

describe('the page of an affiliate', () => {
  it('shows figures, months, products and terms', async () => {
    const { status, text } = await ann.get(`${PATH}/100?${RANGE}`);
    expect(status).toBe(200);
    expect(text).toContain('<h1>=Best</h1>');
    const titles = Array.from(text.matchAll(/<h2 id="([^"]+)-title"/g), ([, id]) => id);
    expect(titles).toEqual(['sales', 'terms', 'chart', 'products', 'unpaid']);
    expect(text).toMatch(/<span data-metric-name[^>]*>Commission<\/span> by day/);
    expect(text).toContain('data-gross="100.00"');
    const july = await ann.get(`${PATH}/100?from=2025-07-01&to=2025-07-31`);
    expect(july.text).toContain('data-compared-gross="100.00"');
    expect(text).toMatch(/<a [^>]*href="\/account\/reports\?[^"]*partner=100"[^>]*>Full report</);
    expect(text).toContain(`kind=sales`);
    expect(text).toContain('No relationship to one of your products.');
    const requested = await ann.get(`${PATH}/${REQUESTED}`);
    expect(requested.text).toMatch(/data-label="Status" class="fact"><div[^>]*>Requested</);
  });

  it('shows the last sales without their customers, the changes of the terms, and the e-mail', async () => {
    await service.import([affiliation(SELLERS[1] ?? 0, PRODUCT)]);
    const { text } = await ann.get(`${PATH}/101?${RANGE}`);
    const [sales = []] = tablesOf(text).filter(([row]) => row?.cells.Amount !== undefined);
    expect(
      sales.map(({ link, cells }) => [link.split('?')[0], cells.Amount, cells.Commission]),
    ).toEqual([['/account/transactions/by-101', '101.00', '–']]);
    expect(text).toContain('user101@<wbr/>example.<wbr/>test');
    expect(text).toMatch(/<h2[^>]*>History<\/h2>.*?No changes yet\./);
  });

  it('ends its chart with today, and lists no product that has only pending sales', () =>
    onOneDay(async () => {
      const year = new Date().getUTCFullYear();
      const { text } = await ann.get(`${PATH}/100?from=2025-06-01&to=${year + 1}-12-31`);
      const months = text.match(/[A-Z][a-z]{2} \d{4}(?=<\/a>)/g) ?? [];
      const thisMonth = new Date().toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
      expect([months[0], months.at(-1)]).toEqual(['Jun 2025', `${thisMonth} ${year}`]);
      const toCome = await ann.get(`${PATH}/100?from=${year + 1}-01-01&to=${year + 1}-12-31`);
      expect(toCome.text).not.toContain('<canvas');
      const pending = await ann.get(`${PATH}/${PENDING}?${RANGE}`);
      expect(pending.text).toMatch(/Products<\/h2><p class="empty">No sales in this period\./);
    }));

  it.each([
    ['only a pending sale', PENDING],
    ['only clicks', CLICKED],
    ['only a relationship', REQUESTED],
  ])('is there with %s', async (_, id) => {
    expect((await ann.get(`${PATH}/${id}`)).status).toBe(200);
  });

  it.each([OF_OTHER, OTHER, VENDOR, 999_999, 'x', '-1'])(
    'is not found for %s, who has nothing with the vendor',
    async (id) => {
      for (const path of [`${PATH}/${id}`, `${PATH}/${id}/terms?product=${PRODUCT}`]) {
        const answer = await ann.get(path);
        expect(answer.status).toBe(404);
        expect(answer.text).toContain('You have no such affiliate.');
        expect(answer.text).not.toContain(`User ${OF_OTHER}`);
      }
    },
  );
});

describe('what is owed to affiliates', () => {
  const [SELLER, FAST, SLOW] = [4, 40, 41];
  const [MIXED, INSTANT] = [300, 301];
  const payoutsOf = (affiliate_payout: string) => ({
    affiliate_payout,
    seller_earnings: '30.00',
    agent_payout: '0.00',
    jv_payout: '0.00',
    service_fee: '7.00',
  });
  const owed = (id: string, product_id: number, affiliate_id: number, more: object = {}) =>
    transaction(id, product_id, {
      affiliate_id,
      sale_date: '2025-01-05T00:00:00Z',
      payouts: payoutsOf('10.00'),
      ...more,
    });
  let seller: Visitor;
  beforeAll(async () => {
    await service.import([
      user(SELLER),
      user(MIXED, { name: 'Mixed', email: 'mixed@example.test' }),
      user(INSTANT, { name: 'Instant' }),
      product(FAST, SELLER),
      product(SLOW, SELLER, { name: 'Slow' }),
      affiliation(MIXED, SLOW, { delayed_commission: true }),
      affiliation(MIXED, FAST),
      owed('owed-1', SLOW, MIXED),
      owed('owed-2', SLOW, MIXED),
      owed('owed-3', FAST, MIXED, { payouts: payoutsOf('3.50') }),
      owed('owed-4', FAST, INSTANT, { payouts: payoutsOf('7.25') }),
      owed('paid', SLOW, MIXED, { affiliate_commission_status: 'PAID' }),
      owed('refunded', SLOW, MIXED, { affiliate_commission_status: 'REFUNDED' }),
      owed('pending', SLOW, MIXED, { status: 'pending' }),
      owed('nobody', SLOW, MIXED, { affiliate_id: null }),
    ]);
    seller = await Visitor.signedIn(service, SELLER);
  });

  it('is the same on the pages, in the file and in the API', async () => {
    const { text } = await seller.get(`${PATH}?${RANGE}&sort=unpaid_total&columns=all`);
    expect(text).toMatch(
      /<dt>Due now<\/dt><dd><a href="[^"]*sort=due_now&amp;order=desc">.*?ready to pay out<span class="no-print"> · <a [^>]*payouts\.csv">Download payouts/,
    );
    const [rows = []] = tablesOf(text);
    const cells = rows.map(({ name, cells: of }) =>
      [name, ...['Unpaid', 'Due now', 'On hold'].map((sum) => of[sum])].join(' '),
    );
    expect(cells).toEqual([
      'Mixed 23.50 3.50 20.00',
      'Instant 7.25 7.25 –',
      'Total of 2 30.75 10.75 20.00',
    ]);
    // A narrow screen shows what is due now.
    expect(text).toMatch(/class="number fact"><div class="content" data-word="due now">/);
    const file = (await seller.get(`${PATH}/payouts.csv`)).text.replace('\ufeff', '');
    expect(file.trimEnd().split('\r\n')).toEqual([
      'affiliate_id,affiliate_name,email,due_now,on_hold,unpaid_total,currency',
      `${MIXED},Mixed,mixed@example.test,3.50,20.00,23.50,`,
      `${INSTANT},Instant,user${INSTANT}@example.test,7.25,0.00,7.25,`,
    ]);
    const key = await service.key(SELLER);
    const { results, meta } = await service.envelope('/ledger/v1/figures/unpaid', key);
    expect(results.map(({ total, due_now, on_hold }) => [total, due_now, on_hold])).toEqual([
      ['23.50', '3.50', '20.00'],
      ['7.25', '7.25', '0.00'],
    ]);
    expect(meta).toMatchObject({ totals: { total: '30.75', due_now: '10.75', on_hold: '20.00' } });
    const listed = await service.envelope(
      '/ledger/v1/transactions?commission_status=UNPAID&status=settled,refunded',
      key,
    );
    const ids = listed.results.map(({ transaction_id }) => transaction_id);
    expect(ids.sort()).toEqual(['owed-1', 'owed-2', 'owed-3', 'owed-4']);
  });

  it('is what the last sales earned', async () => {
    const { text } = await seller.get(`${PATH}/${MIXED}?from=2025-01-01&to=2025-01-31`);
    const [sales = []] = tablesOf(text).filter(([row]) => row?.cells.Amount !== undefined);
    const earned = sales.map(({ cells }) => cells.Commission);
    expect(earned.length).toBe(5);
    expect(earned.filter((amount) => amount === '3.50')).toHaveLength(1);
    expect(earned.filter((amount) => amount === '10.00')).toHaveLength(4);
  });

  it('leads to the sales that are unpaid', async () => {
    const { text } = await seller.get(`${PATH}/${MIXED}?${RANGE}`);
    const [products = []] = tablesOf(text).filter(([row]) => row?.cells.Payment !== undefined);
    expect(products.map(({ name, cells }) => [name, cells.Unpaid, cells.Payment])).toEqual([
      [`Product ${FAST}`, '3.50', 'Due now'],
      ['Slow', '20.00', 'On hold'],
    ]);
    const listed = await seller.get(products[1]?.link.replaceAll('&amp;', '&') ?? '');
    expect([...new Set(listed.text.match(/owed-\d|paid(?=\?)|pending(?=\?)/g))].sort()).toEqual([
      'owed-1',
      'owed-2',
    ]);
    expect(listed.text).toContain('Affiliate commission: unpaid');
  });

  it('is what an affiliate sees as earnings, on the page and in the API', async () => {
    const key = await service.key(MIXED);
    const { results, meta } = await service.envelope('/ledger/v1/earnings', key);
    const sums = { earned: '40.00', paid: '10.00', unpaid: '20.00' };
    expect(results).toMatchObject([
      { product_id: FAST, vendor_id: SELLER, unpaid: '3.50', due_now: '3.50', on_hold: '0.00' },
      { product_id: SLOW, product_name: 'Slow', sales: 4, ...sums, due_now: '0.00' },
    ]);
    expect(results[1]).toMatchObject({
      terms: { status: 'APPROVED', delayed_commission: true, custom_commission: null },
    });
    expect(meta).toMatchObject({
      totals: { sales: 5, unpaid: '23.50', due_now: '3.50', on_hold: '20.00', paid: '10.00' },
    });
    const mixed = new Visitor(service);
    await service.setPassword(MIXED, PASSWORD);
    await mixed.signIn('mixed@example.test', PASSWORD);
    const { text } = await mixed.get('/account/earnings');
    expect(shownFigures(text)).toMatchObject({
      Unpaid: expect.stringMatching(/^23\.50/) as unknown,
      'Due now': expect.stringMatching(/^3\.50/) as unknown,
      'On hold': expect.stringMatching(/^20\.00/) as unknown,
      Paid: expect.stringMatching(/^10\.00/) as unknown,
    });
    const [vendors = [], terms = []] = tablesOf(text);
    expect(vendors).toMatchObject([{ name: `User ${SELLER}`, cells: { Unpaid: '23.50' } }]);
    expect(terms.map(({ cells }) => [cells.Payment, cells.Unpaid])).toEqual([
      ['at once', '3.50'],
      ['after the hold', '20.00'],
    ]);
    expect(text).toMatch(/<a href="\/account\/earnings"[^>]*>My earnings/);
  });

  it('is on no page and in no answer of a user who refers nothing', async () => {
    const { results } = await service.envelope('/ledger/v1/earnings', await service.key(SELLER));
    expect(results).toEqual([]);
    const { text } = await seller.get('/account/earnings');
    expect(text).toContain('You refer no sales yet.');
    expect(text).not.toContain('>My earnings</a>');
  });

  it('follows the terms at once', async () => {
    await service.import([affiliation(MIXED, SLOW, { delayed_commission: false })]);
    const { text } = await seller.get(`${PATH}/${MIXED}?${RANGE}`);
    expect(shownFigures(text).Unpaid).toBe('23.50 as of today, all due now');
    await service.import([affiliation(MIXED, SLOW, { delayed_commission: true })]);
  });
});
