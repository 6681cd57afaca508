/** The search in the header, and the filters of a list, on the account pages. */
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
  WITH_COMMISSION,
} from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import type { Answer } from '../../support/http/http.js';
import { Visitor } from '../../support/browser/visitor.js';

const [VENDOR, AFFILIATE, CAPITALS, ELENA, STRANGER, OTHER_VENDOR] = [1, 2, 3, 4, 5, 6];
const LIST = '/account/reports/transactions';
/** For reports by sale, the kept sums have the number of sales of a product. */
const RANGE = 'from=2025-06-01&to=2025-06-30&refunds=sale';
const SALES = 60;

/** The log lines that the service has written. */
const written: string[] = [];
let service: TestService;
let vendor: Visitor;
let affiliate: Visitor;
beforeAll(async () => {
  jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((chunk) => written.push(String(chunk)) > 0);
  service = await TestService.start({ LOG_LEVEL: 'info' });
  await service.import([
    user(VENDOR),
    user(AFFILIATE),
    user(ELENA, { display_name: 'Elena’s Picks' }),
    user(STRANGER, { display_name: 'Elena of another' }),
    product(10, VENDOR),
    product(11, VENDOR, { name: 'Studio <Membership>' }),
    user(OTHER_VENDOR),
    product(50, OTHER_VENDOR, { name: 'Studio of another' }),
    affiliation(STRANGER, 50),
    recurringPayment('PRE-own', 11, { contact_email: 'Buyer7@example.test', status: 'ACTIVE' }),
    recurringPayment('PRE-other', 50, { contact_email: 'buyer7@example.test' }),
    transaction('by-elena', 11, {
      sale_date: '2025-01-01T00:00:00Z',
      affiliate_id: ELENA,
      affiliate_commission_status: 'UNPAID',
      payouts: WITH_COMMISSION,
      customer: { email: 'zoe@example.test', first_name: 'Zoe', last_name: 'Early' },
    }),
    transaction('of-another', 50, {
      customer: { email: 'adam@example.test', first_name: 'Adam', last_name: 'Other' },
    }),
    ...Array.from({ length: SALES }, (_, index) =>
      transaction(`sale-${String(index).padStart(2, '0')}`, 10, {
        affiliate_id:
          new Map([
            [7, AFFILIATE],
            [9, ELENA],
          ]).get(index) ?? null,
        amount: `${index}.00`,
        status: index % 2 === 0 ? 'completed' : 'charged_back',
        tracking: { tid: index === 7 ? '<b>& "x"' : `tid-${index % 3}` },
        customer: { email: `Buyer${index}@Example.test`, first_name: 'Ada', last_name: '<i>' },
      }),
    ),
  ]);
  vendor = await Visitor.signedIn(service, VENDOR);
  affiliate = await Visitor.signedIn(service, AFFILIATE);
});
afterAll(async () => {
  await service.stop();
  jest.restoreAllMocks();
});

function search(visitor: Visitor, text: string) {
  return visitor.get(`/account/search?${new URLSearchParams({ q: text }).toString()}`);
}

/** Returns the ids of the sales that were found. */
function idsIn(html: string): string[] {
  const [, ...sales] = html.split('<section id="sales-as-');
  return idsListedIn(sales.join(''));
}

function idsListedIn(html: string): string[] {
  return Array.from(
    html.matchAll(/<th scope="row"[^>]*><div class="content"><a href="[^"?]+\/([^"?]+)/g),
    ([, id = '']) => id,
  );
}

describe('the search', () => {
  it('is on every page of the account, and says on its own what to type', async () => {
    for (const path of ['/account/security', '/account/no-such-page', '/account/search']) {
      const { text } = await vendor.get(path);
      expect(text).toContain('role="search" action="/account/search"');
      expect(text).toContain('aria-keyshortcuts="/"');
    }
    const stranger = await new Visitor(service).get('/account/sign-in');
    expect(stranger.text).not.toContain('role="search"');
    const { text } = await vendor.get('/account/search');
    expect(text).toContain('Type the id of a sale');
    for (const [, href = ''] of text.matchAll(/<a href="(\/account\/search[^"]+)"/g)) {
      expect((await vendor.get(href.replaceAll('&amp;', '&'))).text).toMatch(/<h1>Results for “/);
    }
    expect(text).toContain('href="/account/search?q=Product+10">Product 10</a>');
    expect((await affiliate.get('/account/search')).text).not.toContain('For example');
  });

  it('leads to each sale by its date, with its id and its product', async () => {
    const { text } = await search(vendor, 'sale-07');
    expect(text).toMatch(
      /<a href="\/account\/transactions\/sale-07\?back=[^"]+"><time [^>]+>.+?<\/time><\/a><div class="aside line"><mark>sale-07<\/mark><\/div>/,
    );
    expect(text).toMatch(/data-label="Product"[^>]*><div class="content"[^>]*>Product 10</);
  });

  it('finds by id and by e-mail in any case, and links to more', async () => {
    expect(idsIn((await search(vendor, ' sale-07 ')).text)).toEqual(['sale-07']);
    const { text } = await vendor.get('/account/search?q=BUYER7@example&as=vendor');
    expect(idsIn(text)).toEqual(['sale-07']);
    const some = await search(vendor, 'sale-');
    expect(idsIn(some.text)).toHaveLength(5);
    const [, all = ''] = /href="([^"]+)">Show all sales</.exec(some.text) ?? [];
    const first = await vendor.get(all.replaceAll('&amp;', '&'));
    expect(idsIn(first.text)).toHaveLength(50);
    const more = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(idsIn((await vendor.get(more)).text)).toHaveLength(SALES - 50);
  });

  it('shows an affiliate their own sales by id, and nothing of the customer', async () => {
    const found = await search(affiliate, 'sale-');
    expect(idsIn(found.text)).toEqual(['sale-07']);
    expect(found.text).not.toMatch(/Buyer7|Ada/);
    expect(idsIn((await search(affiliate, 'buyer7')).text)).toEqual([]);
  });

  it.each([
    '%',
    '_ale-07',
    'sale\\',
    "sale'--",
    'ünïcödé',
    '\u0000\u0001',
    '日本語',
    '<script>',
    '"',
  ])('finds nothing for %j, and says so', async (text) => {
    const answer = await search(vendor, text);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('No results for');
    expect(answer.text).not.toContain('<script>');
  });

  it('refuses what is too long, and a link that no page has', async () => {
    const long = await search(vendor, 'x'.repeat(10_000));
    expect(long.status).toBe(400);
    expect(long.text).toContain('has more than 255 characters');
    expect((await vendor.get('/account/search?q=sale&as=vendor&cursor=x')).status).toBe(400);
  });

  it('leads on from a page on which nothing was found yet', async () => {
    const spellings = Array.from('abcdef').reduce<string[]>(
      (begun, letter) => begun.flatMap((each) => [each + letter.toUpperCase(), each + letter]),
      [''],
    );
    // A page cannot pass all the customers between two spellings of the text.
    const between = spellings.slice(0, 51).flatMap((spelling) => {
      const email = `${spelling.replace('F', 'G').replace('f', 'g')}@example.test`;
      return Array.from({ length: 52 }, (_, index) => [`${spelling}-${index}`, email] as const);
    });
    await service.import([
      user(CAPITALS),
      product(30, CAPITALS),
      ...[...between, ['found', 'abcdef@example.test'] as const].map(([id, email]) =>
        transaction(id, 30, { customer: { email, first_name: 'Ada', last_name: 'Byron' } }),
      ),
    ]);
    const visitor = await Visitor.signedIn(service, CAPITALS);
    const first = await search(visitor, 'abcdef@');
    expect(idsIn(first.text)).toEqual([]);
    expect(first.text).not.toContain('No results for');
    const more = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect(idsIn((await visitor.get(more)).text)).toEqual(['found']);
  });

  it('says that short texts are looked for as whole ids only', async () => {
    expect((await search(vendor, 'sa')).text).toContain('Only a whole transaction id');
  });
});

/** Returns the texts and addresses of the links in a group of results. */
function linksIn({ text }: Answer, title: string): (readonly [string, string])[] {
  const group = new RegExp(`<h2 id="found-${title}">[^]*?</section>`).exec(text)?.[0] ?? '';
  return Array.from(
    group.matchAll(/<a href="([^"]*)">([^]*?)<\/a>/g),
    ([, href = '', words = '']) =>
      [words.replace(/<[^>]*>/g, ''), href.replaceAll('&amp;', '&')] as const,
  );
}

describe('the search for everything', () => {
  it('finds affiliates and products by name or id, and no foreign ones', async () => {
    const elena = ['Elena’s Picks', `/account/affiliates/${ELENA}`];
    for (const text of ['elena', 'PICKS', String(ELENA)]) {
      expect(linksIn(await search(vendor, text), 'affiliates')).toEqual([elena]);
    }
    const { text: shown } = await search(vendor, 'elena');
    expect(shown).toContain('Affiliates <span class="aside">1</span></h2>');
    expect(shown).toContain(`<mark>Elena</mark>’s Picks</a><div class="aside line">${ELENA}</div>`);
    expect(shown).toMatch(/data-label="Unpaid"[^>]*><div [^>]+><span class="money">10\.00</);
    for (const text of ['stu', '<membership', '11']) {
      const [[words, href] = [], ...more] = linksIn(await search(vendor, text), 'products');
      expect([words, more]).toEqual(['Studio &lt;Membership>', []]);
      expect(href).toContain('product=11');
    }
    for (const text of [String(STRANGER), '50', 'PRE-other', 'adam', 'of-another']) {
      expect((await search(vendor, text)).text).toContain('No results for');
    }
  });

  it('finds customers by name and e-mail, some of them, and links to all', async () => {
    const found = await search(vendor, 'aDA <');
    const named = linksIn(found, 'customers');
    expect(named).toHaveLength(6);
    expect(found.text).toContain(`Customers <span class="aside">5 of ${SALES}</span></h2>`);
    expect(found.text).toMatch(/><mark>Ada &lt;<\/mark>i>/);
    const words = 'Show all customers named “aDA &lt;”';
    expect(named[0]).toEqual([words, '/account/customers?name=aDA+%3C']);
    const first = await vendor.get(named[0]?.[1] ?? '');
    const more = /href="([^"]+)" rel="next"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const pages = [first.text, (await vendor.get(more)).text];
    const links = pages.map((text) => text.split('/account/customers?email=').length - 1);
    expect(links).toEqual([25, 25]);
    expect(linksIn(await search(affiliate, 'ada'), 'customers')).toEqual([]);
  });

  it('leads from customers to their sales, which it does not list besides', async () => {
    const one = await search(vendor, 'buyer7@');
    expect(one.text).toContain('<mark>Buyer7@</mark>Example.<wbr/>test');
    const many = await search(vendor, 'buyer');
    expect(many.text).toMatch(/>5 of 50<[^>]+>\+<\/span><span class="unseen"> or more</);
    expect([one, many].flatMap(({ text }) => idsIn(text))).toEqual([]);
    const [words, all = ''] = linksIn(many, 'customers')[0] ?? [];
    expect(words).toBe('Show all sales by e-mail beginning with “buyer”');
    expect(idsIn((await vendor.get(all)).text)).toHaveLength(50);
  });

  it('leads from an e-mail to the cancellation of the subscription in three clicks', async () => {
    const customer = linksIn(await search(vendor, 'buyer7@'), 'customers')[0]?.[1] ?? '';
    const page = await vendor.get(customer);
    expect(page.text).toContain('<output id="customer-email">Buyer7@Example.test</output>');
    expect(page.text).toMatch(/sale-07/);
    expect(page.text).not.toMatch(/PRE-other|sale-08/);
    const cancel = /href="([^"]+cancel)"/.exec(page.text)?.[1] ?? '';
    expect(cancel).toBe('/account/subscriptions/PRE-own/cancel');
    await vendor.get(cancel);
    await vendor.follow(await vendor.post(cancel));
    const after = await vendor.get(customer);
    expect(after.text).toContain('canceled');
    expect(after.text).not.toContain(cancel);
  });

  it('shows no customer of another vendor, and no e-mail in the log', async () => {
    for (const email of ['adam@example.test', 'nobody@example.test']) {
      const { status, text } = await vendor.get(
        `/account/customers?${new URLSearchParams({ email }).toString()}`,
      );
      expect([status, text.includes('You have no customer')]).toEqual([404, true]);
    }
    const long = 'x'.repeat(300);
    expect((await vendor.get(`/account/customers?name=${long}`)).status).toBe(404);
    expect((await vendor.get('/account/customers?name=a&after=x')).status).toBe(400);
    expect(written.join('')).toContain('/account/customers');
    expect(written.join('')).not.toMatch(/adam|buyer7/i);
  });
});

describe('the filters of a list', () => {
  const list = (filter: Readonly<Record<string, string>>) =>
    vendor.get(`${LIST}?${RANGE}&${new URLSearchParams(filter).toString()}`);

  it('narrow it down in any combination, and say how many are left', async () => {
    const filter = { status: 'chargeback', amount_from: '5', amount_to: '9.00', tid: 'tid-0' };
    const { text } = await list(filter);
    expect(idsListedIn(text)).toEqual(['sale-09']);
    expect(text).toContain('<strong>1</strong> transaction.');
    expect(idsListedIn((await list({ tid: '<b>& "x"' })).text)).toEqual(['sale-07']);
    expect((await list({ amount_from: '1', kind: 'sales' })).text).toContain('More than ');
  });

  it('are chips, each with a link that removes it alone', async () => {
    const { text } = await list({ status: 'settled', product: '10' });
    const chips = Array.from(
      text.matchAll(/<a href="([^"]+)" aria-label="Remove the filter ([^"]+)"/g),
      ([, href = '', name = '']) => [name, href.replaceAll('&amp;', '&')],
    );
    expect(chips.map(([name]) => name)).toEqual(['Status: paid', 'Product: Product 10']);
    const without = await vendor.get(chips[0]?.[1] ?? '');
    expect(without.text).toContain(`<strong>${SALES}</strong> transactions`);
    expect(without.text).toContain('Remove the filter Product: Product 10');
  });

  it('offer all products, and affiliates of the period by name and id', async () => {
    const { text } = await list({ amount_from: '1000' });
    expect(text).toMatch(/<select [^>]*name="product"[^>]*>.*<option value="10">Product 10</s);
    expect(text).toMatch(/name="partner"[^>]* list="names-partner"/);
    expect(text).toContain(`<option value="User ${AFFILIATE} (${AFFILIATE})">`);
    expect(text).toContain(`<option value="Elena’s Picks (${ELENA})">`);
    expect(text).toContain('No transactions in this period.');
  });

  it('take a part of a name in any letter case, if it means one affiliate', async () => {
    for (const partner of ['elena', `Elena’s Picks (${ELENA})`, String(ELENA)]) {
      const { status, text } = await list({ partner });
      expect([partner, status]).toEqual([partner, 200]);
      expect(idsListedIn(text)).toEqual(['sale-09']);
      expect(text).toContain('Remove the filter Affiliate: Elena’s Picks"');
      expect(text).toContain(`value="Elena’s Picks (${ELENA})"`);
      expect(text).toMatch(new RegExp(`transactions\\.csv\\?[^"]*partner=${ELENA}"`));
    }
  });

  it('link to each affiliate that a name can mean, and keep the list', async () => {
    const { status, text } = await list({ partner: 'e', amount_from: '50' });
    expect(status).toBe(400);
    expect(text).toContain('Several have this name. Choose one of them.');
    expect(idsListedIn(text)).toHaveLength(10);
    const [, href = ''] = /<a href="([^"]+)">Elena’s Picks</.exec(text) ?? [];
    expect(idsListedIn((await vendor.get(href.replaceAll('&amp;', '&'))).text)).toEqual([]);
    expect(href).toContain(`amount_from=50&amp;partner=${ELENA}`);
  });

  it('keep the list, the values and the way back if one is not valid', async () => {
    for (const [filter, problem] of [
      [{ partner: 'nobody' }, 'Nothing has this name.'],
      [{ product: 'none such' }, 'Nothing has this name.'],
      [{ amount_from: 'much', status: 'odd' }, 'It must be an amount, such as 47.00.'],
    ] as const) {
      const { status, text } = await list({ ...filter, tid: 'tid-0' });
      expect(status).toBe(400);
      expect(text).toContain(problem);
      expect(text).toContain('<strong>20</strong> transactions.');
      for (const value of Object.values(filter)) {
        expect(text).toMatch(new RegExp(`value="${value}"|does not exist`));
      }
      expect(text).toMatch(/class="back no-print"><a [^>]+>Report</);
    }
    const unknown = await vendor.get(`${LIST}?from=2025-06-31&to=2025-06-30&tid=tid-0`);
    expect(unknown.status).toBe(400);
    expect(unknown.text).toContain('The first day must be a date such as 2030-12-31.');
    expect(unknown.text).toContain('name="tid" value="tid-0"');
    expect(unknown.text).toMatch(/class="back no-print"><a [^>]+>Report</);
  });

  it('find a customer’s whole e-mail address, in any letter case, for vendors only', async () => {
    const { text } = await list({ email: ' buyer7@EXAMPLE.test ' });
    expect(idsListedIn(text)).toEqual(['sale-07']);
    const own = await affiliate.get(`${LIST}?${RANGE}&as=affiliate&email=buyer1@example.test`);
    expect(idsListedIn(own.text)).toEqual(['sale-07']);
    expect(own.text).not.toContain('name="email"');
  });

  it('take the beginning of a name, of an e-mail or of an id, if it means one customer', async () => {
    for (const email of ['BUYER7', ' buyer7@', 'buyer7@example.TEST']) {
      const { status, text } = await list({ email, tid: '<b>& "x"' });
      expect([email, status, idsListedIn(text)]).toEqual([email, 200, ['sale-07']]);
      expect(text).toContain('Remove the filter Customer: Buyer7@Example.test"');
      expect(text).toMatch(/transactions\.csv\?[^"]*email=Buyer7%40Example\.test/i);
    }
    const named = await list({ email: 'ada', amount_from: '9' });
    expect([named.status, idsListedIn(named.text).length]).toEqual([400, 50]);
    expect(named.text).toContain('Several begin like this. Choose one of them.');
    expect(named.text).toContain('<a href="/account/search?q=ada">Search for all</a>');
    const [, href = ''] = /<a href="([^"]+)">Ada &lt;i>, Buyer10@/.exec(named.text) ?? [];
    expect(href).toContain('amount_from=9');
    expect(idsListedIn((await vendor.get(href.replaceAll('&amp;', '&'))).text)).toEqual([
      'sale-10',
    ]);
  });

  it('lead to a transaction whose id is typed, and back to the list', async () => {
    const { status, headers } = await list({ email: 'sale-07', tid: 'tid-0' });
    expect([status, headers.location]).toEqual([
      303,
      expect.stringMatching(/^\/account\/transactions\/sale-07\?back=.+tid-0$/),
    ]);
    const several = await list({ email: 'sale-0' });
    expect(several.text).toMatch(/<a href="\/account\/transactions\/sale-05\?back=[^"]+">sale-05</);
    for (const email of ['of-another', 'Adam', 'x'.repeat(300)]) {
      const none = await list({ email });
      expect(none.text).toContain('No customer, e-mail or transaction id begins like this.');
    }
  });

  it('are refused if one is given twice, since the list would have more than was asked for', async () => {
    for (const path of [LIST, `${LIST}.csv`, `${LIST}.ndjson`]) {
      const answer = await vendor.get(`${path}?${RANGE}&product=10&product=11`);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('The address has “product” more than once.');
    }
    for (const path of [
      '/account/search?q=a&q=b',
      '/account/reports?from=2025-03-01&from=2025-03-02',
    ]) {
      expect((await vendor.get(path)).status).toBe(400);
    }
  });

  it.each([
    [{ amount_from: '1,000' }, 'It must be an amount'],
    [{ amount_from: '2', amount_to: '1' }, 'must not be below'],
    [{ product: 'x' }, 'Nothing has this name.'],
    [{ status: 'completed' }, 'This status does not exist.'],
  ])(
    'that can not be are told at their field, and what was typed stays: %j',
    async (filter, told) => {
      const answer = await list(filter);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(told);
      expect(answer.text).toContain(' aria-invalid="true"');
      const csv = `${LIST}.csv?${RANGE}&${new URLSearchParams(filter).toString()}`;
      expect((await vendor.get(csv)).status).toBe(400);
    },
  );
});

// This block comes last, since it covers all searches above.
describe('what was searched', () => {
  it('is not in the log', async () => {
    // Log lines are written in batches, with a delay.
    while (!written.join('').includes('GET /account/security ')) {
      await vendor.get('/account/security');
    }
    const log = written.join('');
    expect(log).toContain('GET /account/search ');
    expect(log).toContain('GET /account/reports/transactions ');
    expect(log).not.toMatch(/buyer7|sale-|tid-0|\?/i);
  });
});
