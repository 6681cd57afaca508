/**
 * Lists whose last page is full, and lists with one more item: no page is empty, and none is
 * missing.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Visitor } from '../../support/browser/visitor.js';
import {
  affiliation,
  payoutItem,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { idsAfter } from '../../support/http/feeds.js';
import { TestService } from '../../support/servers/service.js';

/** These fill four pages of the account, two calls of a feed, and one part of a download. */
const SALES = 200;
/** At most this many payments of a subscription are counted. */
const COUNTED = 500;
const SHOWN = 50;
const DAY = '2025-06-01';
const RANGE = `from=${DAY}&to=${DAY}`;

/** A vendor whose lists end with a full page, or with this many more items. */
interface Vendor {
  readonly id: number;
  readonly more: number;
}
const VENDORS: readonly Vendor[] = [
  { id: 1, more: 0 },
  { id: 2, more: 1 },
];
const affiliateOf = ({ id }: Vendor, at = 0) => id * 1_000 + at;
const productOf = ({ id }: Vendor) => id * 10;

function recordsOf(vendor: Vendor): object[] {
  const { id, more } = vendor;
  const [of, counted] = [productOf(vendor), COUNTED + SHOWN + more];
  const times = <Made>(count: number, make: (at: number) => Made) =>
    Array.from({ length: count }, (_, at) => make(at));
  return [
    user(id),
    product(of, id),
    product(of + 1, id),
    ...times(SHOWN + more, (at) => user(affiliateOf(vendor, at))),
    ...times(SHOWN + more, (at) => affiliation(affiliateOf(vendor, at), of)),
    ...times(SHOWN + more, (at) => recurringPayment(`ACT-${id}-${at}`, of, { id: at + 1 })),
    ...times(SHOWN + more, (at) =>
      recurringPayment(`CAN-${id}-${at}`, of, { id: at + 1, status: 'CANCELED' }),
    ),
    ...times(SALES + more, (at) =>
      transaction(`E-${id}-${at}`, of, {
        affiliate_id: affiliateOf(vendor),
        customer: { email: `full${id}@example.test`, first_name: 'A', last_name: 'B' },
        tracking: { tid: `value ${at % (100 + more)}` },
        sale_date: `${DAY}T0${at % 10}:00:00Z`,
        payout_items: at === 0 ? times(100 + more, (each) => payoutItem(each + 1)) : [],
      }),
    ),
    ...times(counted, (at) =>
      transaction(`R-${id}-${at}`, of + 1, {
        pre_key: `ACT-${id}-0`,
        sale_date: '2024-01-01T00:00:00Z',
      }),
    ),
  ];
}

let service: TestService;
const keys = new Map<number, string>();
const visitors = new Map<number, Visitor>();
beforeAll(async () => {
  service = await TestService.start({ PERSONAL_DATA_READS: 'on' });
  const ledger = TestLedger.on(service.database);
  for (const vendor of VENDORS) {
    const { id, more } = vendor;
    await service.import(recordsOf(vendor));
    const today = new Date().toISOString().slice(0, 10);
    for (let number = 0; number < SHOWN + more; number += 1) {
      await ledger.run(`INSERT INTO personal_reads
        (vendor_id, read_at, writer, number, user_id, application_id, operation, records, times)
        VALUES (${id}, '${today} 00:00:00', '0123456789abcdef', ${number}, ${id}, 0, 'listTransactions', ${number}, 1)`);
    }
    keys.set(id, await service.key(id));
    visitors.set(id, await Visitor.signedIn(service, id));
  }
  await ledger.close();
});
afterAll(() => service.stop());

const keyOf = ({ id }: Vendor) => keys.get(id) ?? '';
const seen = async ({ id }: Vendor, path: string) => {
  const answer = await visitors.get(id)?.get(path);
  if (answer?.status !== 200) throw new Error(`${path}: ${String(answer?.status)}`);
  return answer.text;
};

/** Returns the numbers of rows on the pages of a list, which it follows by their links. */
async function pagesFrom(
  vendor: Vendor,
  path: string,
  towards: 'next' | 'prev',
): Promise<number[]> {
  const sizes: number[] = [];
  for (let at: string | undefined = path; at !== undefined && sizes.length < 9;) {
    const text = await seen(vendor, at);
    sizes.push(rowsIn(text));
    at = linkIn(text, towards);
  }
  return sizes;
}

/** Returns the number of rows of the longest table, without its totals. */
const rowsIn = (text: string) => {
  const bodies = text.split('<table').map((table) => table.split('<tfoot')[0] ?? '');
  return Math.max(...bodies.map((body) => body.split('scope="row"').length - 1));
};
const linkIn = (text: string, towards: string) =>
  new RegExp(`href="([^"]+)" rel="${towards}"`).exec(text)?.[1]?.replaceAll('&amp;', '&');

/** Returns the sizes of the pages for this many items and the vendor's additional ones. */
function sizes(total: number, size: number, { more }: Vendor): number[] {
  return [...Array.from({ length: total / size }, () => size), ...(more === 0 ? [] : [more])];
}

// These tests are the first, because the service notes what the others read. It also notes the
// pages that they open, so the second page has more than the rows of `beforeAll`.
describe.each(VENDORS)('the reads of a vendor with $more more', (vendor) => {
  it('have a second page only after a full one', async () => {
    const [first, ...others] = await pagesFrom(vendor, '/account/data-protection', 'next');
    expect([first, others.length]).toEqual([SHOWN, vendor.more]);
  });
});

describe.each(VENDORS)('lists of a vendor with $more more', (vendor) => {
  const { id, more } = vendor;

  it.each([10, 50, 100, 200])('in 3.0 have pages of %i', async (page_size) => {
    const found: number[] = [];
    for (let index = 0; index < 99; index += 1) {
      const path = `/v3.0/transactions?start_date=${DAY}&end_date=${DAY}&page_size=${page_size}`;
      const { meta, results } = await service.envelope(
        `${path}&page_index=${index}`,
        keyOf(vendor),
      );
      found.push(results.length);
      if (meta.pagination?.has_more !== true) break;
    }
    expect(found).toEqual(sizes(SALES, page_size, vendor));
  });

  it('of changes end with the cursor of the ledger, whatever kinds are asked for', async () => {
    const file = await service.get('/ledger/v1/transactions.ndjson', keyOf(vendor));
    const end = file.headers['x-ledger-cursor'];
    for (const [kinds, limit, total] of [
      ['recurring_payment', 50, 100],
      ['transaction', 250, 750],
      ['relationship', 50, 50],
      ['product', 2, 2],
      ['affiliate', 1, 1],
    ] as const) {
      const found: number[] = [];
      let cursor = '0';
      for (let has_more = true; has_more && found.length < 20;) {
        const path = `/ledger/v1/changes?kinds=${kinds}&limit=${limit}&after=${cursor}`;
        const { meta, results } = await service.envelope(path, keyOf(vendor));
        found.push(results.length);
        ({ cursor, has_more } = meta as typeof meta & { cursor: string; has_more: boolean });
      }
      const extra = kinds === 'recurring_payment' || kinds === 'transaction' ? 2 * more : more;
      const isOfVendor = kinds === 'product' || kinds === 'affiliate';
      const last = isOfVendor || extra === 0 ? [] : [extra];
      const full = Array.from({ length: total / limit }, () => limit);
      expect([kinds, found, cursor]).toEqual([kinds, [...full, ...last], end]);
    }
  });

  it.each([
    ['latest-affiliates-transactions', () => affiliateOf(vendor)],
    ['latest-transactions', () => id],
  ])('of %s end with an empty call only', async (feed, userOf) => {
    const key = await service.key(userOf());
    const first = `E-${id}-0`;
    const calls: number[] = [];
    for (let after = first, found = [after]; found.length > 0;) {
      found = await idsAfter(service, `/v2.0/${feed}`, key, after);
      calls.push(found.length);
      after = found.at(-1) ?? '';
    }
    expect(calls).toEqual([100, 99 + more, 0]);
  });

  const list = `/account/reports/transactions?${RANGE}`;
  it.each([
    ['transactions', list, SALES, SHOWN],
    ['filtered transactions', `${list}&status=settled`, SALES, SHOWN],
    ['transactions of a product', `${list}&product=${productOf(vendor)}`, SALES, SHOWN],
    ['found ids', `/account/search?q=E-${id}-&as=vendor`, SALES, SHOWN],
    ['found e-mails', `/account/search?q=full${id}&as=vendor`, SALES, SHOWN],
    ['active subscriptions', '/account/subscriptions?list=active', SHOWN, SHOWN],
    ['canceled subscriptions', '/account/subscriptions?list=canceled', SHOWN, SHOWN],
  ])('on the page of %s', async (_, path, total, size) => {
    const expected = sizes(total, size, vendor);
    expect(await pagesFrom(vendor, path, 'next')).toEqual(expected);
  });

  it('go back to the first page, and no further', async () => {
    for (const path of [list, `${list}&status=settled`, '/account/subscriptions?list=active']) {
      const second = linkIn(await seen(vendor, path), 'next');
      if (second === undefined) continue;
      const back = await pagesFrom(vendor, second, 'prev');
      expect(back.slice(1)).toEqual([SHOWN]);
    }
  });

  it('of affiliates, tracking values and payees have a second page only if they need one', async () => {
    const affiliates = await seen(vendor, `/account/affiliates?${RANGE}`);
    const tracking = await seen(vendor, `/account/tracking?${RANGE}&field=tid`);
    const payees = await seen(vendor, `/account/transactions/E-${id}-0`);
    for (const text of [affiliates, tracking]) {
      expect(linkIn(text, 'next') !== undefined).toBe(more > 0);
      expect(text.includes('Page 1 of 2')).toBe(more > 0);
    }
    expect(payees.includes('The first 100 of 101')).toBe(more > 0);
  });

  it('of payments of a subscription say how many are not shown', async () => {
    const text = await seen(vendor, `/account/subscriptions/ACT-${id}-0`);
    expect(rowsIn(text)).toBe(SHOWN);
    expect(text).toContain('500 or more older, which are not shown.');
  });

  it('are whole in a download', async () => {
    const csv = await seen(vendor, list.replace('?', '.csv?'));
    expect(csv.trimEnd().split('\r\n')).toHaveLength(1 + SALES + more);
    const file = await service.get(
      `/ledger/v1/transactions.ndjson?start_date=2024-01-01&end_date=2024-01-01`,
      keyOf(vendor),
    );
    expect(file.text.trimEnd().split('\n')).toHaveLength(COUNTED + SHOWN + more);
  });
});
