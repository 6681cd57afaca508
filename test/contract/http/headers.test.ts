import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectCommonHeaders } from '../../support/oracles/failure.js';
import { basic, envelopeOf } from '../../support/http/http.js';
import { product, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

const PATHS = {
  success: '/v3.0',
  'wrong parameters': '/v3.0/transactions',
  'an unknown path': '/v3.0/nowhere',
  'malformed percent-encoding': '/v3.0/%zz',
} as const;

let service: TestService;
let key: string;
let suspended: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    user(2),
    user(3, { status: 'suspended' }),
    product(10, 1),
    product(20, 2),
  ]);
  key = await service.key(1);
  suspended = await service.key(3);
});
afterAll(() => service.stop());

describe('the version of an answer', () => {
  it.each([
    ['/v3.0', '3.0'],
    ['/v3.0/', '3.0'],
    ['/v3.0/transactions', '3.0'],
    ['/v3.0/nowhere', '3.0'],
    ['/v2.1', '2.1'],
    ['/v2.1/', '2.1'],
    ['/v2.1?x=1', '2.1'],
    ['/v2.1/nowhere', '2.1'],
    ['/v2.0', '2.0'],
    ['/v2.0/nowhere', '2.0'],
    ['/v2.0/v2.1/nowhere', '2.0'],
    ['/v2.10/nowhere', '3.0'],
    ['/v2.1nowhere', '3.0'],
    ['/v2x1/nowhere', '3.0'],
    ['/v9.9', '3.0'],
    ['/v9.9/nowhere', '3.0'],
    ['/nowhere/v2.1/', '3.0'],
    ['/nowhere?/v2.1/', '3.0'],
    ['/', '3.0'],
  ])('at %s is %s, with a key and without', async (path, version) => {
    const answers = await Promise.all([service.get(path, key), service.send({ path })]);
    for (const answer of answers) {
      expectCommonHeaders(answer, version);
      expect(envelopeOf(answer).meta.api_version).toBe(version);
    }
  });
});

describe('X-Ignored-Parameters', () => {
  const RANGE = 'start_date=2025-06-01&end_date=2025-06-01';
  const LIST = `/v3.0/transactions?${RANGE}`;
  const told = async (path: string, of?: string) => {
    const headers = of === undefined ? {} : basic(of);
    return (await service.send({ path, headers })).headers['x-ignored-parameters'];
  };

  it.each([
    ['page, limit and per_page', '&page=2&limit=10&per_page=5', 'page, limit, per_page'],
    ['one that is mistyped', '&page_sise=5', 'page_sise'],
    ['another case', '&PAGE_SIZE=5', 'PAGE_SIZE'],
    ['one that is known, and one that is not', '&page_size=5&x', 'x'],
    ['one that comes again, once', '&b=1&a=2&b=3', 'b, a'],
    ['brackets', '&page_size[]=5', 'page_size%5B%5D'],
    ['names of every object', '&__proto__=1&constructor=2', '__proto__, constructor'],
    ['a line break', '&a%0d%0aX-Injected:%201=1', 'a%0D%0AX-Injected%3A%201'],
    ['commas and spaces', '&a,%20b=1', 'a%2C%20b'],
    ['letters beyond ASCII', '&pr%C3%A9cis%F0%9F%94%91=1', 'pr%C3%A9cis%F0%9F%94%91'],
    ['40 characters', `&${'x'.repeat(40)}`, 'x'.repeat(40)],
    ['no name of 41 characters, which may be a key', `&a&${'x'.repeat(41)}`, 'a, ...'],
    ['10 names', '&a&b&c&d&e&f&g&h&i&j', 'a, b, c, d, e, f, g, h, i, j'],
    ['11 names', '&a&b&c&d&e&f&g&h&i&j&k', 'a, b, c, d, e, f, g, h, i, j, ...'],
  ])('names %s', async (_, query, named) => {
    expect(await told(LIST + query, key)).toBe(named);
  });

  it('stays short for the longest URL', async () => {
    const names = Array.from({ length: 900 }, (_, at) => `${at}%F0%9F%94%91%F0%9F%94%91`);
    const value = String(await told(`${LIST}&${names.join('&')}`, key));
    expect(value.length).toBeLessThan(8_192);
    expect(value).toMatch(/^[\x21-\x7e ]+$/);
  });

  it.each([
    ['a success', '/v3.0?page=1', 200],
    ['a list without what it needs', '/v3.0/transactions?page=1', 400],
    ['what there is none of', '/v3.0/transactions/none?page=1', 404],
    ['a feed', '/v2.0/latest-transactions/none?page=1', 200],
    ['another vendor’s product', '/v2.1/affiliatestats/1/products/20?page=1', 403],
  ])('is in the answer to GET and to HEAD: %s', async (_, path, status) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await service.send({ method, path, headers: basic(key) });
      expect(answer.status).toBe(status);
      expect(answer.headers['x-ignored-parameters']).toBe('page');
    }
  });

  it('names what only another operation at such a path knows', async () => {
    const known = '&page_size=5';
    for (let asked = 0; asked < 2; asked += 1) {
      expect(await told(LIST + known, key)).toBeUndefined();
      const names = await told(`/v3.0/transactions/A?${RANGE}${known}`, key);
      expect(names).toBe('start_date, end_date, page_size');
    }
  });

  it('is in the answer to a request without a key, with a wrong one, or without access', async () => {
    const path = `${LIST}&page=1`;
    for (const sent of [undefined, 'no-such-key', suspended]) {
      expect(await told(path, sent)).toBe('page');
    }
  });

  it('is in the answer to a write', async () => {
    const answer = await service.put('/v2.1/affiliates/1/products/10?page=1', key, {});
    expect(answer.status).toBe(400);
    expect(answer.headers['x-ignored-parameters']).toBe('page');
  });

  it.each([
    ['there is no other parameter', LIST],
    ['there is none at all', '/v3.0?'],
    ['the path is unknown', '/v3.0/nowhere?page=1'],
    ['the address can not be read', '/v3.0?page=%zz'],
    ['a parameter has no name', '/v3.0?=1&&='],
  ])('is absent if %s', async (_, path) => {
    expect(await told(path, key)).toBeUndefined();
  });
});

describe('X-Request-Id', () => {
  it.each(['a', '0', '-', '.', '_', 'A-z.0_9', 'x'.repeat(128), crypto.randomUUID()])(
    'is kept: %s',
    async (id) => {
      const { headers } = await service.get('/v3.0', key, { 'X-Request-Id': id });
      expect(headers['x-request-id']).toBe(id);
    },
  );

  it.each([
    ['of 129 characters', 'x'.repeat(129)],
    ['of 10,000 characters', 'x'.repeat(10_000)],
    ['that is empty', ''],
    ['with a space', 'a b'],
    ['with a comma', 'a,b'],
    ['with a slash', 'a/b'],
    ['with a letter beyond ASCII', 'a\u00e9'],
    ['with markup', '<script>'],
    ['with a tab', 'a\tb'],
    ['that is given twice', ['first', 'second']],
  ])('is generated in place of one %s', async (_, id) => {
    const { headers } = await service.send({
      path: '/v3.0',
      headers: { ...basic(key), 'X-Request-Id': id },
    });
    expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect([id].flat()).not.toContain(headers['x-request-id']);
  });

  it('is different for each request without one', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.get('/v3.0', key)));
    expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(20);
  });

  it.each(Object.entries(PATHS))('is kept in every answer: %s', async (_, path) => {
    const answer = await service.get(path, key, { 'X-Request-Id': 'kept' });
    expect(answer.headers['x-request-id']).toBe('kept');
  });

  it('is kept in an answer to a request without a key', async () => {
    const answer = await service.send({ path: '/v3.0', headers: { 'X-Request-Id': 'kept' } });
    expect(answer.headers['x-request-id']).toBe('kept');
  });
});

describe('the media type of every answer is JSON in UTF-8', () => {
  it.each(
    Object.values(PATHS).flatMap((path) =>
      ['text/html', 'application/xml', ''].map((accept) => ({ path, accept })),
    ),
  )('$path, Accept: $accept', async ({ path, accept }) => {
    expectCommonHeaders(await service.get(path, key, { Accept: accept }));
  });

  it.each(Object.values(PATHS))('and reveals no server software: %s', async (path) => {
    const { headers } = await service.get(path, key);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });
});

describe('the headers for browsers and caches', () => {
  const EXPECTED = {
    'cache-control': 'private, no-store',
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
  };

  it.each(Object.entries(PATHS))('are in the answer to %s', async (_, path) => {
    const { headers } = await service.get(path, key);
    expect(headers).toMatchObject(EXPECTED);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });

  it('are in a 304 too', async () => {
    const path = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-01-31';
    const { headers } = await service.get(path, key);
    const unchanged = await service.get(path, key, { 'If-None-Match': String(headers.etag) });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers).toMatchObject(EXPECTED);
  });
});
