import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

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

describe('a refund that came late', () => {
  /** The range from the day after the sales to the day of the last refund. */
  const LATER = 'start_date=2025-03-02&end_date=2025-12-31';
  const sold = (id: string, product_id: number, refund_date: string | null) =>
    transaction(id, product_id, {
      sale_date: '2025-03-01T12:00:00Z',
      ...(refund_date === null ? {} : { status: 'refunded', refund: refund(refund_date) }),
    });
  const early = (id: string, product_id: number) => sold(id, product_id, '2025-03-03T00:00:00Z');
  const late = (id: string, product_id: number) => sold(id, product_id, '2025-12-31T23:59:59Z');
  let vendors = 100;

  /** Returns the list after these imports into the ledger of a new vendor. */
  async function listAfter(...imports: ((product_id: number) => object[])[]): Promise<unknown[]> {
    const vendor = ++vendors;
    await service.import([user(vendor), product(vendor, vendor)]);
    for (const records of imports) await service.import(records(vendor));
    const path = `/v3.0/transactions?${LATER}`;
    const { meta, results } = await service.envelope(path, await service.key(vendor));
    expect(meta.total_count).toBe(results.length);
    return results.map(({ transaction_id }) => transaction_id);
  }

  it('is in the list after one that came early', async () => {
    const ids = await listAfter(
      (id) => [early('early-1', id)],
      (id) => [late('late-1', id)],
    );
    expect(ids).toEqual(['late-1', 'early-1']);
  });

  it('is in the list before one that comes early', async () => {
    const ids = await listAfter(
      (id) => [late('late-2', id)],
      (id) => [early('early-2', id)],
    );
    expect(ids).toEqual(['early-2', 'late-2']);
  });

  it.each([
    ['before', (id: number) => [early('early-3', id), late('late-3', id)]],
    ['behind', (id: number) => [late('late-4', id), early('early-4', id)]],
  ])('is in the list with an early one %s it in the same file', async (_, records) => {
    expect(await listAfter(records)).toHaveLength(2);
  });

  it('is in the list where it is of a sale that was known', async () => {
    const ids = await listAfter(
      (id) => [early('early-5', id), sold('late-5', id, null)],
      (id) => [late('late-5', id)],
    );
    expect(ids).toEqual(['late-5', 'early-5']);
  });

  it('is in the list of its vendor where others had early ones in the same file', async () => {
    const vendors = [91, 92, 93];
    await service.import(vendors.flatMap((vendor) => [user(vendor), product(vendor, vendor)]));
    await service.import([
      early('early-91', 91),
      late('late-92', 92),
      early('early-92', 92),
      early('early-93', 93),
    ]);
    const path = `/v3.0/transactions?${LATER}`;
    const counts = vendors.map(async (vendor) => {
      const { meta } = await service.envelope(path, await service.key(vendor));
      return meta.total_count;
    });
    expect(await Promise.all(counts)).toEqual([1, 2, 1]);
  });
});

describe('a refund in the second of its sale', () => {
  const LAST_SECOND = '2025-09-30T23:59:59Z';
  beforeAll(async () => {
    const at = (sale_date: string, refund_date: string) => ({
      sale_date,
      status: 'refunded',
      refund: refund(refund_date),
    });
    await service.import([
      transaction('at-once', 10, at(LAST_SECOND, LAST_SECOND)),
      transaction('elsewhere', 10, at('2025-09-30T19:59:59-04:00', '2025-10-01T01:59:59+02:00')),
      transaction('within', 10, at('2025-09-30T23:59:59.900Z', '2025-09-30T23:59:59.100Z')),
    ]);
  });

  it('is taken, and in the list of its day once', async () => {
    const ids = await idsOf('start_date=2025-09-30&end_date=2025-09-30');
    expect(ids).toEqual(['within', 'elsewhere', 'at-once']);
    expect(await idsOf('start_date=2025-09-01&end_date=2025-10-31')).toEqual(ids);
  });

  it('is in the list of no other day', async () => {
    expect(await idsOf('start_date=2025-10-01&end_date=2025-10-31')).toEqual([]);
    expect(await idsOf('start_date=2025-09-01&end_date=2025-09-29')).toEqual([]);
  });

  it('can not come a second earlier', async () => {
    const earlier = transaction('earlier', 10, {
      sale_date: '2025-09-30T12:00:00Z',
      refund: refund('2025-09-30T11:59:59Z'),
    });
    await expect(service.import([earlier])).rejects.toThrow(
      'line 1: refund.refund_date: must not be before sale_date',
    );
    expect((await service.get('/v3.0/transactions/earlier', key)).status).toBe(404);
  });
});
