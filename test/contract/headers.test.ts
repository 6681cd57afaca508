import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectCommonHeaders } from '../support/failure.js';
import { basic, envelopeOf } from '../support/http.js';
import { user } from '../support/ledger-records.js';
import { TestService } from '../support/service.js';

const PATHS = {
  success: '/v3.0',
  'wrong parameters': '/v3.0/transactions',
  'an unknown path': '/v3.0/nowhere',
  'malformed percent-encoding': '/v3.0/%zz',
} as const;

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1)]);
  key = await service.key(1);
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
  ])('is made anew in place of one %s', async (_, id) => {
    const { headers } = await service.send({
      path: '/v3.0',
      headers: { ...basic(key), 'X-Request-Id': id },
    });
    expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect([id].flat()).not.toContain(headers['x-request-id']);
  });

  it('is another one for each request without one', async () => {
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

  it.each(Object.values(PATHS))('and tells nothing of what serves: %s', async (path) => {
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

  it.each(Object.entries(PATHS))('stand on the answer to %s', async (_, path) => {
    const { headers } = await service.get(path, key);
    expect(headers).toMatchObject(EXPECTED);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
  });

  it('stand on 304, too', async () => {
    const path = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-01-31';
    const { headers } = await service.get(path, key);
    const unchanged = await service.get(path, key, { 'If-None-Match': String(headers.etag) });
    expect(unchanged.status).toBe(304);
    expect(unchanged.headers).toMatchObject(EXPECTED);
  });
});
