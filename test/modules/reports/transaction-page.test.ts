import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_ITEMS } from '../../../src/modules/reports/sale/sale.service.js';
import {
  MAX_COUNTED,
  MAX_PAYMENTS,
} from '../../../src/modules/transactions/subscription-payments.service.js';
import { shownCents } from '../../support/browser/figures-on-pages.js';
import { tablesOf } from '../../support/browser/page-tables.js';
import { Visitor } from '../../support/browser/visitor.js';
import {
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { HOSTILE, TRACKING, WHOLE } from '../../support/builders/whole-sale.js';
import { ODD_KEYS, unknownKeysLike } from '../../support/builders/odd-keys.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, AFFILIATE, OTHER, RECORDED] = [1, 2, 3, 4];
const PATH = '/account/transactions';
const MANY = MAX_COUNTED + 2 * MAX_PAYMENTS;

let service: TestService;
let vendor: Visitor;
let affiliate: Visitor;
let other: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR),
    user(AFFILIATE, { name: 'Anna', display_name: 'Picks' }),
    user(OTHER),
    product(10, VENDOR),
    product(30, OTHER),
    user(RECORDED),
    product(40, RECORDED),
    transaction('recorded', 40),
    ...['PRE-1', 'PRE-many'].map((pre_key, index) =>
      recurringPayment(pre_key, 10, { id: 1 + index }),
    ),
    transaction('first', 10, { sale_date: '2025-05-01T12:00:00Z', pre_key: 'PRE-1' }),
    transaction('whole', 10, { ...WHOLE, affiliate_id: AFFILIATE }),
    transaction('later', 10, {
      sale_date: '2025-07-01T12:00:00Z',
      pre_key: 'PRE-1',
      status: 'charged_back',
      refund: refund('2025-07-02T00:00:00Z'),
    }),
    transaction('foreign', 30, { pre_key: 'PRE-1', customer: WHOLE.customer }),
    transaction('undated', 10, { status: 'refunded', sale_date: '2025-08-01T00:00:00Z' }),
    transaction('by-other', 10, {
      affiliate_id: OTHER,
      amount: WHOLE.amount,
      payouts: WHOLE.payouts,
    }),
    transaction('many-payees', 10, {
      taxes: { tax_total: '5.00', vat_tax: '5.00' },
      payout_items: Array.from({ length: MAX_ITEMS + 23 }, (_, index) =>
        payoutItem(1_000 + index, { payee_amount: '0.01' }),
      ),
    }),
    ...ODD_KEYS.map((id) => transaction(id, 10, { sale_date: '2025-09-01T00:00:00Z' })),
    ...Array.from({ length: MANY }, (_, index) =>
      transaction(`of-many-${index}`, 10, {
        // Three transactions share each second.
        sale_date: new Date(Date.UTC(2024, 0, 1) + Math.floor(index / 3) * 1_000).toISOString(),
        pre_key: 'PRE-many',
      }),
    ),
  ]);
  vendor = await Visitor.signedIn(service, VENDOR);
  affiliate = await Visitor.signedIn(service, AFFILIATE);
  other = await Visitor.signedIn(service, OTHER);
});
afterAll(() => service.stop());

async function seen(visitor: Visitor, path: string): Promise<string> {
  const answer = await visitor.get(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text;
}

/** Returns the text of a part of the page, without tags. */
function textIn(html: string, id: string): string {
  const part = html.split(`<h2 id="${id}">`)[1]?.split('</section>')[0] ?? '';
  return part
    .replaceAll(/<wbr\/?>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function linksTo(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, to = '']) => to.replaceAll('&amp;', '&'));
}

describe("the page of a vendor's transaction", () => {
  let html: string;
  beforeAll(async () => {
    html = await seen(vendor, `${PATH}/whole`);
  });

  it('has the amount, what was taken off, what a refund took back, and what is left', () => {
    const money = textIn(html, 'split');
    for (const row of [
      'Remaining Total 1,234.56 −1,200.00 34.56 Service fee −104.46 104.50 0.04',
      'Affiliate −100.02 98.12 −1.90 Agent −20.03 18.13 −1.90',
      'Partner (JV) −10.04 9.14 −0.90',
      'Your earnings paid out to you by bank transfer 1,000.01 −970.11 29.90 Taxes 60.15',
      'International sales tax 30.16',
      'National sales tax 20.17',
      'VAT 9.82',
      'Shipping fee 4,321.995',
    ]) {
      expect(money).toContain(row);
    }
  });

  it.each(['whole', 'first', 'undated', 'by-other', 'many-payees'])(
    'has columns that add up to the cent to what the vendor earns: %s',
    async (id) => {
      const [rows = []] = tablesOf(await seen(vendor, `${PATH}/${id}`));
      expect([rows.at(0)?.name.slice(0, 5), rows.at(-1)?.name.slice(0, 13)]).toEqual([
        'Total',
        'Your earnings',
      ]);
      for (const column of Object.keys(rows[0]?.cells ?? {})) {
        const amounts = rows.map(({ cells }) => shownCents(cells[column]));
        const last = amounts.pop();
        expect([column, amounts.reduce((sum, each) => sum + each, 0n)]).toEqual([column, last]);
      }
    },
  );

  it('leads to the access log only where reads are recorded', async () => {
    expect(html).not.toContain('Access log');
    const recording = await service.beside({ PERSONAL_DATA_READS: 'on' });
    const { text } = await (await Visitor.signedIn(recording, RECORDED)).get(`${PATH}/recorded`);
    await recording.stop();
    expect(text).toMatch(/<a href="[^"]+\?transaction=recorded[^"]*">Access log</);
  });

  it('has the payees, the parties, the customer, the delivery and the tracking', () => {
    expect(textIn(html, 'payout-items')).toBe(
      'Other payouts Payee Amount An agent agent · ID 99 · waiting, by bank transfer 40.00',
    );
    expect(textIn(html, 'source')).toMatch(
      /Affiliate Picks id 2 Commission payment error Subscription PRE-1 /,
    );
    const customer = textIn(html, 'customer');
    expect(html.match(/Byron/g)).toHaveLength(1);
    for (const text of [
      'Byron',
      'ada@example.test',
      'at-processor@example.test',
      '+1 555 0100',
      '192.0.2.7',
      ...Object.values(WHOLE.delivery),
    ]) {
      expect(customer).toContain(text);
    }
    const tracking = textIn(html, 'source');
    for (const [field, value] of Object.entries(TRACKING)) {
      expect([field, tracking]).toEqual([field, expect.stringContaining(` ${value}`)]);
    }
    expect(tracking).toContain(`Your own tracking id (vtid) ${TRACKING.vtid}`);
  });

  it('is titled with the sale in words, and has an id to copy', () => {
    expect(html).toMatch(
      /<h1><span class="money">1,234\.56<\/span> <span class="badge refunded">partly refunded<\/span> <span class="earned">you earn <span class="money">29\.90</,
    );
    expect(html).toContain('<output id="transaction-id">whole</output>');
    expect(html).not.toContain(HOSTILE);
  });

  it('links to the lists of its day, product and affiliate, and to the customer', async () => {
    const links = linksTo(html);
    const list = (query: string) => `/account/reports/transactions?${query}&as=vendor`;
    expect(links).toEqual(
      expect.arrayContaining([
        list('from=2025-06-01&to=2025-06-01'),
        list('range=all-time&product=10'),
        list('range=all-time&utm_source=of-utm_source'),
        list('range=all-time&tid=of-tid'),
        `/account/affiliates/${AFFILIATE}`,
        '/account/customers?email=ada%40example.test',
      ]),
    );
    for (const path of links.filter((link) => link.startsWith(list('').slice(0, 30)))) {
      const paths = linksTo(await seen(vendor, path)).map((link) => link.split('?')[0]);
      expect(paths).toContain(`${PATH}/whole`);
    }
  });

  it('has up to five other purchases of the customer, without those of the timeline', async () => {
    expect(html).not.toContain('id="purchases"');
    const page = await seen(vendor, `${PATH}/first`);
    const others = linksTo(page).filter((link) => /[?&]back=%2Faccount%2Fcustomers/.test(link));
    expect(others).toHaveLength(5);
    expect(textIn(page, 'purchases')).toContain('All purchases of this customer');
  });

  it('says nothing of what the vendor earns after a refund of unknown effect', async () => {
    expect(await seen(vendor, `${PATH}/undated`)).not.toContain('you earn');
  });

  it('shows little of a sale that has little', async () => {
    const plain = await seen(vendor, `${PATH}/by-other`);
    expect(plain).toContain('you earn <span class="money">1,000.01<');
    expect(textIn(plain, 'split')).not.toMatch(/Refund|Taxes/);
    expect(textIn(plain, 'source')).toMatch(/Affiliate .+ id 3 Commission \w+$/);
    expect(plain).not.toContain('payout-items');
  });

  it('shows a single kind of tax below the total', async () => {
    const split = textIn(await seen(vendor, `${PATH}/many-payees`), 'split');
    expect(split).toMatch(/^Breakdown Part Amount Total of which 5\.00 is VAT 47\.00 /);
  });

  it('shows as many payees as fit, and how many there are', async () => {
    const items = textIn(await seen(vendor, `${PATH}/many-payees`), 'payout-items');
    expect(items.match(/User 1\d{3}/g)).toHaveLength(MAX_ITEMS);
    expect(items).toContain(`The first ${MAX_ITEMS} of ${MAX_ITEMS + 23}`);
  });
});

describe('the timeline', () => {
  const timelineOf = async (id: string) => {
    const html = await seen(vendor, `${PATH}/${id}`);
    return { text: textIn(html, 'timeline'), links: linksTo(html) };
  };

  it('has the sale, the rebills of its agreement and what came back, by time', async () => {
    const { text, links } = await timelineOf('whole');
    expect(text).toBe(
      [
        'Timeline',
        '1 May 2025, 12:00 Sale 47.00 paid first',
        '1 Jun 2025, 12:34 Rebill 1,234.56 refunded',
        '20 Jun 2025, 07:08 Refund −1,200.00',
        '1 Jul 2025, 12:00 Rebill 47.00 chargeback later',
        '2 Jul 2025, 00:00 Chargeback −47.00 later',
        '1 Jul 2025 Was due 47.00',
      ].join(' '),
    );
    expect(links).toEqual(expect.arrayContaining([`${PATH}/first`, `${PATH}/later`]));
    expect(links).not.toContain(`${PATH}/foreign`);
  });

  it('is left out for a sale alone, which the head shows', async () => {
    expect(await seen(vendor, `${PATH}/by-other`)).not.toContain('id="timeline"');
  });

  it('says that the day of a refund is unknown', async () => {
    expect((await timelineOf('undated')).text).toBe(
      'Timeline 1 Aug 2025, 00:00 Sale 47.00 refunded on an unknown day Refund',
    );
  });

  it.each([
    ['the first', 0, 0, `${MAX_COUNTED} or more later`],
    ['one near the beginning', 30, 6, `${MAX_COUNTED} or more later`],
    ['one in the middle', MANY / 2, MANY / 2 - 24, ` later`],
    ['the last', MANY - 1, MANY - MAX_PAYMENTS, `${MAX_COUNTED} or more earlier`],
  ])('shows the payments around %s, and how many more there are', async (_, at, first, more) => {
    const { text } = await timelineOf(`of-many-${at}`);
    const numbers = Array.from({ length: MAX_PAYMENTS }, (__, index) => first + index);
    const expected = numbers.filter((number) => number !== at).map((number) => `of-many-${number}`);
    expect(text.match(/of-many-\d+/g)).toEqual(expected);
    expect(text).toContain(more);
    const earlier = first === 0 ? null : Math.min(first, MAX_COUNTED);
    const told = /([\d,]+)(?: or more)? earlier payments? not shown/.exec(text)?.[1] ?? null;
    expect(told === null ? null : Number(told.replace(',', ''))).toBe(earlier);
    expect(text.includes(' Sale ')).toBe(first === 0);
  });
});

describe('the page of a customer', () => {
  it('shows what each sale of a customer earned, its rebills and the next payment', async () => {
    const paid = (id: string, day: number, more: object = {}) =>
      transaction(id, 10, {
        sale_date: `2020-01-0${day}T00:00:00Z`,
        pre_key: 'PRE-rita',
        customer: { email: 'rita@example.test', first_name: 'Rita', last_name: 'Reed' },
        ...more,
      });
    const next_date = '2020-02-01T00:00:00Z';
    await service.import([
      recurringPayment('PRE-rita', 10, { id: 77, contact_email: 'rita@example.test', next_date }),
      paid('rita-1', 1),
      paid('rita-2', 2),
      paid('rita-3', 3, { status: 'pending' }),
    ]);
    const { text } = await vendor.get('/account/customers?email=rita%40example.test');
    const [, sales = []] = tablesOf(text);
    expect(sales.map(({ name, cells }) => [name, cells['Your earnings']])).toEqual([
      ['3 Jan 2020, 00:00rebill', '–'],
      ['2 Jan 2020, 00:00rebill', '40.00'],
      ['1 Jan 2020, 00:00', '40.00'],
    ]);
    expect(text).toContain('<span class="note">payment of 1 Feb 2020 is late</span>');
    // The timeline has the other sales of this customer.
    expect(await seen(vendor, `${PATH}/rita-2`)).not.toContain('id="purchases"');
  });
});

/** Matches hidden fields, whose tokens can have any letters, and the address of a missing page. */
const OWN =
  /<input type="hidden" name="(?:csrf_token|form_page)" value="[^"]+"\/>|<bdi><code>.*?</g;
const without = (text: string) => text.replaceAll(OWN, '');

describe("an affiliate's page of a sale", () => {
  it('shows what the list of the affiliate shows, and nothing else', async () => {
    const html = without(await seen(affiliate, `${PATH}/whole`));
    expect(textIn(html, 'sale')).toBe(
      'Your sale Vendor User 1 Your commission 1.90 Commission status payment error',
    );
    const hidden = [
      'ada',
      'Byron',
      '192.0.2.7',
      '1,000.01',
      '29.90',
      'PRE-1',
      '2025-06-20',
      'Turin',
      'An agent',
      '−1,200.00',
      '60.15',
      ...Object.values(TRACKING),
    ];
    expect(hidden.filter((text) => html.includes(text))).toEqual([]);
    expect(
      await seen(affiliate, '/account/reports/transactions?range=all-time&as=affiliate'),
    ).toContain(`href="${PATH}/whole?back=`);
  });
});

describe('a transaction id', () => {
  it.each(ODD_KEYS)('%s leads from the list to its page', async (id) => {
    const list = await seen(vendor, `/account/reports/transactions?from=2025-09-01&to=2025-09-01`);
    // Links are resolved as in a browser.
    const paths = linksTo(list).map((link) => new URL(link, 'http://127.0.0.1'));
    const shown: string[] = [];
    for (const { pathname, search, searchParams } of paths) {
      if (!pathname.startsWith(PATH)) continue;
      const named = decodeURIComponent(pathname.slice(PATH.length + 1));
      if ((searchParams.get('id') ?? named) === id) {
        const html = await seen(vendor, pathname + search);
        shown.push(/<output id="transaction-id">(.*?)<\/output>/.exec(html)?.[1] ?? '');
      }
    }
    const escaped = id.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    expect(shown).toContain(escaped);
  });

  it('leads to its recurring payment, unless that is of another vendor', async () => {
    expect(await seen(vendor, `${PATH}/first`)).toContain('href="/account/subscriptions/PRE-1"');
    expect(await seen(other, `${PATH}/foreign`)).toContain('Subscription</dt><dd>PRE-1</dd>');
  });

  it.each([
    'none',
    'foreign',
    'x'.repeat(65),
    'x'.repeat(5_000),
    ' ',
    'later?x=1',
    ...unknownKeysLike('later'),
  ])('that is not one of the user has the same page but its address: %s', async (id) => {
    const unknown = await vendor.get(`${PATH}/no-such-id`);
    expect(unknown.text).toContain('There is no such transaction.');
    const answer = await vendor.get(`${PATH}?id=${encodeURIComponent(id)}`);
    expect([answer.status, without(answer.text)]).toEqual([404, without(unknown.text)]);
    const inPath = await vendor.get(`${PATH}/${encodeURIComponent(id)}`);
    expect([inPath.status, without(inPath.text)]).toEqual([404, without(unknown.text)]);
  });

  it.each([
    ['another vendor', 'whole', () => other],
    ['another affiliate', 'by-other', () => affiliate],
    ['an affiliate, a sale of nobody', 'first', () => affiliate],
  ])('of %s is not found either', async (_, id, who) => {
    const [answer, unknown] = [
      await who().get(`${PATH}/${id}`),
      await who().get(`${PATH}/no-such-id`),
    ];
    expect([answer.status, without(answer.text)]).toEqual([404, without(unknown.text)]);
  });
});
