/** The account page of sales by tracking field. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { Visitor } from '../../support/browser/visitor.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, AFFILIATE] = [1, 2];
const PATH = '/account/tracking';
const ENTRIES = [
  'Overview',
  'Transactions',
  'Tracking',
  'Refund cohorts',
  'Subscriptions',
  'Affiliates',
  'API applications',
  'Webhooks',
  'Data protection',
  'Security',
  'Import',
];
const MAY = 'from=2025-05-01&to=2025-05-31';
const JUNE = 'from=2025-06-01&to=2025-06-30';

let service: TestService;
let ann: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  const sold = (id: string, tid: string | null, changes = {}) =>
    transaction(id, 10, { tracking: { tid, sub_id1: 'all' }, affiliate_id: AFFILIATE, ...changes });
  await service.import([
    user(VENDOR),
    user(AFFILIATE),
    product(10, VENDOR),
    sold('a1', 'ads'),
    sold('a2', 'ads', { amount: '12345.67' }),
    sold('m1', '<mail>&"', { status: 'refunded', refund: refund('2025-07-02T10:00:00Z') }),
    sold('m2', '<mail>&"', { status: 'charged_back' }),
    sold('n1', null),
    sold('f1', '=1+1'),
    sold('p1', 'pending', { status: 'pending' }),
  ]);
  ann = await Visitor.signedIn(service, VENDOR);
});
afterAll(() => service.stop());

/** Returns the rows of the table, each with the text of its cells. */
function rowsOf(html: string): string[][] {
  const [, body = ''] = /<tbody[^>]*>(.*?)<\/table>/.exec(html) ?? [];
  return body
    .split('</tr>')
    .slice(0, -1)
    .map((row) =>
      row
        .split(/<\/t[dh]>/)
        .slice(0, -1)
        .map((cell) => cell.replace(/<[^>]*>/g, '')),
    );
}

describe('the page', () => {
  it('shows values with the highest gross first, then what has none, and the total', async () => {
    const { text } = await ann.get(`${PATH}?${JUNE}&field=tid`);
    expect(rowsOf(text)).toEqual([
      ['ads', '2', '12,392.67', '98.5%', '–', '0.0%', '–', '80.00'],
      ['&lt;mail>&amp;&quot;', '2', '94.00', '0.7%', '–', '0.0%', '1', '80.00'],
      ['=1+1', '1', '47.00', '0.4%', '–', '0.0%', '–', '40.00'],
      ['No tracking id', '1', '47.00', '0.4%', '–', '0.0%', '–', '40.00'],
      ['Total', '6', '12,580.67', '100.0%', '–', '0.0%', '1', '240.00'],
    ]);
    const [, whole = ''] = /<p class="lead">(.*?)<\/p>/.exec(text) ?? [];
    expect(whole.replace(/<[^>]+>/g, '')).toBe(
      '12,580.67 gross from 6 sales: 3 tracking ids, and 1 sale without one.',
    );
    // Each share is a fact on a phone, but not that of the total.
    expect(text.match(/data-word="of gross"/g)).toHaveLength(5);
    expect(
      text.match(/ class="number fact"><div class="content" data-word="of gross"/g),
    ).toHaveLength(4);
    expect(text).toContain('aria-current="page">Tracking id</a>');
    expect(text).toContain('Refunds are counted by refund date.');
    expect(text).toContain('Sort</span> by gross, highest first');
  });

  it('shows in quotation marks which value has spaces at its ends', async () => {
    const values = ['x', ' x', 'x ', '  '];
    await service.import(
      values.map((sub_id5, index) =>
        transaction(`s${index}`, 10, {
          tracking: { sub_id5 },
          sale_date: '2024-01-01T00:00:00Z',
          amount: `${9 - index}.00`,
        }),
      ),
    );
    const { text } = await ann.get(`${PATH}?from=2024-01-01&to=2024-01-01&field=sub_id5`);
    const shown = rowsOf(text).map(([value]) => value);
    expect(shown).toEqual(['x', '“ x”', '“x ”', '“  ”', 'Total']);
  });

  it('counts refunds on the day of the sale, if that is chosen', async () => {
    const { text } = await ann.get(`${PATH}?${JUNE}&field=tid&refunds=sale`);
    expect(rowsOf(text)[1]).toEqual([
      '&lt;mail>&amp;&quot;',
      '2',
      '94.00',
      '0.7%',
      '1',
      '50.0%',
      '1',
      '40.00',
    ]);
    const july = await ann.get(`${PATH}?from=2025-07-01&to=2025-07-31&field=tid`);
    // The value has no sale in this range, so it has no line of its own.
    expect(rowsOf(july.text)).toEqual([
      ['Other: all further values', '–', '–', '–', '1', '–', '–', '−40.00'],
      ['Total', '–', '–', '–', '1', '–', '–', '−40.00'],
    ]);
    expect(july.text).not.toContain('gross from');
  });

  it('keeps the range and the refunds in its links', async () => {
    const { text } = await ann.get(`${PATH}?${JUNE}&field=tid&refunds=sale`);
    expect(text).toContain(
      `<a href="${PATH}?from=2025-06-01&amp;to=2025-06-30&amp;refunds=sale&amp;field=sub_id1">`,
    );
    const { text: other } = await ann.get(`${PATH}?${JUNE}&field=sub_id1`);
    expect(rowsOf(other)[0]?.slice(0, 2)).toEqual(['all', '6']);
  });

  it('has 100 values a page, and what has none and the total on each', async () => {
    const days = 'from=2025-04-01&to=2025-04-30';
    const sale = { sale_date: '2025-04-10T10:00:00Z' };
    const value = (number: number) => `v${String(number).padStart(3, '0')}`;
    await service.import([
      ...Array.from({ length: 101 }, (_, number) =>
        transaction(value(number), 10, { ...sale, tracking: { tid: value(number) } }),
      ),
      transaction('without', 10, sale),
    ]);
    const first = await ann.get(`${PATH}?${days}&field=tid&page=1`);
    const names = rowsOf(first.text).map(([name]) => name);
    expect(names).toEqual([
      ...Array.from({ length: 100 }, (_, number) => value(number)),
      'No tracking id',
      'Total',
    ]);
    expect(first.text).toContain('Page 1 of 2');
    expect(first.text).toContain(`${days.replace('&', '&amp;')}&amp;refunds=refund`);
    for (const page of ['2', '3', '999999999']) {
      const { text } = await ann.get(`${PATH}?${days}&field=tid&page=${page}`);
      expect(rowsOf(text).map(([name]) => name)).toEqual([value(100), 'No tracking id', 'Total']);
    }
    const wrong = await ann.get(`${PATH}?${days}&field=tid&page=-1`);
    expect(rowsOf(wrong.text)).toHaveLength(102);
    const csv = await ann.get(`${PATH}.csv?${days}&field=tid&page=2`);
    expect(csv.text.trim().split('\r\n')).toHaveLength(103);
  });

  it('is sorted by each column, in both orders, by links', async () => {
    const { text } = await ann.get(`${PATH}?${JUNE}&field=tid&refunds=sale`);
    const heads = [...text.matchAll(/<th scope="col".*?<\/th>/g)]
      .map(([head]) => head)
      .filter((head) => head.includes('href='));
    expect(heads).toHaveLength(7);
    const firsts = [];
    for (const head of heads) {
      const href = /href="([^"]*)"/.exec(head)?.[1]?.replaceAll('&amp;', '&') ?? '';
      const sorted = await ann.get(href);
      expect(sorted.text.match(/aria-sort="/g)).toHaveLength(1);
      firsts.push(rowsOf(sorted.text)[0]?.[0]);
    }
    const mail = '&lt;mail>&amp;&quot;';
    // The second click on the gross reverses its order.
    expect(firsts).toEqual([mail, 'ads', '=1+1', mail, 'ads', mail, 'ads']);
  });

  it('leads to the report and the sales of a value', async () => {
    const { text } = await ann.get(`${PATH}?${JUNE}&field=tid`);
    const [row = ''] = /<tr role="row"><th scope="row".*?<\/tr>/.exec(text) ?? [];
    const links = [...row.matchAll(/href="([^"]*)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    );
    expect(links).toHaveLength(2);
    const [report = '', sales = ''] = links;
    expect((await ann.get(report)).text).toContain('Report of </span>Tracking id ads</h1>');
    const listed = await ann.get(sales);
    expect(listed.text).toMatch(/<strong>2<\/strong> sales/);
  });

  it('covers a product, an affiliate, or both, and fields that are read from the sales', async () => {
    await service.import([
      product(11, VENDOR, { name: 'Other one' }),
      transaction('o1', 11, {
        tracking: { tid: 'ads', utm_medium: 'mail' },
        sale_date: '2025-05-10T10:00:00Z',
      }),
      transaction('o2', 10, { sale_date: '2025-05-11T10:00:00Z', affiliate_id: AFFILIATE }),
    ]);
    const narrowed = await ann.get(`${PATH}?${MAY}&field=tid&product=11`);
    expect(rowsOf(narrowed.text).map(([value, sales]) => [value, sales])).toEqual([
      ['ads', '1'],
      ['Total', '1'],
    ]);
    expect(narrowed.text).toContain('Remove the filter Product: Other one');
    const both = await ann.get(`${PATH}?${MAY}&field=tid&product=11&partner=${AFFILIATE}`);
    expect(both.text).toContain('No sales in this period.');
    const read = await ann.get(`${PATH}?${MAY}&field=utm_medium`);
    expect(rowsOf(read.text).map(([value, sales]) => [value, sales])).toEqual([
      ['mail', '1'],
      ['No medium', '1'],
      ['Total', '2'],
    ]);
    expect((await ann.get(`${PATH}?${MAY}&product=x`)).status).toBe(400);
  });

  it('says so if there is nothing, and what is wrong with a range', async () => {
    const { text } = await ann.get(`${PATH}?from=2020-01-01&to=2020-12-31`);
    expect(text).toContain('No sales in this period.');
    const wrong = await ann.get(`${PATH}?from=2025-02-30&to=2025-03-01`);
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('“2025-02-30” is not one.');
    expect((await ann.get(`${PATH}.csv?from=2025-02-30&to=2025-03-01`)).status).toBe(400);
  });

  it('shows an affiliate nothing of the vendor', async () => {
    const bob = await Visitor.signedIn(service, AFFILIATE);
    const { text } = await bob.get(`${PATH}?${JUNE}&field=tid`);
    expect(text).toContain('No sales in this period.');
    // The menu has only what is of use without products.
    const labels = (html: string) =>
      ENTRIES.filter((label) => new RegExp(`<a href="[^"]*"[^>]*>${label}</a>`).test(html));
    expect(labels(text)).toEqual(['Overview', 'Transactions', 'API applications', 'Security']);
    expect(labels((await ann.get(PATH)).text)).toEqual(ENTRIES);
    const guide = await bob.get('/docs/guide');
    expect(labels(guide.text)).toEqual(labels(text));
  });
});

describe('the CSV', () => {
  it('has the same lines, and tells a value from what has none', async () => {
    const { headers, text } = await ann.get(`${PATH}.csv?${JUNE}&field=tid`);
    expect(headers['content-disposition']).toBe(
      'attachment; filename=tid-2025-06-01-to-2025-06-30.csv',
    );
    expect(text.replace('\ufeff', '').trim().split('\r\n')).toEqual([
      'line,value,sales,gross,refunds,refund_rate,chargebacks,net_earnings',
      'value,ads,2,12392.67,0,0.0000,0,80.00',
      'value,"<mail>&""",2,94.00,0,0.0000,1,80.00',
      "value,'=1+1,1,47.00,0,0.0000,0,40.00",
      'none,,1,47.00,0,0.0000,0,40.00',
    ]);
  });
});

describe('a value that is written like the name of another line', () => {
  it('is in quotation marks, and the line says what it has', async () => {
    const values = ['No sub id 4', 'Other', 'Total', null];
    await service.import(
      values.map((sub_id4, index) => transaction(`l${index}`, 10, { tracking: { sub_id4 } })),
    );
    const { text } = await ann.get(`${PATH}?${JUNE}&field=sub_id4`);
    const names = rowsOf(text).map(([name]) => name);
    expect(names.slice(0, 3).toSorted()).toEqual(['“No sub id 4”', '“Other”', '“Total”']);
    expect(names.slice(3)).toEqual(['No sub id 4', 'Total']);
    expect(text).toContain('<em>No sub id 4</em>');
  });
});
