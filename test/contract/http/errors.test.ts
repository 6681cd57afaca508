import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic } from '../../support/http/http.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

const RANGE = 'start_date=2025-06-01&end_date=2025-06-01';

let service: TestService;
let key: string;
let suspended: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), user(2, { status: 'suspended' })]);
  key = await service.key(1);
  suspended = await service.key(2);
});
afterAll(() => service.stop());

describe('malformed percent-encoding is 4000', () => {
  it.each([
    '%',
    '%2',
    '%zz',
    '%%',
    'a%',
    '%u0041',
    '%-1',
    '% 1',
    '%FF',
    '%C3',
    '%C3%28',
    '%ED%A0%80',
    '%C0%AF',
    '%F8%88%80%80%80',
    '%F4%90%80%80',
  ])('in a path: %s', async (part) => {
    const path = part.replaceAll(' ', '+');
    expectFailure(await service.get(`/v3.0/transactions/${path}`, key), 4000);
    expectFailure(await service.get(`/${path}`, key), 4000);
  });

  it.each([
    `${RANGE}&x=%`,
    `${RANGE}&x=%zz`,
    `${RANGE}&%zz=1`,
    `${RANGE}&page_size=%2`,
    `${RANGE}&page_size=5%FF`,
    'start_date=%C3%28&end_date=2025-06-01',
    '%',
  ])('in a query: %s', async (query) => {
    expectFailure(await service.get(`/v3.0/transactions?${query}`, key), 4000);
  });

  it.each([
    ['/v2.1/%zz', '2.1'],
    ['/v2.0/x?%zz', '2.0'],
    ['/v9.9/%zz', '3.0'],
  ])('and is answered by the version of the path: %s by %s', async (path, version) => {
    expectFailure(await service.get(path, key), 4000, version);
  });

  const UNREADABLE = ['/v3.0/transactions/%zz', '/v3.0/%', '/v3.0/transactions?x=%FF', '/%zz'];

  it.each(UNREADABLE)('is checked after the key and the account: %s', async (path) => {
    expectFailure(await service.send({ path }), 4010);
    expectFailure(await service.get(path, 'no-such-key'), 4011);
    expectFailure(await service.get(path, suspended), 4030);
    for (const method of ['HEAD', 'PUT', 'POST']) {
      expect((await service.send({ method, path })).status).toBe(401);
      expect((await service.send({ method, path, headers: basic(key) })).status).toBe(400);
    }
  });
});

describe('detail', () => {
  it.each([
    ['/v3.0/transactions?start_date=<b>&end_date=SECRET', 4001],
    ['/v3.0/transactions/SECRET', 4040],
    ['/SECRET', 4040],
    ['/SECRET%zz', 4000],
  ] as const)('does not repeat what was sent: %s', async (path, code) => {
    expect(expectFailure(await service.get(path, key), code)).not.toMatch(/SECRET|<b>/);
  });
});
