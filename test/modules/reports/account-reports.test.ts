import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  figuresOf,
  walkList,
  type Attribution,
  type Days,
} from '../../support/oracles/report-oracle.js';
import {
  AFFILIATE,
  ALL,
  JUNE,
  LIST,
  OTHER,
  pathOf,
  reportLedger,
  REPORTS,
  shownFigures,
  VENDOR,
} from '../../support/browser/report-pages.js';
import { user } from '../../support/builders/ledger-records.js';
import { tablesOf } from '../../support/browser/page-tables.js';
import { TestService } from '../../support/servers/service.js';
import { Visitor } from '../../support/browser/visitor.js';

let service: TestService;
let key: string;
let vendor: Visitor;
let affiliate: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  await service.import(reportLedger());
  key = await service.key(VENDOR);
  vendor = await Visitor.signedIn(service, VENDOR);
  affiliate = await Visitor.signedIn(service, AFFILIATE);
});
afterAll(() => service.stop());

/** Formats an amount as the pages do. */
function money(cents: bigint): string {
  const [whole = '', fraction = ''] = (Number(cents) / 100).toFixed(2).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}

/** Writes the share of the net earnings as the page does. */
function shareText({ earnings, gross }: Readonly<Record<'earnings' | 'gross', bigint>>): string {
  const rate = Math.round((Number(earnings) * 10_000) / Number(gross));
  return `${(Math.round(rate / 10) / 10).toFixed(1)}% of gross`;
}

/** Writes a number of transactions as the pages do. */
function counted({ transactions }: { readonly transactions: number }, noun: string): string {
  return `${transactions} ${noun}${transactions === 1 ? '' : 's'}`;
}

describe('the report of a vendor without sales', () => {
  const NEWCOMER = 900;
  const stepsIn = (text: string) =>
    Array.from(
      text.matchAll(/<h3>([^<]*) <span class="badge [a-z]+">([^<]*)</g),
      ([, name, state]) => [name, state],
    );

  it('has the first steps with their states instead of figures', async () => {
    await service.import([user(NEWCOMER)]);
    const newcomer = await Visitor.signedIn(service, NEWCOMER);
    const before = await newcomer.get('/account/reports');
    expect(stepsIn(before.text)).toEqual([
      ['Get your sales in', 'to do'],
      ['Create an API key', 'to do'],
      ['Add a webhook', 'to do'],
      ['Turn on two-factor sign-in', 'to do'],
    ]);
    for (const path of ['upstream', 'applications', 'webhooks', 'security']) {
      expect(before.text).toContain(`href="/account/${path}"`);
    }
    expect(shownFigures(before.text)).toEqual({});
    await service.sourceKey(NEWCOMER);
    await newcomer.post('/account/webhooks', {
      url: 'https://shop.example/hook',
      from: 'now',
      max_bytes: '92160',
    });
    const { text } = await newcomer.get('/account/reports');
    expect(stepsIn(text).map(([, state]) => state)).toEqual(['done', 'to do', 'done', 'to do']);
  });

  it('has figures and no steps for a vendor with sales in another range', async () => {
    const { text } = await vendor.get('/account/reports?from=2001-01-01&to=2001-01-31');
    expect(text).toContain('No sales in this period.');
    expect(stepsIn(text)).toEqual([]);
    expect(shownFigures(text)).toHaveProperty('Sales');
  });
});

describe('the figures of the report page', () => {
  it.each(
    [ALL, JUNE, { start_date: '2025-07-04', end_date: '2025-07-04' }].flatMap((days) =>
      (['sale', 'refund'] as const).map((by): [Days, Attribution] => [days, by]),
    ),
  )('are the sums over the 3.0 list of %j, refunds by the day of the %s', async (days, by) => {
    const page = await vendor.get(pathOf(REPORTS, days, { refunds: by, compare: 'none' }));
    expect(page.status).toBe(200);
    const list = await walkList(service, key, days);
    // A refund belongs to its sale, even if it came after the range.
    const figures = figuresOf(list, days, by);
    const told = shownFigures(page.text);
    expect(told).toMatchObject({
      Sales: String(figures.sales),
      Gross: `${money(figures.gross)} before refunds and fees`,
      'Net earnings': `${money(figures.earnings)} after refunds, fees and commissions ${shareText(figures)}`,
      Refunds: `${money(figures.refunds.amount)} ${counted(figures.refunds, 'refund')}`,
      Chargebacks: `${money(figures.chargebacks.amount)} ${counted(figures.chargebacks, 'chargeback')}`,
      Pending: `${money(figures.pending.amount)} ${counted(figures.pending, 'sale')}`,
      'Average order': money(figures.average_order),
    });
    const steps = new Map(tablesOf(page.text)[1]?.map(({ name, cells }) => [name, cells.Amount]));
    expect(steps.get('Fees')).toBe(`−${money(figures.fees)}`);
    expect(page.text).toContain(`Refunds are counted by ${by} date.`);
  });

  it('are those of the affiliate, and of nobody else, for who sold as an affiliate', async () => {
    const page = await affiliate.get(pathOf(REPORTS, ALL, { compare: 'none' }));
    const told = shownFigures(page.text);
    expect(told).not.toHaveProperty('Net earnings');
    expect(page.text).not.toContain('Fees');
    const list = await walkList(service, key, ALL);
    const own = list.filter((each) => each.affiliate?.id === AFFILIATE);
    const figures = figuresOf(own, ALL, 'refund', 'affiliate');
    // The other vendor's sale is this affiliate's, too.
    expect(told.Sales).toMatch(new RegExp(`^${figures.sales + 1}\\b`));
    expect(told.Gross).toMatch(new RegExp(`^${money(figures.gross + 999_999n)} `));
    expect(told['My commissions']).toMatch(new RegExp(`^${money(figures.commissions)} `));
    const none = await vendor.get(pathOf(REPORTS, ALL, { as: 'affiliate' }));
    expect(none.text).toContain('No sales in this period.');
    expect(none.text).not.toContain('<canvas');
  });
});

describe('the transactions behind a figure', () => {
  async function walk(visitor: Visitor, first: string): Promise<string[]> {
    const ids: string[] = [];
    for (let next: string | undefined = first; next !== undefined;) {
      const { status, text } = await visitor.get(next);
      expect(status).toBe(200);
      ids.push(
        ...[
          ...text.matchAll(/<th scope="row"[^>]*><div class="content"><a href="[^"?]+\/([^"?]+)/g),
        ].map(([, id = '']) => id),
      );
      next = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    return ids;
  }

  it('are those of the 3.0 list, page by page, with their exact count', async () => {
    const list = await walkList(service, key, ALL);
    const expected = list.map(({ transaction_id }) => transaction_id);
    expect(expected.length).toBeGreaterThan(100);
    expect(await walk(vendor, pathOf(LIST, ALL, { refunds: 'refund' }))).toEqual(expected);
    const { text } = await vendor.get(pathOf(LIST, ALL, { kind: 'sales' }));
    const sold = list.filter(({ status }) => status !== 'pending').length;
    expect(text).toContain(`<strong>${sold}</strong> sales`);
  });

  it('are split up by kind, and marked as sorted by their day', async () => {
    const list = await walkList(service, key, JUNE);
    const inJune = list.filter(({ sale_date }) => sale_date >= JUNE.start_date);
    const pending = inJune.filter(({ status }) => status === 'pending').length;
    const earlier = list.length - inJune.length;
    expect(Math.min(pending, earlier)).toBeGreaterThan(1);
    const { text } = await vendor.get(pathOf(LIST, JUNE, { refunds: 'refund' }));
    expect(text).toContain(
      `${inJune.length - pending} sales, ${pending} pending, ${earlier} earlier sales refunded in this period.`,
    );
    expect(text).toMatch(/aria-sort="descending"[^>]*>Date<span aria-hidden="true"> ▼</);
    const bySale = await vendor.get(pathOf(LIST, JUNE, { refunds: 'sale' }));
    expect(bySale.text).toContain(`${inJune.length - pending} sales, ${pending} pending.`);
    const product = await vendor.get(pathOf(LIST, JUNE, { refunds: 'refund', product: '10' }));
    expect(product.text).toContain('Includes pending sales, and earlier sales');
  });

  it('are linked from the figures, each list as long as its figure says', async () => {
    const page = await vendor.get(pathOf(REPORTS, JUNE, { refunds: 'refund' }));
    const told = shownFigures(page.text);
    const links = page.text.matchAll(/<dt>([^<]+)<\/dt><dd><a href="([^"]+)"/g);
    const walked: string[] = [];
    const added: string[] = [];
    for (const [, name = '', href = ''] of links) {
      const { text } = await vendor.get(href.replaceAll('&amp;', '&'));
      const total =
        /(?:in this period:|(?:refund|chargeback)s? of) <strong>(?:<span[^>]*>)*([^<]+)</.exec(
          text,
        )?.[1] ?? 'none';
      if ((told[name] ?? '').split(' ').includes(total)) added.push(name);
      const count = /^\d+(?= |$)|\d+(?= (?:refund|chargeback|sale)s?\b)/.exec(
        told[name] ?? '',
      )?.[0];
      if (count === undefined) continue;
      expect(await walk(vendor, href.replaceAll('&amp;', '&'))).toHaveLength(Number(count));
      walked.push(name);
    }
    expect(walked).toEqual(['Refunds', 'Sales', 'Chargebacks', 'Pending']);
    expect(added).toEqual(['Net earnings', 'Gross', 'Refunds', 'Chargebacks', 'Pending']);
  });

  it('show an affiliate nothing of the customer and of what the vendor earned', async () => {
    const page = await affiliate.get(pathOf(LIST, ALL));
    // A form token and the address of a style sheet can contain any digits.
    const text = page.text.replaceAll(/name="csrf_token" value="[^"]+"|\/assets\/[^"]+/g, '');
    expect(text).toContain('User 1');
    expect(text).not.toMatch(/c\d+@|Your earnings|900|alert\(1\)<\/td>/);
    const csv = await affiliate.get(pathOf(`${LIST}.csv`, ALL));
    expect(csv.text).not.toMatch(/c\d+@example|seller/);
  });

  const headsOf = (html: string) =>
    Array.from(html.matchAll(/<th scope="col"[^>]*>([^<]+)</g), ([, name]) => name);

  it('show the money first, the words of 3.0, and one name for an affiliate', async () => {
    const { text } = await vendor.get(pathOf(LIST, ALL));
    expect(headsOf(text)).toEqual([
      'Date',
      'Product',
      'Customer',
      'Affiliate',
      'Amount',
      'Your earnings',
      'Status',
    ]);
    const statuses = Array.from(
      text.matchAll(/<span class="badge [^"]+">([^<]+)</g),
      ([, of]) => of,
    );
    expect(new Set(statuses)).toEqual(new Set(['paid', 'refunded', 'pending', 'chargeback']));
    expect(text).toContain(
      `<div class="content"><a href="/account/affiliates/${AFFILIATE}">Picks</a>`,
    );
    const plain = await vendor.get(pathOf(LIST, ALL, { partner: String(OTHER) }));
    expect(plain.text).toContain(
      `<div class="content"><a href="/account/affiliates/${OTHER}">User 3</a>`,
    );
    const own = await affiliate.get(pathOf(LIST, ALL));
    expect(headsOf(own.text)).toEqual([
      'Date',
      'Product',
      'Vendor',
      'Amount',
      'Your commission',
      'Status',
      'Commission status',
    ]);
  });

  it('say on every screen what is not counted until it is paid', async () => {
    for (const visitor of [vendor, affiliate]) {
      const { text } = await visitor.get(pathOf(LIST, ALL, { status: 'pending' }));
      const rows = text.match(/>pending</g)?.length ?? 0;
      expect(rows).toBeGreaterThan(2);
      // The last one is the option of the filter.
      expect(text.match(/>not counted until paid</g)).toHaveLength(rows - 1);
      expect(text.match(/data-word="once paid"/g)).toHaveLength(rows - 1);
      expect(text).not.toContain('counts as');
    }
    const { text } = await vendor.get(pathOf(LIST, ALL, { refunds: 'refund' }));
    expect(text).toMatch(/>counts as <span class="money">/);
    expect(text).toContain('data-word="for you"');
  });

  it('say what refunds cost the vendor where the whole list is shown, without a status', async () => {
    for (const kind of ['refunds', 'chargebacks']) {
      const whole = await vendor.get(pathOf(LIST, JUNE, { kind, refunds: 'refund' }));
      const { text } = whole;
      const costs = Array.from(
        text.matchAll(/data-label="Cost to you"[^>]*>.*?<span class="money">([\d,.]+)</g),
        ([, amount = '']) => BigInt(amount.replace(/\D/g, '')),
      );
      expect(costs.length).toBeGreaterThan(2);
      const cost = costs.reduce((sum, each) => sum + each, 0n);
      expect(text).toContain(
        `, which cost you <strong><span class="money">${money(cost)}</span></strong>.`,
      );
      expect(text).toContain(`<strong>${costs.length}</strong> ${kind} of <strong>`);
      expect(text).not.toContain('in this period: ');
      expect(text).not.toContain('name="status"');
    }
    const chosen = { kind: 'refunds', refunds: 'refund', status: 'refunded' };
    const filtered = await vendor.get(pathOf(LIST, JUNE, chosen));
    expect(filtered.text).toContain('<option value="refunded" selected>refunded</option>');
    expect(filtered.text).toContain('Remove the filter Status: refunded');
    const own = await affiliate.get(pathOf(LIST, ALL, { kind: 'refunds' }));
    expect(own.text).toContain('name="status"');
    expect(own.text).not.toContain('cost you');
  });

  it('link the customer of each sale to their page', async () => {
    const { text } = await vendor.get(pathOf(LIST, JUNE, { status: 'settled' }));
    const [, href = ''] =
      /<td [^>]*class="title"[^>]*><div class="content"><a href="([^"]+)">/.exec(text) ?? [];
    expect(href).toMatch(/^\/account\/customers\?email=c\d+%40example\.test$/);
    expect((await vendor.get(href)).status).toBe(200);
  });

  it('lead to the page of each, which leads back to the list with its filter', async () => {
    const list = pathOf(LIST, JUNE, { kind: 'sales', refunds: 'refund', as: 'vendor' });
    const { text } = await vendor.get(list);
    const [, href = ''] =
      /<th scope="row"[^>]*><div class="content"><a href="([^"]+)"/.exec(text) ?? [];
    const sale = await vendor.get(href.replaceAll('&amp;', '&'));
    const [, back = ''] = /<p class="back no-print"><a href="([^"]+)"/.exec(sale.text) ?? [];
    const ofList = (await vendor.get(back.replaceAll('&amp;', '&'))).text;
    expect(ofList.slice(ofList.indexOf('<main'))).toBe(text.slice(text.indexOf('<main')));
    for (const foreign of ['https://foreign.example/', '//foreign.example', '/account\\foreign']) {
      const path = `${href.split('?')[0]}?${new URLSearchParams({ back: foreign }).toString()}`;
      // A form keeps the address of its page, so only links are looked at.
      expect((await vendor.get(path)).text).not.toMatch(/(?:href|src)="[^"]*foreign/);
    }
  });

  it('of a product alone are of that product', async () => {
    const list = await walkList(service, key, ALL);
    const expected = list
      .filter((each) => each.product_id === 11)
      .map((each) => each.transaction_id);
    const ids = await walk(vendor, pathOf(LIST, ALL, { product: '11', refunds: 'refund' }));
    expect(ids).toEqual(expected);
    const foreign = await vendor.get(pathOf(LIST, ALL, { product: '30' }));
    expect(foreign.text).toContain('No transactions in this period.');
  });

  it.each(['kind=nothing', 'product=x', 'partner=-1', 'cursor=forged'])(
    'are none for an address that no page has: %s',
    async (query) => {
      expect((await vendor.get(`${pathOf(LIST, ALL)}&${query}`)).status).toBe(400);
    },
  );
});

describe('a hostile name of a product', () => {
  it('shows as the text that it is', async () => {
    const { text } = await vendor.get(pathOf(REPORTS, ALL));
    expect(text).toContain('&lt;script>alert(1)&lt;/script>');
    expect(text).not.toContain('<script>alert');
  });
});
