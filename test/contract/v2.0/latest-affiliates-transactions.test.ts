import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectUnknownPaykey, idsAfter, walk } from '../../support/http/feeds.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

const FEED = '/v2.0/latest-affiliates-transactions';
const VENDORS = [1, 2, 3];
const [SELLER, OTHER_SELLER, OLD_SELLER, SELF] = [100, 101, 102, 103];
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
const START = Date.now();
const SALES = 310;
const PLACES = Array.from({ length: SALES }, (_, place) => place);

function ago(milliseconds: number): string {
  return new Date(START - milliseconds).toISOString();
}

/** A few seconds of the last weeks, so that sales of all vendors have the same age. */
const AGES = [60 * DAY_MS, 30 * DAY_MS, 30 * DAY_MS - 1_000, DAY_MS];
const ageOf = (place: number) => AGES[(place * 7) % AGES.length] ?? 0;
const vendorAt = (place: number) => VENDORS[place % VENDORS.length] ?? 0;
/** The order is by age, oldest first, then by vendor, then by arrival. */
const IN_ORDER = [...PLACES]
  .sort(
    (left, right) => ageOf(right) - ageOf(left) || vendorAt(left) - vendorAt(right) || left - right,
  )
  .map((place) => `sale-${place}`);

/** The order is oldest first. No age is so near to the 90 days that a slow test moves it. */
const OLD_SALES = [
  ['years', 2_000 * DAY_MS],
  ['months', 91 * DAY_MS],
  ['just-outside', 90 * DAY_MS + 2_000],
  ['just-inside', 90 * DAY_MS - 10 * MINUTE_MS],
  ['recent', DAY_MS],
] as const;
const OLD_IDS = OLD_SALES.map(([id]) => id);

let service: TestService;
let keys: Record<'seller' | 'other' | 'old' | 'self' | 'vendor', string>;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    ...[...VENDORS, SELLER, OTHER_SELLER, OLD_SELLER, SELF].map((id) => user(id)),
    ...VENDORS.map((id) => product(id * 10, id)),
    product(SELF, SELF),
    ...PLACES.flatMap((place) => {
      const product_id = vendorAt(place) * 10;
      const sale_date = ago(ageOf(place));
      return [
        transaction(`sale-${place}`, product_id, { sale_date, affiliate_id: SELLER }),
        transaction(`other-${place}`, product_id, { sale_date, affiliate_id: OTHER_SELLER }),
        transaction(`direct-${place}`, product_id, { sale_date }),
      ];
    }),
    ...OLD_SALES.map(([id, age]) =>
      transaction(id, 10, { sale_date: ago(age), affiliate_id: OLD_SELLER }),
    ),
    transaction('own-product', SELF, { sale_date: ago(DAY_MS), affiliate_id: SELF }),
    transaction('own-direct', SELF, { sale_date: ago(DAY_MS) }),
  ]);
  keys = {
    seller: await service.key(SELLER),
    other: await service.key(OTHER_SELLER),
    old: await service.key(OLD_SELLER),
    self: await service.key(SELF),
    vendor: await service.key(VENDORS[0] ?? 0),
  };
});
afterAll(() => service.stop());

describe('GET /v2.0/latest-affiliates-transactions', () => {
  it('begins with the oldest 100 that the caller sold, of all vendors, ties by vendor and arrival', async () => {
    expect(await idsAfter(service, FEED, keys.seller)).toEqual(IN_ORDER.slice(0, 100));
  });

  it('visits every transaction of the caller once, in order, walked by the last one', async () => {
    const calls = await walk(service, FEED, keys.seller);
    expect(calls.map((ids) => ids.length)).toEqual([100, 100, 100, 10, 0]);
    expect(calls.flat()).toEqual(IN_ORDER);
  });

  it.each([0, 1, 76, 77, 78, 99, 100, 209, 308, 309])(
    'gives what comes after the transaction at place %i, and not itself',
    async (place) => {
      const after = await idsAfter(service, FEED, keys.seller, IN_ORDER[place]);
      expect(after).toEqual(IN_ORDER.slice(place + 1, place + 101));
    },
  );

  it('begins 90 days before now without a paykey', async () => {
    expect(await idsAfter(service, FEED, keys.old)).toEqual(['just-inside', 'recent']);
  });

  it.each(OLD_IDS)('goes on after a paykey of the caller wherever it lies: %s', async (id) => {
    const after = await idsAfter(service, FEED, keys.old, id);
    expect(after).toEqual(OLD_IDS.slice(OLD_IDS.indexOf(id) + 1));
  });

  it('leaves out what a vendor sold without an affiliate, and what others sold for it', async () => {
    expect(await idsAfter(service, FEED, keys.vendor)).toEqual([]);
    expect(await idsAfter(service, FEED, keys.self)).toEqual(['own-product']);
  });

  it.each([
    ['an unknown one', 'seller', 'none'],
    ["another affiliate's", 'seller', 'other-0'],
    ["another affiliate's, older than 90 days", 'seller', 'years'],
    ['a sale without an affiliate', 'seller', 'direct-0'],
    ["the caller's as a vendor, sold by an affiliate", 'vendor', 'sale-0'],
    ["the caller's as a vendor, sold without one", 'vendor', 'direct-0'],
    ["the caller's as a vendor, who is an affiliate as well", 'self', 'own-direct'],
    ['one in another case', 'seller', 'SALE-0'],
    ['one with a space behind', 'seller', 'sale-0%20'],
    ['what a script sends for nothing', 'seller', 'undefined'],
    ['one that is too long', 'old', 'x'.repeat(300)],
    ['a line break', 'old', '%0d%0aX-Injected:1'],
  ] as const)(
    'begins 90 days ago from a paykey that is none of this feed: %s',
    async (_, who, id) => {
      await expectUnknownPaykey(service, FEED, keys[who], id);
    },
  );

  it('says nothing of a paykey that it knows, nor of none', async () => {
    for (const path of ['/sale-0', '/', '']) {
      const answer = await service.get(FEED + path, keys.seller);
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('x-paykey');
    }
  });

  it('loses a transaction that comes again with another affiliate, and its paykey', async () => {
    const sale = { sale_date: ago(DAY_MS) };
    const [before, after] = [200, 201];
    await service.import([
      user(before),
      user(after),
      transaction('moving', 10, { ...sale, affiliate_id: before }),
    ]);
    const [old, young] = [await service.key(before), await service.key(after)];
    expect(await idsAfter(service, FEED, old)).toEqual(['moving']);
    await service.import([transaction('moving', 10, { ...sale, affiliate_id: after })]);
    expect(await idsAfter(service, FEED, old)).toEqual([]);
    await expectUnknownPaykey(service, FEED, old, 'moving');
    expect(await idsAfter(service, FEED, young)).toEqual(['moving']);
  });
});
