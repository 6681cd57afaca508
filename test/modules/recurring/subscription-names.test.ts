/** Subscriptions that are found by the name of their customer, on their page and by the API. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NameBounds } from '../../../src/modules/recurring/names/subscription-names.service.js';
import {
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { Visitor } from '../../support/browser/visitor.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';

const PATH = '/account/subscriptions';
const OPERATION = '/ledger/v1/recurring_payments';
const [VENDOR, OTHER] = [1, 2];
const { sales: SALES, entries, lookups, compared } = new NameBounds();
const BOUNDS = { sales: SALES, entries, lookups, compared };
/** Bounds that no name meets, so that each subscription is read and compared. */
const READ_ALL = { ...BOUNDS, sales: 0, entries: 0 };
/** Number of customers who are called Many, which is more than a page has. */
const MANY = 60;

/** The first and the last name in the payments of each subscription, oldest first. */
const NAMES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'N-ANN': [['Ann', 'Lee']],
  'N-UPPER': [['ANNA', 'LEEDS']],
  'N-LAST': [['Zed', 'Annable']],
  'N-BETWEEN': [['Amos', 'aNNOTT']],
  'N-ACCENT': [['ÉLODIE', 'Çelik']],
  'N-PARTS': [['E\u0301lise', 'Roy']],
  'N-PERCENT': [['100%', 'Off']],
  'N-UNDERLINE': [['100_', 'Off']],
  'N-RENAMED': [
    ['Before', 'Marriage'],
    ['Later', 'Marriage'],
  ],
  'N-ERASED': [['Gone', 'Person']],
};
const LATE = 'N-CANCELED';

interface Found {
  readonly results: readonly { readonly preKey: string }[];
  readonly meta: {
    readonly total_count: number | null;
    readonly searched_to: string | null;
    readonly next_cursor: string | null;
  };
}

let service: TestService;
let visitor: Visitor;
let key: string;

function sales() {
  return Object.entries(NAMES).flatMap(([pre_key, payments]) =>
    payments.map(([first_name, last_name], at) =>
      transaction(`${pre_key}-${at}`, 10, {
        pre_key,
        sale_date: `2025-06-0${at + 1}T12:00:00Z`,
        customer: { email: `${pre_key.toLowerCase()}@example.test`, first_name, last_name },
      }),
    ),
  );
}

beforeAll(async () => {
  service = await TestService.start();
  const many = Array.from({ length: MANY }, (_, at) => `MANY-${at + 10}`);
  const sale = (id: string, product_id: number, pre_key: string, first_name: string) =>
    transaction(id, product_id, {
      pre_key,
      customer: { email: '', first_name, last_name: '' },
    });
  await service.import([
    ...[VENDOR, OTHER].map((id) => user(id)),
    product(10, VENDOR),
    product(11, VENDOR),
    product(20, OTHER),
    ...[...Object.keys(NAMES), ...many].map((pre_key, at) =>
      recurringPayment(pre_key, 10, {
        id: at + 1,
        next_date: '2031-01-01T00:00:00Z',
        contact_email: `${pre_key.toLowerCase()}@example.test`,
      }),
    ),
    recurringPayment(LATE, 11, { id: 900, status: 'CANCELED' }),
    recurringPayment('N-UNPAID', 10, { id: 901 }),
    recurringPayment('O-ANN', 20, { id: 902 }),
    ...sales(),
    ...many.map((pre_key) => sale(pre_key, 10, pre_key, 'Many')),
    sale('canceled', 11, LATE, 'Ann'),
    // A sale of each vendor names a subscription of the other one.
    sale('of-other', 20, 'O-ANN', 'Ann'),
    sale('of-both', 20, 'N-UNPAID', 'Ann'),
    sale('not-theirs', 10, 'O-ANN', 'Ann'),
  ]);
  key = await service.key(VENDOR);
  visitor = await Visitor.signedIn(service, VENDOR);
});
afterAll(() => service.stop());

function bounded(bounds: Partial<NameBounds>): void {
  Object.assign(service.app.get(NameBounds), bounds);
}

function keysIn(text: string): string[] {
  const links = text.matchAll(/<a href="\/account\/subscriptions\/([^"/?]+)\?[^"]*">/g);
  return [...links].map(([, found = '']) => decodeURIComponent(found));
}

async function pageOf(parameters: Readonly<Record<string, string>>): Promise<string> {
  const { status, text } = await visitor.get(
    `${PATH}?${new URLSearchParams(parameters).toString()}`,
  );
  expect(status).toBe(200);
  return text;
}

async function found(parameters: Readonly<Record<string, string>>, by = key) {
  const answer = await service.get(
    `${OPERATION}?${new URLSearchParams(parameters).toString()}`,
    by,
  );
  expect(answer.status).toBe(200);
  const { results, meta } = JSON.parse(answer.text) as Found;
  return { keys: results.map(({ preKey }) => preKey), meta };
}

/** Each text with the active subscriptions that it finds, in the order of their keys. */
const TEXTS: readonly (readonly [string, readonly string[]])[] = [
  ['ann', ['N-ANN', 'N-BETWEEN', 'N-LAST', 'N-UPPER']],
  ['ANNA', ['N-LAST', 'N-UPPER']],
  ['ann le', ['N-ANN', 'N-UPPER']],
  ['lee ann', ['N-ANN', 'N-UPPER']],
  ['ann leed', ['N-UPPER']],
  ['nn', []],
  ['élo', ['N-ACCENT']],
  ['ÇEL', ['N-ACCENT']],
  ['élise', ['N-PARTS']],
  ['elo', []],
  ['100%', ['N-PERCENT']],
  ['100_', ['N-UNDERLINE']],
  ['100', ['N-PERCENT', 'N-UNDERLINE']],
  ['%', []],
  ['_', []],
  ['before', []],
  ['later', ['N-RENAMED']],
  ["o'ann", []],
  ['\\', []],
];

describe.each([
  ['from the index of names', BOUNDS],
  ['by reading every subscription', READ_ALL],
])('subscriptions by a name, %s', (_how, bounds) => {
  beforeAll(() => {
    bounded(bounds);
  });
  afterAll(() => {
    bounded(BOUNDS);
  });

  it.each(TEXTS)('%s: the page and the API find the same', async (text, keys) => {
    expect(keysIn(await pageOf({ customer: text })).toSorted()).toEqual(keys);
    expect((await found({ name: text, status: 'ACTIVE' })).keys).toEqual(keys);
  });

  it('are listed in two pages, each once, in the order of the list', async () => {
    const all = Array.from({ length: MANY }, (_, at) => `MANY-${at + 10}`);
    const first = await pageOf({ customer: 'many' });
    expect(keysIn(first)).toEqual(all.slice(0, 50));
    const [, next = ''] = /href="([^"]+)" rel="next"/.exec(first) ?? [];
    const second = (await visitor.get(next.replaceAll('&amp;', '&'))).text;
    expect(keysIn(second)).toEqual(all.slice(50));
    expect(second).not.toContain('rel="next"');
    const one = await found({ name: 'MANY', limit: '40' });
    const { next_cursor: after } = one.meta;
    const two = await found({ name: 'MANY', limit: '40', after: String(after) });
    expect([...one.keys, ...two.keys]).toEqual(all);
    expect(two.meta.next_cursor).toBeNull();
  });

  it('meet the other filters, too', async () => {
    expect(keysIn(await pageOf({ customer: 'ann', list: 'canceled' }))).toEqual([LATE]);
    expect(keysIn(await pageOf({ customer: 'ann', product: '11' }))).toEqual([]);
    expect(keysIn(await pageOf({ customer: 'ann', due: '2031-01-01' }))).toHaveLength(4);
    expect(keysIn(await pageOf({ customer: 'ann', due: 'late' }))).toEqual([]);
    expect((await found({ name: 'ann' })).keys).toContain(LATE);
    expect((await found({ name: 'ann', product_id: '11' })).keys).toEqual([LATE]);
    const ofEmail = { name: 'ann', email: 'N-ANN@example.test' };
    expect((await found(ofEmail)).keys).toEqual(['N-ANN']);
    expect((await found({ ...ofEmail, name: 'zed' })).keys).toEqual([]);
  });
});

describe('the page', () => {
  it('names the customer in each row, and counts what it found', async () => {
    const text = await pageOf({ customer: 'anna' });
    expect(text).toContain('>ANNA LEEDS</a>');
    expect(text).toContain('2 subscriptions found.');
    expect(text).toContain('>Customer</label>');
    expect(text).toContain('The whole e-mail, or the first letters of a name.');
    expect(text).toMatch(/name="customer" [^>]*value="anna"/);
  });

  it('still finds a whole e-mail, also in an address of the previous version', async () => {
    expect(keysIn(await pageOf({ customer: 'N-ANN@EXAMPLE.test' }))).toEqual(['N-ANN']);
    expect(keysIn(await pageOf({ email: 'n-ann@example.test' }))).toEqual(['N-ANN']);
    expect(keysIn(await pageOf({ customer: 'n-ann@example.tes' }))).toEqual([]);
  });

  it('shows a vendor no customer of another one', async () => {
    const others = await Visitor.signedIn(service, OTHER);
    expect(keysIn((await others.get(`${PATH}?customer=ann`)).text)).toEqual(['O-ANN']);
    expect(keysIn((await others.get(`${PATH}?customer=zed`)).text)).toEqual([]);
  });
});

describe('a name that too many customers have', () => {
  afterAll(() => {
    bounded(BOUNDS);
  });

  it('is searched in parts, which say how far they searched', async () => {
    const [chunk, others] = [1_000, 1_100];
    const start = { next_date: '2030-01-01T00:00:00Z' };
    await service.import(
      Array.from({ length: others }, (_, at) =>
        recurringPayment(`A-${at}`, 10, { id: 2_000 + at, ...start }),
      ),
    );
    bounded({ ...READ_ALL, compared: chunk });
    const first = await pageOf({ customer: 'ann' });
    expect(keysIn(first)).toEqual([]);
    expect(first).toContain('The filter read 1,000 subscriptions of this list; none of them');
    const [, next = ''] = /href="([^"]+)" rel="next"/.exec(first) ?? [];
    const second = (await visitor.get(next.replaceAll('&amp;', '&'))).text;
    expect(keysIn(second)).toEqual(['N-ANN', 'N-BETWEEN', 'N-LAST', 'N-UPPER']);
    const one = await found({ name: 'ann' });
    expect(one.keys).toEqual([]);
    expect(one.meta.total_count).toBeNull();
    expect(one.meta.searched_to).toMatch(/^A-\d+$/);
    const two = await found({ name: 'ann', after: String(one.meta.next_cursor) });
    expect(two.keys).toHaveLength(5);
    expect(two.meta.searched_to).toBeNull();
  });

  it('has too many spellings', async () => {
    bounded({ lookups: 1 });
    expect(keysIn(await pageOf({ customer: 'ann', due: '2031-01-01' }))).toHaveLength(4);
  });
});

describe('an erased customer', () => {
  it('is not found by the name any more', async () => {
    expect(keysIn(await pageOf({ customer: 'gone' }))).toEqual(['N-ERASED']);
    const ledger = TestLedger.on(service.database);
    const ERASURES_FILE = join(service.database.folder, 'erasures.ndjson');
    const of = ['n-erased@example.test', '--vendor', String(VENDOR)];
    const { status } = await ledger.cli(['people', 'erase', ...of], { env: { ERASURES_FILE } });
    await ledger.close();
    expect(status).toBe(0);
    for (const bounds of [BOUNDS, READ_ALL]) {
      bounded(bounds);
      for (const text of ['gone', 'person']) {
        expect(keysIn(await pageOf({ customer: text }))).toEqual([]);
        expect((await found({ name: text })).keys).toEqual([]);
      }
    }
    bounded(BOUNDS);
  });
});

describe('the API', () => {
  it('says that it found all', async () => {
    const { meta } = await found({ name: 'ann' });
    expect(meta).toMatchObject({ total_count: 5, searched_to: null, next_cursor: null });
  });

  it('finds nothing by name with masked access, and says why', async () => {
    const masked = await service.key(VENDOR, 'masked');
    const answer = await service.get(`${OPERATION}?name=ann`, masked);
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('"code":4030');
    expect(answer.text).toContain('may not use name');
  });

  it.each(['', ' ', 'x'.repeat(256)])(
    'refuses a name that is empty or too long (%#)',
    async (name) => {
      const path = `${OPERATION}?${new URLSearchParams({ name }).toString()}`;
      const answer = await service.get(path, key);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('name must be a string of 1 to 255 characters');
    },
  );

  it('refuses the cursor of another name', async () => {
    const { meta } = await found({ name: 'ann', limit: '1' });
    const after = String(meta.next_cursor);
    const answer = await service.get(`${OPERATION}?name=anna&after=${after}`, key);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('after belongs to another query');
  });
});

it('an e-mail address has all of its subscriptions in each list', async () => {
  const email = 'busy@example.test';
  const busy = Array.from({ length: 1_300 }, (_, at) =>
    recurringPayment(`BUSY-${at}`, 30, {
      id: 2_000 + at,
      contact_email: email,
      status: at % 2 === 0 ? 'ACTIVE' : 'CANCELED',
    }),
  );
  await service.import([user(3), product(30, 3), ...busy]);
  const vendor = await Visitor.signedIn(service, 3);
  for (const list of ['active', 'canceled']) {
    const { text } = await vendor.get(`${PATH}?list=${list}&customer=${email}`);
    expect(text).toContain('650 subscriptions found.');
  }
});
