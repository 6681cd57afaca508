import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic, type Answer } from '../../support/http/http.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, OTHER_VENDOR, AFFILIATE] = [1, 2, 3];
const IDS = [
  'a/b',
  '/',
  'tail/',
  'a//b',
  'a%b',
  '%2F',
  '%25',
  'a?b',
  'a#b',
  'a+b',
  'a"b',
  "a'b",
  "'--",
  'a&b=c',
  'a;b',
  'a\\b',
  ':id',
  '{id}',
  '*',
  '..',
  '.',
  '__proto__',
  'PAY-1',
  '~',
  '<b>',
  'x'.repeat(64),
];

let service: TestService;
let keys: Record<'vendor' | 'other' | 'affiliate', string>;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR),
    user(OTHER_VENDOR),
    user(AFFILIATE),
    product(10, VENDOR),
    product(20, OTHER_VENDOR),
    product(30, AFFILIATE),
    transaction('Mine', 10, { affiliate_id: AFFILIATE }),
    ...IDS.map((id) => transaction(id, 10)),
    transaction('its-own', 30),
    transaction('another', 20),
  ]);
  keys = {
    vendor: await service.key(VENDOR),
    other: await service.key(OTHER_VENDOR),
    affiliate: await service.key(AFFILIATE),
  };
});
afterAll(() => service.stop());

/** Returns all parts of an answer that must not differ. */
function told({ status, headers, text }: Answer) {
  const alike = Object.entries(headers).filter(([name]) => !/^(?:x-request-id|date)$/.test(name));
  return { status, headers: Object.fromEntries(alike), text };
}

describe('who may read a transaction', () => {
  it('is its vendor', async () => {
    expect((await service.get('/v3.0/transactions/Mine', keys.vendor)).status).toBe(200);
  });

  it.each(['other', 'affiliate'] as const)(
    'is not the %s: the answer is the one for a transaction that does not exist, byte for byte',
    async (who) => {
      const foreign = await service.get('/v3.0/transactions/Mine', keys[who]);
      const unknown = await service.get('/v3.0/transactions/None', keys[who]);
      expectFailure(foreign, 4040);
      expect(told(foreign)).toEqual(told(unknown));
      expect(foreign.headers['x-request-id']).not.toBe(unknown.headers['x-request-id']);
    },
  );

  it('is told the same by HEAD', async () => {
    const [foreign, unknown] = await Promise.all(
      ['Mine', 'None'].map((id) =>
        service.send({
          method: 'HEAD',
          path: `/v3.0/transactions/${id}`,
          headers: basic(keys.other),
        }),
      ),
    );
    if (foreign === undefined || unknown === undefined) throw new Error('two were asked for');
    expect(foreign.status).toBe(404);
    expect(told(foreign)).toEqual(told(unknown));
  });

  it("is not anyone through a list either: each vendor's holds its own only", async () => {
    const list = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-12-31';
    const other = await service.envelope(list, keys.other);
    const affiliate = await service.envelope(list, keys.affiliate);
    expect(other.results.map((item) => item.transaction_id)).toEqual(['another']);
    expect(affiliate.results.map((item) => item.transaction_id)).toEqual(['its-own']);
  });
});

describe('the transaction_id of a path', () => {
  it.each(IDS)('finds %s, percent-encoded', async (id) => {
    const path = `/v3.0/transactions/${encodeURIComponent(id)}`;
    const { results } = await service.envelope(path, keys.vendor);
    expect(results).toMatchObject([{ transaction_id: id }]);
  });

  it.each(IDS)('finds %s with every character percent-encoded', async (id) => {
    const encoded = Array.from(Buffer.from(id), (byte) => `%${byte.toString(16).padStart(2, '0')}`);
    const { results } = await service.envelope(
      `/v3.0/transactions/${encoded.join('')}`,
      keys.vendor,
    );
    expect(results).toMatchObject([{ transaction_id: id }]);
  });

  it.each(['a+b', "a'b", '..', '.', 'a&b=c', 'a;b', '*', '~'])(
    'finds %s as it is, for a path may hold it',
    async (id) => {
      const { results } = await service.envelope(`/v3.0/transactions/${id}`, keys.vendor);
      expect(results).toMatchObject([{ transaction_id: id }]);
    },
  );

  it.each([
    ['other letter case', 'mine'],
    ['other letter case', 'MINE'],
    ['a trailing space', 'Mine%20'],
    ['a leading space', '%20Mine'],
    ['a trailing tab', 'Mine%09'],
    ['a trailing NUL', 'Mine%00'],
    ['a NUL and more', 'Mine%00x'],
    ['a trailing line feed', 'Mine%0A'],
    ['a full-width letter', '%EF%BC%ADine'],
    ['an accent', 'M%C3%ADne'],
    ['a wildcard', 'Min%25'],
    ['a wildcard', 'Min_'],
    ['a part of it', 'Min'],
    ['more than it', 'Mine1'],
    ['SQL', "Mine'%20OR%20'1'='1"],
    ['a slash encoded twice', 'a%252Fb'],
    ['a space in place of the plus', 'a%20b'],
    ['65 characters', 'x'.repeat(65)],
    ['10,000 characters', 'x'.repeat(10_000)],
  ])('is compared byte for byte: 4040 for %s: %.20s', async (_, path) => {
    expectFailure(await service.get(`/v3.0/transactions/${path}`, keys.vendor), 4040);
  });
});
