/** Queries of affiliates and customers equal a calculation over the export (docs/queries.md). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CustomerSlices } from '../../../src/modules/reports/customers/customer-sums.repository.js';
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
    expect(results).toEqual([
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
    expect(results).toMatchObject([{ sales: 0, first_sale_date: null, gross: '0.00' }]);
    const nobody = await pageOf('customers', { email: 'none@example.test' });
    expect([nobody.results, nobody.meta.total_count]).toEqual([[], 0]);
  });

  it('needs one e-mail address, and more than masked access', async () => {
    for (const wrong of ['', 'email=', 'email=%20', 'email=a&email=b', 'email=a&emial=b']) {
      const { status, text } = await service.get(`/ledger/v1/customers?${wrong}`, key);
      expect([wrong, status, text.includes('"code":4001')]).toEqual([wrong, 400, true]);
    }
    const masked = await service.key(ids.vendor, 'masked');
    const refused = pageOf('customers', { email: 'leo@example.test' }, masked);
    await expect(refused).rejects.toThrow('"code":4030');
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
