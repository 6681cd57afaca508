/** Subscriptions at their edges: due days, exactly full pages, one second, late and ended ones. */
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { shownFigures } from '../../support/browser/report-pages.js';
import { Visitor } from '../../support/browser/visitor.js';
import {
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { releaseClock, setClock } from '../../support/processes/set-clock.js';
import { TestService } from '../../support/servers/service.js';

const [DUE, FULL, OTHER, BARE] = [1, 2, 3, 4];
const PATH = '/account/subscriptions';
const PAGE_SIZE = 50;
const NOW = Date.parse('2031-05-04T03:02:01Z');
const REFUNDED = { status: 'refunded', refund: refund('2025-07-02T00:00:00Z') };
/** The first two share a second with the last subscription of the previous page. */
const SECOND = '2031-06-01T00:00:00Z';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([DUE, FULL, OTHER, BARE].flatMap((id) => [user(id), product(id * 10, id)]));
});
afterEach(() => {
  releaseClock();
});
afterAll(() => service.stop());

it('30 days are due from the first second of today to the last of the 30th day', async () => {
  setClock(NOW);
  const days = {
    '2031-05-03T23:59:59Z': '1.00',
    '2031-05-04T00:00:00Z': '10.00',
    '2031-06-02T23:59:59Z': '100.00',
    '2031-06-03T00:00:00Z': '1000.00',
  };
  const due = (vendor: number, times: number) =>
    Object.entries(days).map(([next_date, price], at) =>
      recurringPayment(`DUE-${vendor}-${at}`, vendor * 10, {
        id: vendor * 10 + at,
        next_date,
        price: `${Number(price) * times}.00`,
      }),
    );
  await service.import([...due(DUE, 1), ...due(OTHER, 7)]);
  const { text } = await (await Visitor.signedIn(service, DUE)).get(PATH);
  expect(text).toMatch(/Overdue<\/dt><dd><span class="money">1\.00<\/span>/);
  expect(text).toMatch(/Due in the next 30 days<\/dt><dd><span class="money">110\.00<\/span>/);
});

it('one that is late says so first, and links to its product, customer and affiliate', async () => {
  setClock(NOW);
  await service.import([
    user(8, { display_name: 'Elena' }),
    recurringPayment('LATE', 10, {
      id: 801,
      next_date: '2031-04-05T00:00:00Z',
      current_payments_amount: '141.00',
    }),
    transaction('paid-1', 10, { pre_key: 'LATE', affiliate_id: 8 }),
    transaction('paid-2', 10, { pre_key: 'LATE', ...REFUNDED }),
  ]);
  const { text } = await (await Visitor.signedIn(service, DUE)).get(`${PATH}/LATE`);
  expect(text).toContain('Payment of 5 Apr 2031 is <strong>29 days late</strong>.');
  expect(text.indexOf('29 days late')).toBeLessThan(text.indexOf('Paid so far'));
  expect(shownFigures(text)['Paid so far']).toBe('94.00 47.00 refunded');
  for (const link of [
    'href="/account/reports/transactions?range=all-time&amp;product=10">Product 10<',
    'href="/account/customers?email=contact%40example.test"',
    'href="/account/affiliates/8">Elena<',
  ]) {
    expect(text).toContain(link);
  }
  expect(text).toContain('<details class="card folded"><summary>Details</summary>');
});

it('an ended one has no next payment, and no day that the service does not know', async () => {
  await service.import([
    recurringPayment('GONE', 10, { id: 802, status: 'CANCELED' }),
    recurringPayment('DONE', 10, { id: 803, status: 'COMPLETED' }),
  ]);
  const visitor = await Visitor.signedIn(service, DUE);
  const gone = (await visitor.get(`${PATH}/GONE`)).text;
  expect(gone).toContain('<dt>Canceled</dt><dd>–<');
  expect(gone).not.toContain('Next payment');
  expect((await visitor.get(`${PATH}/DONE`)).text).toContain('<dt>Next payment</dt><dd>none<');
});

it('a page that is just full is the only one; with one more there are two, each payment once', async () => {
  const numbers = Array.from({ length: PAGE_SIZE + 1 }, (_, at) => 100 + at);
  const created = SECOND;
  const records = (of: readonly number[], status: string) =>
    of.map((id) =>
      recurringPayment(`${status}-${id}`, FULL * 10, { id, status, created, next_date: SECOND }),
    );
  const visitor = await Visitor.signedIn(service, FULL);
  for (const [list, status] of [
    ['active', 'ACTIVE'],
    ['canceled', 'CANCELED'],
  ] as const) {
    const page = async (path: string) => {
      const { text } = await visitor.get(path.replaceAll('&amp;', '&'));
      const link = (rel: string) => new RegExp(`href="([^"]+)" rel="${rel}"`).exec(text)?.[1];
      const keys = [...text.matchAll(new RegExp(`${PATH}/(${status}-\\d+)[?"]`, 'g'))];
      return { keys: keys.map(([, key]) => key), next: link('next'), previous: link('prev') };
    };
    await service.import(records(numbers.slice(0, PAGE_SIZE), status));
    const only = await page(`${PATH}?list=${list}`);
    expect([only.keys.length, only.next, only.previous]).toEqual([PAGE_SIZE, undefined, undefined]);
    await service.import(records(numbers.slice(PAGE_SIZE), status));
    const first = await page(`${PATH}?list=${list}`);
    const last = await page(String(first.next));
    expect([first.keys.length, last.keys.length]).toEqual([PAGE_SIZE, 1]);
    expect([first.previous, last.next]).toEqual([undefined, undefined]);
    expect(new Set([...first.keys, ...last.keys]).size).toBe(PAGE_SIZE + 1);
    const back = await page(String(last.previous));
    expect(back).toMatchObject({ keys: first.keys, previous: undefined, next: first.next });
  }
});

it.each([
  ['an end', { max_number_of_payments: 0 }, ['contact@example.test', '1']],
  ['a contact address', { contact_email: '' }, ['sender@example.test', '1 of 12']],
  [
    'any address',
    { contact_email: '', sender_email: '', max_number_of_payments: 1_200 },
    ['WITHOUT', '1 of 1,200'],
  ],
])('one without %s says so by leaving it out', async (_, changes, [customer, made]) => {
  await service.import([recurringPayment('WITHOUT', BARE * 10, { id: 40, ...changes })]);
  const vendor = await Visitor.signedIn(service, BARE);
  const { text } = await vendor.get(PATH);
  const [, row = ''] = text.replaceAll('<wbr/>', '').split(`<a href="${PATH}/WITHOUT?back=`);
  expect(row.slice(row.indexOf('>') + 1, row.indexOf('<'))).toBe(customer);
  expect(row).toMatch(
    new RegExp(`^.*?data-label="Payments made"[^>]*>(<div class="content">)?${made}<`),
  );
  const page = await vendor.get(`${PATH}/WITHOUT`);
  expect(page.text).toContain(`<dt>Payments made</dt><dd>${made}<`);
});

it('a list without subscriptions is left out on a phone, unless it is the one shown', async () => {
  await service.import([recurringPayment('CURRENT', OTHER * 10, { id: 901 })]);
  const other = await Visitor.signedIn(service, OTHER);
  const empty = `${PATH}?list=completed`;
  expect((await other.get(PATH)).text).toContain(
    `<a href="${empty}" class="wide-only">Completed (0)</a>`,
  );
  expect((await other.get(empty)).text).toContain(
    `<a href="${empty}" aria-current="page">Completed (0)</a>`,
  );
});
