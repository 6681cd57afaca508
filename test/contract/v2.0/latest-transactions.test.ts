import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { expectUnknownPaykey, idsAfter, walk } from '../../support/http/feeds.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { ODD_KEYS, unknownKeysLike } from '../../support/builders/odd-keys.js';
import { TestService } from '../../support/servers/service.js';

const FEED = '/v2.0/latest-transactions';
const [VENDOR, OTHER_VENDOR, AFFILIATE, ODD_VENDOR, HUNDRED] = [1, 2, 3, 4, 5];
const SALES = 320;
/**
 * There are few seconds, so that many sales have the same age, in another order than their arrival.
 */
const SECONDS = ['1999-12-31T23:59:59', '2000-01-01T00:00:00', '2025-06-01T12:00:00'];
const dateOf = (place: number) => `${SECONDS[(place * 7) % SECONDS.length] ?? ''}Z`;
const PLACES = Array.from({ length: SALES }, (_, place) => place);
/** The order is by sale date, then by arrival. */
const IN_ORDER = [...PLACES]
  .sort((left, right) => {
    const [before, after] = [dateOf(left), dateOf(right)];
    return before === after ? left - right : before < after ? -1 : 1;
  })
  .map((place) => `sale-${place}`);

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    ...[VENDOR, OTHER_VENDOR, AFFILIATE, ODD_VENDOR, HUNDRED].map((id) => user(id)),
    product(10, VENDOR),
    product(11, VENDOR),
    product(20, OTHER_VENDOR),
    product(40, ODD_VENDOR),
    product(50, HUNDRED),
    ...PLACES.flatMap((place) => [
      transaction(`sale-${place}`, 10 + (place % 2), {
        sale_date: dateOf(place),
        ...(place % 3 === 0 ? { affiliate_id: AFFILIATE } : {}),
      }),
      transaction(`other-${place}`, 20, { sale_date: dateOf(place) }),
    ]),
    ...ODD_KEYS.map((id) => transaction(id, 40)),
    ...Array.from({ length: 100 }, (_, place) => transaction(`hundred-${place}`, 50)),
  ]);
  key = await service.key(VENDOR);
});
afterAll(() => service.stop());

describe('GET /v2.0/latest-transactions', () => {
  it('begins with the oldest 100, by sale date and then by arrival', async () => {
    expect(await idsAfter(service, FEED, key)).toEqual(IN_ORDER.slice(0, 100));
  });

  it('visits every transaction of the vendor once, in order, walked by the last one', async () => {
    const calls = await walk(service, FEED, key);
    expect(calls.map((ids) => ids.length)).toEqual([100, 100, 100, 20, 0]);
    expect(calls.flat()).toEqual(IN_ORDER);
  });

  it.each([0, 1, 99, 100, 106, 107, 108, 219, 220, 221, 318, 319])(
    'gives what comes after the transaction at place %i, and not itself',
    async (place) => {
      const after = await idsAfter(service, FEED, key, IN_ORDER[place]);
      expect(after).toEqual(IN_ORDER.slice(place + 1, place + 101));
    },
  );

  it('ends after exactly 100 with an empty list', async () => {
    const calls = await walk(service, FEED, await service.key(HUNDRED));
    expect(calls.map((ids) => ids.length)).toEqual([100, 0]);
  });

  it('goes on after any paykey, percent-encoded where it has to be', async () => {
    const odd = await service.key(ODD_VENDOR);
    expect((await walk(service, FEED, odd)).flat()).toEqual(ODD_KEYS);
    for (const [place, id] of ODD_KEYS.entries()) {
      expect(await idsAfter(service, FEED, odd, id)).toEqual(ODD_KEYS.slice(place + 1));
    }
  });

  it.each([...unknownKeysLike('sale-0'), 'none', 'undefined', 'null', '0', '-1'])(
    'begins anew from a paykey that is none of this feed, and says so: %j',
    async (id) => {
      await expectUnknownPaykey(service, FEED, key, encodeURIComponent(id));
    },
  );

  it.each(['%73ale-0%20', '%00', '%0d%0aX-Injected:1', 'undefined/', '%F0%9F%94%91//'])(
    'does so however the paykey is written: %s',
    async (written) => {
      await expectUnknownPaykey(service, FEED, key, written);
    },
  );

  it("begins anew from another vendor's paykey, and from one of the caller's as an affiliate", async () => {
    await expectUnknownPaykey(service, FEED, key, 'other-1');
    await expectUnknownPaykey(service, FEED, await service.key(AFFILIATE), 'sale-0');
  });

  it('says nothing of a paykey that it knows, however written, nor of none', async () => {
    for (const path of ['/sale-0', '/%73ale-0', '/sale-0/', '/', '']) {
      const answer = await service.get(FEED + path, key);
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty('x-paykey');
    }
    expectFailure(await service.get(`${FEED}/sale-0/more`, key), 4040, '2.0');
  });

  it('keeps to the header where nothing changed, until the paykey is known', async () => {
    const vendor = 62;
    await service.import([user(vendor), product(vendor, vendor), transaction('there', vendor)]);
    const own = await service.key(vendor);
    const path = `${FEED}/expected`;
    const [unknown, whole] = [await service.get(path, own), await service.get(FEED, own)];
    expect(unknown.headers.etag).not.toBe(whole.headers.etag);
    const known = { 'If-None-Match': `${unknown.headers.etag ?? ''}, ${whole.headers.etag ?? ''}` };
    const again = await service.get(path, own, known);
    expect({ status: again.status, etag: again.headers.etag }).toEqual({
      status: 304,
      etag: unknown.headers.etag,
    });
    expect(again.headers['x-paykey']).toBe('unknown');
    const wholeAgain = await service.get(FEED, own, known);
    expect(wholeAgain.status).toBe(304);
    expect(wholeAgain.headers.etag).toBe(whole.headers.etag);
    expect(wholeAgain.headers).not.toHaveProperty('x-paykey');
    await service.import([transaction('expected', vendor), transaction('behind', vendor)]);
    const later = await service.get(path, own, known);
    expect(later.status).toBe(200);
    expect(later.headers).not.toHaveProperty('x-paykey');
    expect(await idsAfter(service, FEED, own, 'expected')).toEqual(['behind']);
  });
});

describe('the feed while the ledger grows', () => {
  it('keeps the place of a transaction that comes again, and moves it with its sale date', async () => {
    const vendor = 60;
    const records = (changes: Readonly<Record<string, unknown>>) =>
      transaction('again', vendor, changes);
    await service.import([
      user(vendor),
      product(vendor, vendor),
      transaction('first', vendor),
      records({}),
      transaction('last', vendor),
    ]);
    const own = await service.key(vendor);
    const taken = refund('2025-06-03T00:00:00Z');
    await service.import([records({ status: 'refunded', refund: taken })]);
    expect(await idsAfter(service, FEED, own)).toEqual(['first', 'again', 'last']);
    await service.import([records({ sale_date: '2025-06-01T12:00:01Z' })]);
    expect(await idsAfter(service, FEED, own)).toEqual(['first', 'last', 'again']);
    await service.import([records({})]);
    expect(await idsAfter(service, FEED, own)).toEqual(['first', 'again', 'last']);
  });

  it('shows what arrives later behind the last one, in the same second too', async () => {
    const vendor = 61;
    await service.import([user(vendor), product(vendor, vendor), transaction('early', vendor)]);
    const own = await service.key(vendor);
    expect(await idsAfter(service, FEED, own, 'early')).toEqual([]);
    await service.import([transaction('late', vendor), transaction('later', vendor)]);
    expect(await idsAfter(service, FEED, own, 'early')).toEqual(['late', 'later']);
  });
});
