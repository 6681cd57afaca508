/** Queries of affiliates and customers equal a calculation over the export (docs/queries.md). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ErasePersonService } from '../../../src/modules/privacy/people/erase-person.service.js';
import { CustomerSlices } from '../../../src/modules/reports/customers/customer-slices.repository.js';
import { BY_OPERATOR } from '../../../src/platform/values/author.js';
import {
  affiliation,
  clicks,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { exportedBy } from '../../support/oracles/query-oracle.js';
import { isRefund, type Listed } from '../../support/oracles/report-oracle.js';
import { sampled } from '../../support/random/properties.js';
import { lineOf, recordOf, sale, VendorIds } from '../../support/random/random-ledgers.js';
import { TestService } from '../../support/servers/service.js';

const CALENDAR = ['2025-03-31', '2025-05-31', '2025-06-01', '2025-06-04'];
const EMAILS = ['mara@example.test', 'Mara@Example.test', 'leo@example.test', 'zoë@example.test'];
const NAMES = [
  ['Élodie', 'Durand', 'elodie@names.test'],
  ['ÉLODIE', 'Martin', 'martin@names.test'],
  ['Elodie', 'Plain', 'plain@names.test'],
  ['Жанна', 'Эрнст', 'zhanna@names.test'],
  ['жан', 'Ли', 'li@names.test'],
  ['Ann', 'Lee', 'ann@names.test'],
  ['Ann', 'Lee', 'ann@names.test'],
  ['anna', 'LEEDS', 'anna@names.test'],
  ['Lee', 'Ann', 'lee@names.test'],
  ['Lee', 'Lee', 'lee.lee@names.test'],
  ['Lee', 'Lee', ''],
  ['李', '小龙', 'bruce@names.test'],
  ['Zoe\u0308', "O'Hara", 'zoe1@names.test'],
  ['ZOË', 'Øst', 'zoe2@names.test'],
  ['É_odie', '100%', 'odd@names.test'],
  ['Gone', 'Away', 'gone@names.test'],
] as const;
const ids = new VendorIds(1);
const other = new VendorIds(2);
const [TERMS, CLICKS, PENDING, OTHERS] = [101, 102, 103, 104];

interface Page {
  readonly meta: Readonly<
    Record<'total_count' | 'searched_to' | 'next_cursor' | 'cursor', unknown>
  >;
  readonly results: readonly Readonly<Record<string, unknown>>[];
}

let service: TestService;
let key: string;
let rows: readonly Listed[];
let cursor: string;

beforeAll(async () => {
  service = await TestService.start();
  const records = sampled(sale, 200).map((sold, place) => {
    const record = recordOf(ids, place, CALENDAR, sold);
    const customer = { ...record.customer, email: EMAILS[place % EMAILS.length] ?? '' };
    return lineOf({ ...record, customer });
  });
  await service.import([
    ...[ids.vendor, ids.affiliate, other.vendor, other.affiliate].map((id) => user(id)),
    ...[TERMS, CLICKS, PENDING, OTHERS].map((id) => user(id, { display_name: `Seen ${id}` })),
    product(ids.product(0), ids.vendor),
    product(ids.product(1), ids.vendor),
    product(other.product(0), other.vendor),
    affiliation(TERMS, ids.product(0)),
    affiliation(TERMS, ids.product(1)),
    affiliation(OTHERS, other.product(0)),
    clicks(CLICKS, ids.product(1)),
    clicks(OTHERS, other.product(0)),
    transaction('pending', ids.product(0), { affiliate_id: PENDING, status: 'pending' }),
    transaction('of-another', other.product(0), {
      affiliate_id: ids.affiliate,
      sale_date: '2025-03-01T00:00:00Z',
      customer: { email: 'mara@example.test', first_name: 'Mara', last_name: '' },
    }),
    ...['ACTIVE', ' active', 'CANCELED'].map((status, at) =>
      recurringPayment(`PRE-${at}`, ids.product(0), {
        status,
        processor_email: 'Leo@example.test',
        contact_email: 'leo@example.test',
      }),
    ),
    recurringPayment('PRE-only', ids.product(0), { sender_email: 'only@example.test' }),
    recurringPayment('PRE-other', other.product(0), { sender_email: 'leo@example.test' }),
    ...NAMES.map(([first_name, last_name, email], at) =>
      transaction(`named-${at}`, ids.product(0), {
        amount: '47.00',
        customer: { email, first_name, last_name },
      }),
    ),
    transaction('named-by-another', other.product(0), {
      customer: { email: 'gone@names.test', first_name: 'Gone', last_name: 'Other' },
    }),
    ...records,
  ]);
  key = await service.key(ids.vendor);
  ({ rows, cursor } = await exportedBy(service, key));
  // With this size, the sums of a customer have many slices.
  Object.assign(service.app.get(CustomerSlices), { size: 7 });
});
afterAll(() => service.stop());

async function pageOf(
  operation: string,
  parameters: Readonly<Record<string, string>>,
  of = key,
): Promise<Page> {
  const path = `/ledger/v1/${operation}?${new URLSearchParams(parameters).toString()}`;
  const { status, text } = await service.get(path, of);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text) as Page;
}

async function walk(limit: string): Promise<Page[]> {
  const pages = [await pageOf('affiliates', { limit })];
  for (let after = pages[0]?.meta.next_cursor; typeof after === 'string';) {
    const page = await pageOf('affiliates', { limit, after });
    pages.push(page);
    after = page.meta.next_cursor;
  }
  return pages;
}

type Named = Pick<Listed, 'customer'>;

function nameOf({ customer }: { readonly customer: unknown }): string {
  const { email, first_name, last_name } = customer as Named['customer'];
  return JSON.stringify([first_name, last_name, email]);
}

/** Returns true if the first or last name begins with a text in any case, or both with its words. */
function isNamed(text: string, { email, first_name = '', last_name = '' }: Named['customer']) {
  const folded = (name: string) => name.normalize('NFC').toLowerCase();
  const begins = (name: string, begin = '') => folded(name).startsWith(folded(begin));
  if (email === '') return false;
  if (begins(first_name, text) || begins(last_name, text)) return true;
  const words = text.split(' ');
  const [most, last] = [words.slice(0, -1).join(' '), words.at(-1)];
  if (most === '') return false;
  return [
    [most, last],
    [last, most],
  ].some(([one, next]) => begins(first_name, one) && begins(last_name, next));
}

const isSale = ({ status }: Listed) => status !== 'pending';

function soldOf(sold: readonly Listed[]) {
  const dates = sold.map(({ sale_date }) => sale_date).toSorted();
  return {
    first_sale_date: dates[0] ?? null,
    last_sale_date: dates.at(-1) ?? null,
    sales: sold.length,
  };
}

function moneyOf(amounts: readonly (string | undefined)[]): string {
  const cents = amounts.reduce((sum, amount = '0.00') => sum + BigInt(amount.replace('.', '')), 0n);
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

describe('A query of affiliates', () => {
  it.each(['1', '2', '200'])('has those with a sale, terms or a click, by %s', async (limit) => {
    const sold = new Map<number, Listed[]>();
    for (const row of rows.filter(isSale)) {
      if (row.affiliate === null) continue;
      sold.set(row.affiliate.id, [...(sold.get(row.affiliate.id) ?? []), row]);
    }
    const wanted = [...new Set([...sold.keys(), TERMS, CLICKS])].toSorted((a, b) => a - b);
    const pages = await walk(limit);
    expect(pages.flatMap(({ results }) => results)).toEqual(
      wanted.map((id) => ({
        id,
        display_name: id >= TERMS ? `Seen ${id}` : (expect.any(String) as unknown),
        ...soldOf(sold.get(id) ?? []),
      })),
    );
    for (const { meta } of pages) {
      expect([meta.total_count, meta.searched_to, meta.cursor]).toEqual([
        wanted.length,
        null,
        cursor,
      ]);
    }
    expect(sold.size).toBeGreaterThan(0);
  });

  it('refuses unknown parameters, and cursors of others', async () => {
    const { meta } = await pageOf('affiliates', { limit: '1' });
    const after = String(meta.next_cursor);
    const belongs = 'after belongs to another query';
    await expect(pageOf('relationships', { after })).rejects.toThrow(belongs);
    await expect(pageOf('affiliates', { after }, await service.key(other.vendor))).rejects.toThrow(
      belongs,
    );
    for (const wrong of [{ affiliate: '1' }, { limit: '0' }, { after: 'x' }]) {
      await expect(pageOf('affiliates', wrong)).rejects.toThrow('"code":4001');
    }
  });
});

describe('A query of customers', () => {
  it.each([
    ['MARA@example.test', 0],
    ['leo@example.test', 2],
    ['ZOë@example.test', 0],
  ])('adds up all sales of %s', async (email, active_recurring_payments) => {
    const of = rows.filter(({ customer }) => customer.email?.toLowerCase() === email.toLowerCase());
    const sold = of.filter(isSale);
    const { results, meta } = await pageOf('customers', { email });
    expect(meta).toMatchObject({ total_count: 1, next_cursor: null, cursor });
    const [latest] = of.toSorted((one, next) => (one.sale_date < next.sale_date ? 1 : -1));
    const isLatest = ({ sale_date }: Listed) => sale_date === latest?.sale_date;
    const names = of.filter(isLatest).map(({ customer }) => customer);
    const { email: shown, first_name, last_name, ...figures } = results[0] ?? {};
    expect(names).toContainEqual(expect.objectContaining({ email: shown, first_name, last_name }));
    expect([figures]).toEqual([
      {
        ...soldOf(sold),
        gross: moneyOf(sold.map(({ amount }) => amount)),
        refunded: moneyOf(of.filter(isRefund).map(({ refund }) => refund?.refund_amount)),
        seller_earnings: moneyOf(
          sold.flatMap(({ payouts, refund }) => [
            payouts.seller_earnings,
            refund?.seller_refund_impact,
          ]),
        ),
        active_recurring_payments,
      },
    ]);
    expect(sold.length).toBeGreaterThan(7);
  });

  it('knows one who only has a recurring payment, and nobody else', async () => {
    const { results } = await pageOf('customers', { email: ' only@example.test ' });
    const none = { sales: 0, first_sale_date: null, gross: '0.00' };
    const unnamed = { email: 'only@example.test', first_name: '', last_name: '' };
    expect(results).toMatchObject([{ ...none, ...unnamed }]);
    const nobody = await pageOf('customers', { email: 'none@example.test' });
    expect([nobody.results, nobody.meta.total_count]).toEqual([[], 0]);
  });

  it.each([
    'élo',
    'ÉLODIE D',
    'ж',
    'ЭРН',
    'ANN',
    'lee',
    'ann lee',
    'Lee Ann',
    '李',
    'zoë',
    'ZOE\u0308',
    'e',
    "o'",
    '%',
    'é_',
    'nobody',
    'mara',
  ])('finds those whose name begins with %j, in pages of any size', async (name) => {
    const wanted = rows.filter(({ customer }) => isNamed(name, customer)).map(nameOf);
    for (const limit of ['1', '2', '200']) {
      const pages = [await pageOf('customers', { name, limit })];
      for (let after = pages[0]?.meta.next_cursor; typeof after === 'string';) {
        const page = await pageOf('customers', { name, limit, after });
        after = page.meta.next_cursor;
        pages.push(page);
      }
      const found = pages.flatMap(({ results }) => results.map((customer) => nameOf({ customer })));
      expect(found.toSorted()).toEqual([...new Set(wanted)].toSorted());
    }
  });

  it('adds up the sales of each customer whom it finds by name', async () => {
    const { results } = await pageOf('customers', { name: 'ann lee' });
    const of = results.filter(({ email }) => email === 'ann@names.test');
    expect(of).toMatchObject([{ first_name: 'Ann', last_name: 'Lee', sales: 2, gross: '94.00' }]);
  });

  it('finds no erased customer, and none of another vendor', async () => {
    const found = async (of = key) => (await pageOf('customers', { name: 'gone' }, of)).results;
    expect(await found()).toMatchObject([{ email: 'gone@names.test' }]);
    const erasing = service.app.get(ErasePersonService);
    await erasing.erase('gone@names.test', ids.vendor, BY_OPERATOR);
    expect(await found()).toEqual([]);
    expect(await found(await service.key(other.vendor))).toMatchObject([{ last_name: 'Other' }]);
  });

  it('needs one e-mail address or name, and more than masked access', async () => {
    const both = 'email=a&name=b';
    const unknown = 'email=a&emial=b';
    const none = ['', 'email=', 'email=%20', 'name=', 'name=%20', `name=${'x'.repeat(256)}`];
    for (const wrong of [...none, both, unknown, 'email=a&email=b', 'name=a&after=x']) {
      const { status, text } = await service.get(`/ledger/v1/customers?${wrong}`, key);
      expect([wrong, status, text.includes('"code":4001')]).toEqual([wrong, 400, true]);
    }
    const masked = await service.key(ids.vendor, 'masked');
    const refused = pageOf('customers', { email: 'leo@example.test' }, masked);
    await expect(refused).rejects.toThrow('"code":4030');
    const named = pageOf('customers', { name: 'leo' }, masked);
    await expect(named).rejects.toThrow('"code":4030');
    const { meta } = await pageOf('customers', { name: 'lee', limit: '1' });
    const foreign = pageOf('customers', { name: 'ann', after: String(meta.next_cursor) });
    await expect(foreign).rejects.toThrow('after belongs to another query');
  });
});

it.each(['transactions', 'recurring_payments', 'relationships', 'affiliates', 'figures'])(
  '%s refuses a parameter with the name of a property of all objects',
  async (operation) => {
    for (const name of ['__proto__', 'constructor', 'hasOwnProperty', '__proto__[limit]']) {
      const { status, text } = await service.get(`/ledger/v1/${operation}?${name}=1`, key);
      expect([name, status, text.includes('"code":4001')]).toEqual([name, 400, true]);
    }
  },
);
