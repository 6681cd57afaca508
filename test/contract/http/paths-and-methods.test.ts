import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectCommonHeaders, expectFailure } from '../../support/oracles/failure.js';
import { basic, envelopeOf, type Answer } from '../../support/http/http.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

const QUERY = '?start_date=2025-06-01&end_date=2025-06-01';
const LIST = '/v3.0/transactions';
const SINGLE = '/v3.0/transactions/one';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start({}, []);
  await service.import([user(1), product(10, 1), transaction('one', 10)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

function ask(method: string, path: string): Promise<Answer> {
  return service.send({ method, path, headers: basic(key) });
}

describe('a known path with another method', () => {
  it.each(
    [LIST, `${LIST}/`, SINGLE, `${LIST}/none`, '/v3.0', '/v3.0/'].flatMap((path) =>
      ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'].map((method) => ({ method, path })),
    ),
  )('is 4050 with the methods in Allow: $method $path', async ({ method, path }) => {
    const answer = await ask(method, path);
    expectFailure(answer, 4050);
    expect(answer.headers.allow?.split(', ').sort()).toEqual(['GET', 'HEAD']);
  });

  it('is 4050 whatever its body', async () => {
    const headers = { ...basic(key), 'Content-Type': 'application/json' };
    expectFailure(
      await service.send({ method: 'POST', path: LIST, headers, body: '{"a":1}' }),
      4050,
    );
  });
});

describe('an unknown path', () => {
  it.each([
    '/',
    '//',
    '/v3.0x',
    '/v3',
    '/v3.1',
    '/v9.9',
    '/V3.0/transactions',
    '/v3.0/Transactions',
    '/v3.0/transaction',
    '/v3.0/transactions/one/more',
    '/transactions',
    '//v3.0/transactions',
    '/v3.0//transactions',
    '/index.html',
    '/favicon.png',
    '/v3.0/transactions%2Fone',
    '/%2e%2e/etc/passwd',
    '/v3.0/__proto__',
    '/constructor',
    "/'--",
    '/v3.0/transactions%00',
    `/${'x'.repeat(10_000)}`,
  ])('is 4040: %.40s', async (path) => {
    expectFailure(await service.get(path, key), 4040);
  });

  it.each(
    ['/v3.0/nowhere', '/nowhere', '/'].flatMap((path) =>
      ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'].map((method) => ({ method, path })),
    ),
  )('is 4040 for another method as well, without Allow: $method $path', async (request) => {
    const answer = await ask(request.method, request.path);
    expectFailure(answer, 4040);
    expect(answer.headers).not.toHaveProperty('allow');
  });
});

describe('HEAD', () => {
  it.each([
    ['the list', LIST + QUERY],
    ['a transaction', SINGLE],
    ['a version', '/v3.0'],
    ['wrong parameters', LIST],
    ['an unknown transaction', `${LIST}/none`],
    ['an unknown path', '/nowhere'],
    ['a path that can not be read', '/%zz'],
  ])('answers as GET does, without the body: %s', async (_, path) => {
    const headers = { ...basic(key), 'X-Request-Id': 'the-same' };
    const [got, head] = await Promise.all([
      service.send({ path, headers }),
      service.send({ method: 'HEAD', path, headers }),
    ]);
    expect(head.text).toBe('');
    expect(head.status).toBe(got.status);
    expect({ ...head.headers, date: '' }).toEqual({ ...got.headers, date: '' });
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(got.text)));
  });

  it('without a key is 401 with the challenge', async () => {
    const answer = await service.send({ method: 'HEAD', path: LIST });
    expect(answer).toMatchObject({ status: 401, text: '' });
    expect(answer.headers['www-authenticate']).toMatch(/^Basic\b/);
    expectCommonHeaders(answer);
  });
});

describe('a trailing slash', () => {
  it.each([
    [`${LIST}${QUERY}`, `${LIST}/${QUERY}`],
    [`${LIST}${QUERY}`, `${LIST}//${QUERY}`],
    [SINGLE, `${SINGLE}/`],
    [SINGLE, `${SINGLE}//`],
    ['/v3.0', '/v3.0/'],
    ['/v3.0', '/v3.0//'],
  ])('%s answers the same as %s', async (plain, slashed) => {
    const expected = await service.get(plain, key);
    const answer = await service.get(slashed, key);
    expect(answer.status).toBe(200);
    expect(answer.text).toBe(expected.text);
  });

  it('in the value of a parameter is kept', async () => {
    expectFailure(await service.get(`${LIST}${QUERY}/`, key), 4001);
  });
});

describe('GET /v3.0', () => {
  it('returns the version, its status and its operations', async () => {
    const answer = await service.get('/v3.0', key);
    expectCommonHeaders(answer);
    expect(envelopeOf(answer)).toEqual({
      meta: {
        status: { http_status_code: 200, code: 2000, message: 'Success', detail: null },
        results_count: 1,
        api_version: '3.0',
      },
      results: [
        {
          version: '3.0',
          status: 'current',
          operations: [
            { method: 'GET', path: '/v3.0/transactions' },
            { method: 'GET', path: '/v3.0/transactions/{transaction_id}' },
          ],
        },
      ],
    });
  });
});
