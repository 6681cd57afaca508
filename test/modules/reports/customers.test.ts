/** The pages of customers and of the search need few statements, and their sums are exact. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CustomerSlices } from '../../../src/modules/reports/customers/customer-slices.repository.js';
import { CustomersService } from '../../../src/modules/reports/customers/customers.service.js';
import {
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { Visitor } from '../../support/browser/visitor.js';
import { TestService } from '../../support/servers/service.js';
import { StatementLog } from '../../support/sql/statements.js';

const [VENDOR, OTHER] = [1, 2];
const [PRODUCT, OTHER_PRODUCT] = [10, 20];
const CUSTOMERS = 60;
/** Sales of the first customer, and of each other one. */
const [MANY, FEW] = [40, 3];
const ALL_AT_ONCE = 10_000;

interface Customer {
  readonly email: string;
  readonly sales: number;
  readonly gross: string;
  readonly active_recurring_payments: number;
}
interface Page {
  readonly meta: { readonly next_cursor: string | null };
  readonly results: readonly Customer[];
}

let service: TestService;
let log: StatementLog;
let key: string;

const emailOf = (place: number) => `buyer${place}@names.test`;
const salesOf = (place: number) => (place === 0 ? MANY : FEW);

function sale(id: string, place: number, at: number, email: string): object {
  return transaction(id, PRODUCT, {
    sale_date: new Date(Date.UTC(2025, 0, 1, place, at)).toISOString(),
    amount: `${place + 1}.0${at % 10}`,
    customer: { email, first_name: `First${place}`, last_name: at % 2 === 0 ? 'LEED' : 'Leeds' },
  });
}

beforeAll(async () => {
  service = await TestService.start();
  const places = Array.from({ length: CUSTOMERS }, (_, place) => place);
  await service.import([
    user(VENDOR),
    user(OTHER),
    product(PRODUCT, VENDOR),
    product(OTHER_PRODUCT, OTHER),
    ...places.flatMap((place) =>
      Array.from({ length: salesOf(place) }, (_, at) => {
        const email = at % 3 === 0 ? emailOf(place).toUpperCase() : emailOf(place);
        return sale(`sale-${place}-${at}`, place, at, email);
      }),
    ),
    transaction('of-another', OTHER_PRODUCT, {
      customer: { email: emailOf(1), first_name: 'First1', last_name: 'Leeds' },
    }),
    // The first subscription has addresses of two customers, in several columns and spellings.
    recurringPayment('PRE-1', PRODUCT, {
      status: 'ACTIVE',
      processor_email: emailOf(1).toUpperCase(),
      contact_email: emailOf(1),
      sender_email: emailOf(2),
    }),
    recurringPayment('PRE-2', PRODUCT, { status: 'CANCELED', contact_email: emailOf(2) }),
    recurringPayment('PRE-3', PRODUCT, { status: 'ACTIVE', sender_email: emailOf(2) }),
    recurringPayment('PRE-4', OTHER_PRODUCT, { status: 'ACTIVE', sender_email: emailOf(2) }),
  ]);
  key = await service.key(VENDOR);
  log = await StatementLog.of(service);
});
afterEach(() => {
  readAtOnce(ALL_AT_ONCE);
});
afterAll(() => service.stop());

function readAtOnce(size: number): void {
  Object.assign(service.app.get(CustomerSlices), { size });
}

async function page(parameters: Readonly<Record<string, string>>): Promise<Page> {
  const query = new URLSearchParams(parameters).toString();
  const { status, text } = await service.get(`/ledger/v1/customers?${query}`, key);
  if (status !== 200) throw new Error(text);
  return JSON.parse(text) as Page;
}

/** Returns the place of a customer, and what the sums of all sales with the address are. */
function wantedOf(email: string) {
  const place = Number(/\d+/.exec(email)?.[0]);
  const sales = salesOf(place);
  const cents = Array.from({ length: sales }, (_, at) => (place + 1) * 100 + (at % 10));
  const total = cents.reduce((sum, each) => sum + each, 0);
  return {
    sales,
    gross: (total / 100).toFixed(2),
    active_recurring_payments: [0, 1, 2][place] ?? 0,
  };
}

describe('A page of 50 customers', () => {
  it('needs as few statements as one of two customers', async () => {
    const count = async (limit: string) =>
      (await log.during(() => page({ name: 'leed', limit }))).length;
    const [few, many] = [await count('2'), await count('50')];
    expect(many).toBe(few);
    expect(many).toBeLessThanOrEqual(15);
  });

  it.each([ALL_AT_ONCE, 50, 7, 1])('is exact if a statement reads %i sales', async (size) => {
    readAtOnce(size);
    const { results, meta } = await page({ name: 'leed', limit: '50' });
    expect([results.length, meta.next_cursor === null]).toEqual([50, false]);
    for (const result of results) expect(result).toMatchObject(wantedOf(result.email));
    const after = String(meta.next_cursor);
    const others = await page({ name: 'leed', limit: '200', after });
    const emails = [...results, ...others.results].map(({ email }) => email.toLowerCase());
    expect(new Set(emails).size).toBe(CUSTOMERS);
  });

  it('reads no more sales with a statement than it may', async () => {
    readAtOnce(50);
    const statements = await log.during(() => page({ name: 'leed', limit: '50' }));
    const summing = statements.filter(({ sql }) => sql.includes('SUM(') && sql.includes(' slice'));
    expect(summing.length).toBeGreaterThan(2);
    for (const { sql, values } of summing) {
      expect(sql).toMatch(/LIMIT \?\s*\) slice/);
      expect(values.at(-1)).toBe(50);
    }
  });
});

describe('A name', () => {
  const limitsDuring = async (name: string) => {
    const statements = await log.during(() => page({ name, limit: '200' }));
    const ofNames = statements.filter(({ sql }) => sql.includes('_name) */'));
    return ofNames.map(({ values }) => values.at(-1));
  };

  it('is read at full size once a few sales show that it has a spelling', async () => {
    const limits = await limitsDuring('first5');
    expect(limits.filter((limit) => limit !== 20)).toEqual([500]);
    const { results } = await page({ name: 'first5', limit: '200' });
    const found = new Set(results.map(({ email }) => email.toLowerCase()));
    const places = [5, ...Array.from({ length: 10 }, (_, at) => 50 + at)];
    expect([...found].toSorted()).toEqual(places.map(emailOf).toSorted());
  });

  it('that nobody has costs a few sales for each spelling', async () => {
    const limits = await limitsDuring('first9x');
    expect(new Set(limits)).toEqual(new Set([20]));
    expect((await page({ name: 'first9x', limit: '200' })).results).toEqual([]);
  });
});

describe('A customer', () => {
  it('is read with one statement for each spelling of the address', async () => {
    const statements = await log.during(() => page({ email: emailOf(0) }));
    const summing = statements.filter(({ sql }) => sql.includes(' slice'));
    expect(summing.length).toBe(2);
    expect((await page({ email: emailOf(0) })).results).toMatchObject([wantedOf(emailOf(0))]);
  });

  it('has the name in the later of two sales in a second, however they spell the address', async () => {
    const tie = (id: string, email: string, first_name: string) =>
      transaction(id, OTHER_PRODUCT, { customer: { email, first_name, last_name: 'Tie' } });
    await service.import([tie('tie-1', 'A.Tie@names.test', 'Old')]);
    await service.import([tie('tie-2', 'a.tie@names.test', 'New')]);
    const { customers } = await service.app
      .get(CustomersService)
      .customersWith(OTHER, ['A.TIE@names.test']);
    expect(customers).toMatchObject([{ email: 'a.tie@names.test', first_name: 'New' }]);
  });

  it('is found among those who do not exist, in the order of the addresses', async () => {
    const asked = ['none@names.test', emailOf(3), emailOf(1).toUpperCase(), emailOf(3)];
    const { customers } = await service.app.get(CustomersService).customersWith(VENDOR, asked);
    expect(customers.map((customer) => customer?.email.toLowerCase() ?? null)).toEqual([
      null,
      emailOf(3),
      emailOf(1),
      emailOf(3),
    ]);
    const nobody = await service.app.get(CustomersService).customersWith(VENDOR, []);
    expect(nobody.customers).toEqual([]);
  });
});

it('reads all customers that a search shows together', async () => {
  const visitor = await Visitor.signedIn(service, VENDOR);
  const search = () => visitor.get('/account/search?q=leed');
  expect((await search()).text).toContain('First');
  const statements = await log.during(search);
  const ofCustomers = statements.filter(({ sql }) => /customer_email|_email_folded/.test(sql));
  expect(ofCustomers.length).toBeLessThanOrEqual(12);
});
