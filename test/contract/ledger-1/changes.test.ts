import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { envelopeOf, type EnvelopeBody } from '../../support/http/http.js';
import { statesOf } from '../../support/processes/gauges.js';
import { until } from '../../support/servers/running-service.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { stopwatch } from '../../support/processes/stopwatch.js';
import { TestService } from '../../support/servers/service.js';

const CHANGES = '/ledger/v1/changes';

let service: TestService;
let key: string;
let vendor = 0;

interface Change {
  readonly sequence: number;
  readonly kind: string;
  readonly changed_at: string;
  readonly [content: string]: unknown;
}
interface Page {
  readonly changes: readonly Change[];
  readonly cursor: string;
  readonly has_more: boolean;
}

beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Creates a vendor with a product, an affiliate and a sale of the affiliate. */
async function newVendor(): Promise<void> {
  vendor += 10;
  await service.import([
    user(vendor),
    user(vendor + 1, { display_name: 'Anna' }),
    product(vendor, vendor, { name: 'Course' }),
    affiliation(vendor + 1, vendor),
    recurringPayment(`P-${vendor}`, vendor, { id: vendor }),
    sale(1),
  ]);
  key = await service.key(vendor);
}

function sale(number: number, changes: Record<string, unknown> = {}) {
  return transaction(`S-${vendor}-${number}`, vendor, { affiliate_id: vendor + 1, ...changes });
}

async function pageOf(query = '', of = key): Promise<Page> {
  const { meta, results } = await service.envelope(`${CHANGES}?${query}`, of);
  const { cursor, has_more } = meta as EnvelopeBody['meta'] & Omit<Page, 'changes'>;
  return { changes: results as unknown as Change[], cursor, has_more };
}

/** Returns all pages from a cursor to the end as one page. */
async function allAfter(cursor = '0', query = ''): Promise<Page> {
  const changes: Change[] = [];
  for (let after = cursor; ;) {
    const page = await pageOf(`after=${after}&${query}`);
    changes.push(...page.changes);
    if (!page.has_more) return { ...page, changes };
    expect(page.cursor).not.toBe(after);
    after = page.cursor;
  }
}

function kindsOf(changes: readonly Change[]): string[] {
  return changes.map(({ kind }) => kind).sort();
}

describe('the feed of changes', () => {
  beforeAll(newVendor);

  it('begins with everything that is there', async () => {
    const { changes, cursor, has_more } = await pageOf();
    expect(has_more).toBe(false);
    expect(kindsOf(changes)).toEqual([
      'affiliate',
      'product',
      'recurring_payment',
      'relationship',
      'transaction',
    ]);
    const sequences = changes.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...new Set(sequences)].sort((left, right) => left - right));
    expect(cursor).toBe(String(sequences.at(-1)));
    for (const { changed_at } of changes) {
      expect(changed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
      expect(Math.abs(Date.parse(changed_at) - Date.now())).toBeLessThan(60_000);
    }
  });

  it('shows each thing as its interface does', async () => {
    const { changes } = await pageOf();
    const shown = Object.fromEntries(changes.map((change) => [change.kind, change[change.kind]]));
    const first = async (path: string) => (await service.envelope(path, key)).results[0];
    expect(shown).toEqual({
      transaction: await first(`/v3.0/transactions/S-${vendor}-1`),
      recurring_payment: await first(`/v2.0/recurring_payment/P-${vendor}`),
      relationship: await first(`/v2.1/affiliates/${vendor + 1}/products/${vendor}`),
      product: await first('/v2.1/products/names'),
      affiliate: { id: vendor + 1, display_name: 'Anna' },
    });
  });

  it('is read page by page, with one change in each', async () => {
    const all = await allAfter();
    const one = await allAfter('0', 'limit=1');
    expect(one).toEqual(all);
  });

  it('shows only the kinds asked for, and has the cursor of the whole', async () => {
    const { cursor } = await pageOf();
    const some = await pageOf('kinds=product,affiliate');
    expect(kindsOf(some.changes)).toEqual(['affiliate', 'product']);
    expect(some.cursor).toBe(cursor);
  });

  it('has nothing after its cursor', async () => {
    const { cursor } = await pageOf();
    expect(await pageOf(`after=${cursor}`)).toEqual({ changes: [], cursor, has_more: false });
  });
});

describe('a change', () => {
  beforeAll(newVendor);

  it.each([
    ['a refund', () => [sale(1, { status: 'refunded', refund: refund('2025-06-20T12:00:00Z') })]],
    ['a sale that is moved to nobody', () => [sale(1, { affiliate_id: null })]],
  ])('%s is the latest change of its transaction', async (_, records) => {
    const { cursor } = await pageOf();
    await service.import(records());
    const { changes } = await pageOf(`after=${cursor}`);
    expect(changes).toMatchObject([
      { kind: 'transaction', transaction: { transaction_id: `S-${vendor}-1` } },
    ]);
    const all = (await allAfter()).changes.filter(({ kind }) => kind === 'transaction');
    expect(all).toHaveLength(1);
  });

  it('that changes nothing is none', async () => {
    const { cursor } = await pageOf();
    await service.import([product(vendor, vendor, { name: 'Course' })]);
    expect(await pageOf(`after=${cursor}`)).toEqual({ changes: [], cursor, has_more: false });
  });

  it('of a name is one, however many sales show it', async () => {
    // Records of other kinds have the same key as the affiliate, too.
    const [product_id, pre_key] = [vendor + 1, String(vendor + 1)];
    await service.import([
      sale(2),
      sale(3),
      product(product_id, vendor),
      recurringPayment(pre_key, vendor, { id: product_id }),
    ]);
    const { cursor } = await pageOf();
    await service.import([user(vendor + 1, { display_name: 'Berta' })]);
    expect((await pageOf(`after=${cursor}`)).changes).toMatchObject([
      { kind: 'affiliate', affiliate: { id: vendor + 1, display_name: 'Berta' } },
    ]);
  });

  it('of a relationship comes from the interface, too', async () => {
    const { cursor } = await pageOf();
    const path = `/v2.1/affiliates/${vendor + 1}/products/${vendor}`;
    const answer = await service.put(path, key, { approval_status: 'DENIED' });
    expect(answer.status).toBe(200);
    expect((await pageOf(`after=${cursor}`)).changes).toMatchObject([
      { kind: 'relationship', relationship: { status: 'DENIED' } },
    ]);
  });

  it('of another vendor is not shown', async () => {
    const { cursor } = await pageOf();
    const own = key;
    await newVendor();
    expect(await pageOf(`after=${cursor}`, own)).toMatchObject({ changes: [], cursor });
  });
});

describe('a recurring payment that moves to another vendor', () => {
  it('leaves one item, which every filter shows, until it comes back', async () => {
    await newVendor();
    const [keyOfFirst, first, cursor] = [key, vendor, (await pageOf()).cursor];
    await newVendor();
    const moved = (product_id: number) => recurringPayment(`P-${first}`, product_id, { id: first });
    await service.import([moved(vendor)]);
    const removed = { removed_kind: 'recurring_payment', key: `P-${first}` };
    for (const query of ['', '&kinds=product', '&kinds=removed', '&kinds=recurring_payment']) {
      const { changes } = await pageOf(`after=${cursor}${query}`, keyOfFirst);
      expect(changes).toMatchObject([{ kind: 'removed', removed }]);
    }
    expect((await pageOf('kinds=recurring_payment')).changes).toHaveLength(2);
    await service.import([moved(first)]);
    const after = await pageOf(`after=${cursor}`, keyOfFirst);
    expect(after.changes).toMatchObject([{ kind: 'recurring_payment' }]);
    const gone = await pageOf('kinds=recurring_payment,removed');
    expect(gone.changes.map(({ kind }) => kind)).toEqual(['recurring_payment', 'removed']);
  });
});

describe('a masked key', () => {
  beforeAll(newVendor);

  it('gets no personal data', async () => {
    const masked = await service.key(vendor, 'masked');
    const { changes } = await pageOf('', masked);
    const shown = Object.fromEntries(changes.map((change) => [change.kind, change[change.kind]]));
    expect(shown).toMatchObject({
      transaction: { customer: { email: '', first_name: '', last_name: '' } },
      recurring_payment: { contact_email: '', sender_email: '' },
    });
  });
});

describe('an answer that waits', () => {
  beforeAll(newVendor);

  it('comes with the next change', async () => {
    const { cursor } = await pageOf();
    const waiting = pageOf(`after=${cursor}&wait=20`);
    await service.import([sale(4)]);
    const waited = stopwatch();
    expect((await waiting).changes).toMatchObject([{ kind: 'transaction' }]);
    expect(waited()).toBeLessThan(1_500);
  });

  it('comes empty when its time is over', async () => {
    const { cursor } = await pageOf();
    expect(await pageOf(`after=${cursor}&wait=1`)).toEqual({
      changes: [],
      cursor,
      has_more: false,
    });
  });

  it('passes over changes of other kinds', async () => {
    const { cursor } = await pageOf();
    const waiting = pageOf(`after=${cursor}&wait=2&kinds=product`);
    await service.import([sale(5)]);
    const page = await waiting;
    expect(page.changes).toEqual([]);
    expect(Number(page.cursor)).toBeGreaterThan(Number(cursor));
  });
});

describe('an answer that waits, and whose key changes', () => {
  beforeAll(newVendor);

  /** Makes a key, and returns the result of a call that waits while `change` affects the key. */
  async function whileWaiting(
    change: (application_id: number) => Promise<unknown>,
    number: number,
  ) {
    const applications = service.app.get(ApiApplicationsService);
    const { application, key: own } = await applications.createApplication(vendor, 'w', null);
    const { cursor } = await pageOf();
    const waiting = service.get(`${CHANGES}?after=${cursor}&wait=20`, own);
    await until('it waits', async () => (await statesOf(service, 'changes_waiting')).waiting === 1);
    await change(application.id);
    await service.import([sale(number)]);
    return { answer: await waiting, own, cursor };
  }

  it('is refused if it was revoked', async () => {
    const applications = service.app.get(ApiApplicationsService);
    const { answer } = await whileWaiting((id) => applications.revokeApplication(id), 6);
    expectFailure(answer, 4011, 'ledger-1');
  });

  it('shows nothing if it was masked, and the next answer is masked', async () => {
    const applications = service.app.get(ApiApplicationsService);
    const { answer, own, cursor } = await whileWaiting(
      (id) => applications.setAccess(id, 'masked'),
      7,
    );
    expect(envelopeOf(answer)).toMatchObject({ meta: { cursor, has_more: true }, results: [] });
    await until('the key is looked up again', async () => {
      const { changes } = await pageOf(`after=${cursor}`, own);
      return JSON.stringify(changes).includes('"email":""');
    });
  });

  it('comes to all who wait for the same, on few reads', async () => {
    const { cursor } = await pageOf();
    const waiting = Array.from({ length: 60 }, () => pageOf(`after=${cursor}&wait=20`));
    await until(
      'all wait',
      async () => (await statesOf(service, 'changes_waiting')).waiting === 60,
    );
    await service.import([sale(8)]);
    const pages = await Promise.all(waiting);
    expect(pages.map(({ changes }) => changes.length)).toEqual(pages.map(() => 1));
  });
});

describe('a bad request', () => {
  beforeAll(newVendor);

  it.each([
    ['after=x', 'after must be a cursor that an answer gave'],
    ['after=-1', 'after must be a cursor that an answer gave'],
    ['after=1.5', 'after must be a cursor that an answer gave'],
    ['after=', 'after must be a cursor that an answer gave'],
    ['after=999999', 'after must be a cursor of this ledger.'],
    ['after=9007199254740991', 'after must be a cursor of this ledger.'],
    ['after=9007199254740992', 'after must be a cursor that an answer gave'],
    ['after=9999999999999999', 'after must be a cursor that an answer gave'],
    ['after=00000000000000001', 'after must be a cursor that an answer gave'],
    ['after=1.2', 'after must be a cursor that an answer gave'],
    ['after=1.', 'after must be a cursor that an answer gave'],
    ['after=1.-1', 'after must be a cursor that an answer gave'],
    ['after=1.0.0', 'after must be a cursor that an answer gave'],
    ['after=1.00000000000000000', 'after must be a cursor that an answer gave'],
    ['after=9007199254740992.1', 'after must be a cursor that an answer gave'],
    ['after=%201', 'after must be a cursor that an answer gave'],
    [`after=${'1'.repeat(4_000)}`, 'after must be a cursor that an answer gave'],
    ['after=1&after=1', 'after must'],
    ['after=999999.0', 'after must be a cursor of this ledger.'],
    ['after=999999.999999', 'after must be a cursor of this ledger.'],
    ['limit=0', 'limit must be an integer from 1 to 1000'],
    ['limit=1001', 'limit must be an integer from 1 to 1000'],
    ['wait=21', 'wait must be an integer from 0 to 20'],
    ['kinds=sale', 'kinds must be some of transaction, recurring_payment'],
    ['kinds=', 'kinds must be some of transaction, recurring_payment'],
  ])('with %s is told so', async (query, problem) => {
    const answer = await service.get(`${CHANGES}?${query}`, key);
    expect(expectFailure(answer, 4001, 'ledger-1')).toContain(problem);
  });
});
