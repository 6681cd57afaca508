import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, refund, transaction, user } from '../../support/ledger-records.js';
import { TestService } from '../../support/service.js';

const VENDOR = 1;
let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR),
    product(10, VENDOR),
    transaction('before', 10, { sale_date: '2025-05-31T23:59:59Z' }),
    transaction('first-second', 10, { sale_date: '2025-06-01T00:00:00Z' }),
    transaction('last-second', 10, { sale_date: '2025-06-02T23:59:59Z' }),
    transaction('after', 10, { sale_date: '2025-06-03T00:00:00Z' }),
    transaction('refunded-inside', 10, {
      sale_date: '2025-01-01T10:00:00Z',
      status: 'refunded',
      refund: refund('2025-06-02T00:00:00Z'),
    }),
    transaction('equal-time', 10, { sale_date: '2025-06-01T00:00:00Z' }),
  ]);
  key = await service.key(VENDOR);
});
afterAll(() => service.stop());

async function idsOf(query: string): Promise<unknown[]> {
  const { results } = await service.envelope(`/v3.0/transactions?${query}`, key);
  return results.map(({ transaction_id }) => transaction_id);
}

describe('GET /v3.0/transactions', () => {
  it('holds what was sold or refunded on the days of the range, newest sale first, newest arrival first', async () => {
    expect(await idsOf('start_date=2025-06-01&end_date=2025-06-02')).toEqual([
      'last-second',
      'equal-time',
      'first-second',
      'refunded-inside',
    ]);
  });

  it('counts all of the range on every page and tells whether more pages follow', async () => {
    const range = 'start_date=2025-06-01&end_date=2025-06-02&page_size=3';
    const first = await service.envelope(`/v3.0/transactions?${range}`, key);
    expect(first.meta).toMatchObject({
      results_count: 3,
      total_count: 4,
      pagination: { page_size: 3, page_index: 0, has_more: true },
    });
    const second = await service.envelope(`/v3.0/transactions?${range}&page_index=1`, key);
    expect(second.meta).toMatchObject({
      results_count: 1,
      total_count: 4,
      pagination: { page_size: 3, page_index: 1, has_more: false },
    });
  });

  it('answers a page past the end with an empty list', async () => {
    const range = 'start_date=2025-06-01&end_date=2025-06-02&page_index=2147483647';
    const { meta, results } = await service.envelope(`/v3.0/transactions?${range}`, key);
    expect(results).toEqual([]);
    expect(meta).toMatchObject({ total_count: 4, results_count: 0 });
  });
});
