import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    user(2),
    product(10, 1),
    affiliation(2, 10),
    recurringPayment('PRE', 10),
    transaction('a/b', 10),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

describe('An operation with a newer equivalent at another path (interface 9 rule 4)', () => {
  it.each([
    ['/v2.0/products/10/affiliates/2', '/v2.1/affiliates/2/products/10'],
    ['/v2.0/transactions/summaries/a%2Fb', '/v2.1/transaction/details/a%2Fb'],
    ['/v2.0/latest-transactions', '/v3.0/transactions'],
    ['/v2.0/latest-transactions/a%2Fb', '/v3.0/transactions'],
  ])('%s links to %s', async (path, successor) => {
    const { status, headers } = await service.get(path, key);
    expect(status).toBe(200);
    expect(headers.link).toBe(`<${successor}>; rel="successor-version"`);
  });

  it('has no link in a 404, so that every 404 is the same', async () => {
    const { status, headers } = await service.get('/v2.0/transactions/summaries/unknown', key);
    expect(status).toBe(404);
    expect(headers).not.toHaveProperty('link');
  });

  it('is not marked as deprecated', async () => {
    const { headers } = await service.get('/v2.0/latest-transactions', key);
    expect(headers).not.toHaveProperty('deprecation');
    expect(headers).not.toHaveProperty('sunset');
  });
});

describe('An operation without a newer equivalent', () => {
  it.each([
    '/v3.0/transactions/a%2Fb',
    '/v2.1/affiliates/2/products/10',
    '/v2.1/transaction/details/a%2Fb',
    '/v2.0/recurring_payment/PRE',
    '/v2.0/latest-affiliates-transactions',
    '/v2.0',
  ])('%s links to none', async (path) => {
    const { status, headers } = await service.get(path, key);
    expect(status).toBe(200);
    expect(headers).not.toHaveProperty('link');
  });
});
