import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { commandsOfPage, filesOfPage } from '../../../scripts/page-files.mjs';
import type { Extension } from '../../../src/extension.js';
import { redirectTo } from '../../../src/platform/pages/page-answer.js';
import type { PageRoutes, Pages } from '../../../src/platform/pages/page-router.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic } from '../../support/http/http.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { loadPageModule } from '../../support/docs/page-module.js';
import { TestService } from '../../support/servers/service.js';

const PATH = '/v3.0/products/10/payouts';
const READ = `${PATH}?year=2025`;

@Injectable()
class GoalPages implements Pages {
  addTo(routes: PageRoutes): void {
    routes.get('/goals', () => redirectTo('/account'));
  }
}

const PAGES: Extension['pages'] = {
  goals: {
    path: '/account/goals',
    permission: 'account',
    load: () => Promise.resolve(GoalPages),
  },
};

let payouts: Extension;
let service: TestService;
let key: string;
beforeAll(async () => {
  payouts = await loadPageModule();
  service = await TestService.start({ THROTTLE_LIMITS: '100000/1h' }, [
    { ...payouts, pages: PAGES },
  ]);
  await service.import([
    user(1),
    user(2),
    user(3, { status: 'suspended' }),
    product(10, 1),
    product(20, 2),
    transaction('A', 10, { sale_date: '2025-06-30T23:59:59Z' }),
    transaction('B', 10, { sale_date: '2025-07-01T00:00:00Z' }),
    transaction('C', 10, { sale_date: '2025-07-15T12:00:00Z' }),
    transaction('D', 20, { sale_date: '2025-07-15T12:00:00Z' }),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

describe('The module of docs/adding-a-module.md, added to the service', () => {
  it('answers in the envelope, over its own table and the ledger', async () => {
    expect((await service.put(`${PATH}/2025-07`, key, { goal: '1000' })).status).toBe(200);
    const { meta, results } = await service.envelope(READ, key);
    expect(meta).toMatchObject({ results_count: 2, api_version: '3.0', status: { code: 2000 } });
    expect(results).toEqual([
      { month: '2025-06', seller_earnings: '40.00', goal: null },
      { month: '2025-07', seller_earnings: '80.00', goal: '1000.00' },
    ]);
  });

  it("is in the list of its version's operations", async () => {
    const { results } = await service.envelope('/v3.0', key);
    const path = '/v3.0/products/{product_id}/payouts';
    expect(results[0]?.operations).toEqual(
      expect.arrayContaining([
        { method: 'GET', path },
        { method: 'PUT', path: `${path}/{month}` },
      ]),
    );
  });

  it('names a wrong parameter', async () => {
    expectFailure(await service.get(`${PATH}?year=x`, key), 4001);
    expectFailure(await service.put(`${PATH}/2025-07`, key, { goal: 1 }), 4001);
  });

  it("answers the errors of the catalogue for another vendor's product and for none", async () => {
    expectFailure(await service.get('/v3.0/products/20/payouts?year=2025', key), 4012);
    expectFailure(await service.put('/v3.0/products/20/payouts/2025-07', key, { goal: '1' }), 4012);
    expectFailure(await service.get('/v3.0/products/99/payouts?year=2025', key), 4040);
  });

  it('can add a page, which requires a signed-in user', async () => {
    const { status, headers } = await service.send({ path: '/account/goals' });
    const location = '/account/sign-in?next=%2Faccount%2Fgoals';
    expect([status, headers.location]).toEqual([303, location]);
  });

  it('requires a key and an active account', async () => {
    expectFailure(await service.send({ path: READ }), 4010);
    expectFailure(await service.get(READ, await service.key(3)), 4030);
  });

  it('counts against the limits of its caller, and shows them', async () => {
    const left = async (path: string) =>
      Number((await service.get(path, key)).headers['x-ratelimit-remaining']);
    const before = await left('/v3.0');
    expect([await left(READ), await left('/v3.0')]).toEqual([before - 1, before - 2]);
  });

  it('rejects other methods with Allow, and keeps a request id', async () => {
    const answer = await service.send({
      method: 'POST',
      path: PATH,
      headers: { ...basic(key), 'X-Request-Id': 'mine' },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers).toMatchObject({ allow: 'GET, HEAD', 'x-request-id': 'mine' });
  });
});

describe('docs/adding-a-module.md', () => {
  it('shows the files and commands that CI follows', () => {
    const paths = filesOfPage('adding-a-module').map(({ path }) => path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toEqual(expect.arrayContaining(['src/extensions.ts', 'test/extensions.ts']));
    expect(commandsOfPage('adding-a-module')).toEqual(['npm run openapi', 'npm test']);
  });
});
