import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

const RANGE = 'start_date=2025-06-01&end_date=2025-06-30';
/** Four sales share each date-time, so that ties fall on the ends of pages. */
const SOLD = Array.from({ length: 37 }, (_, index) => ({
  id: `sold-${index}`,
  sale_date: `2025-06-${String(1 + Math.floor(index / 4)).padStart(2, '0')}T08:00:00Z`,
}));
const REFUNDED = Array.from({ length: 12 }, (_, index) => ({
  id: `refunded-${index}`,
  sale_date: `2025-0${1 + (index % 3)}-10T08:00:00Z`,
}));
/** The order is by sale date, newest first, then by arrival, newest first. */
const EXPECTED = [...SOLD, ...REFUNDED]
  .map((item, arrival) => ({ ...item, arrival }))
  .sort(
    (left, right) => right.sale_date.localeCompare(left.sale_date) || right.arrival - left.arrival,
  )
  .map(({ id }) => id);

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    user(2),
    product(10, 1),
    product(11, 1),
    product(20, 2),
    ...SOLD.map(({ id, sale_date }, index) =>
      transaction(id, index % 2 === 0 ? 10 : 11, {
        sale_date,
        // This transaction is sold and refunded in the range, and appears once.
        ...(index % 5 === 0 ? { refund: refund('2025-06-20T00:00:00Z') } : {}),
      }),
    ),
    ...REFUNDED.map(({ id, sale_date }) =>
      transaction(id, 10, {
        sale_date,
        status: 'refunded',
        refund: refund('2025-06-15T00:00:00Z'),
      }),
    ),
    transaction('sold-before', 10, { sale_date: '2025-05-31T23:59:59Z' }),
    transaction('refunded-after', 10, {
      sale_date: '2025-05-01T00:00:00Z',
      refund: refund('2025-07-01T00:00:00Z'),
    }),
    transaction("another-vendor's", 20, { sale_date: '2025-06-05T08:00:00Z' }),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

describe('the pages of GET /v3.0/transactions', () => {
  it.each([1, 2, 3, 5, 7, 12, 24, 37, 48, 49, 50, 200])(
    'of %i hold each transaction exactly once, in the order of the list',
    async (page_size) => {
      const ids: unknown[] = [];
      for (let page_index = 0; ; page_index += 1) {
        const query = `${RANGE}&page_size=${page_size}&page_index=${page_index}`;
        const { meta, results } = await service.envelope(`/v3.0/transactions?${query}`, key);
        ids.push(...results.map(({ transaction_id }) => transaction_id));
        const has_more = (page_index + 1) * page_size < EXPECTED.length;
        expect(meta).toMatchObject({
          results_count: results.length,
          total_count: EXPECTED.length,
          pagination: { page_size, page_index, has_more },
        });
        if (!has_more) break;
      }
      expect(ids).toEqual(EXPECTED);
    },
  );

  it('without a transaction in the range are one, empty, and a success', async () => {
    const path = '/v3.0/transactions?start_date=2024-01-01&end_date=2024-12-31';
    expect(await service.envelope(path, key)).toEqual({
      meta: {
        status: { http_status_code: 200, code: 2000, message: 'Success', detail: null },
        results_count: 0,
        api_version: '3.0',
        total_count: 0,
        pagination: { page_size: 50, page_index: 0, has_more: false },
      },
      results: [],
    });
  });
});

describe('pages that begin and end within one second', () => {
  const RANGE_OF_DAY = 'start_date=2025-07-04&end_date=2025-07-04';
  /** Number of sales in each second of the day, latest second first. */
  const SOLD_IN = { '12:00:03': 1, '12:00:02': 11, '12:00:01': 2, '12:00:00': 9 };
  const ids = Object.entries(SOLD_IN).flatMap(([time, count]) =>
    Array.from({ length: count }, (_, index) => `${time}-${count - index}`),
  );

  beforeAll(async () => {
    // The order of arrival differs from the order of the seconds.
    const arriving = ids
      .toSorted((left, right) => Number(left.split('-')[1]) - Number(right.split('-')[1]))
      .map((id) => transaction(id, 10, { sale_date: `2025-07-04T${id.slice(0, 8)}Z` }));
    await service.import(arriving);
  });

  /**
   * Orders of reading the pages, by number. Later orders use the positions that earlier ones found.
   */
  const WAYS: readonly (readonly [string, (pages: number[]) => number[]])[] = [
    ['forwards', (pages) => pages],
    ['backwards', (pages) => pages.toReversed()],
    ['from the middle', (pages) => [...pages.slice(pages.length / 2), ...pages]],
  ];
  const SIZES = [4, 3, 5, 1, 2, 10, 7];

  it.each(WAYS)('hold what stands there, %s', async (_, way) => {
    for (const page_size of SIZES) {
      const count = Math.ceil(ids.length / page_size);
      for (const page_index of way(Array.from({ length: count }, (__, index) => index))) {
        const query = `${RANGE_OF_DAY}&page_size=${page_size}&page_index=${page_index}`;
        const { results } = await service.envelope(`/v3.0/transactions?${query}`, key);
        const begin = page_index * page_size;
        expect({ query, ids: results.map(({ transaction_id }) => transaction_id) }).toEqual({
          query,
          ids: ids.slice(begin, begin + page_size),
        });
      }
    }
  });
});

describe('a page after a write that changed no count of its range', () => {
  const ids = Array.from({ length: 40 }, (_, index) => `moved-${index}`);
  const saleAt = (id: string, second: number) =>
    transaction(id, 30, {
      sale_date: `2025-08-01T08:00:${String(second).padStart(2, '0')}Z`,
    });
  const pageOf = async (page_index: number, of: string) => {
    const query = `start_date=2025-08-01&end_date=2025-08-01&page_size=10&page_index=${page_index}`;
    const { results } = await service.envelope(`/v3.0/transactions?${query}`, of);
    return results.map(({ transaction_id }) => transaction_id);
  };

  it('has the new order, although earlier pages revealed positions', async () => {
    await service.import([
      user(3),
      product(30, 3),
      ...ids.map((id, index) => saleAt(id, index + 1)),
    ]);
    const of = await service.key(3);
    const newestFirst = ids.toReversed();
    for (const index of [0, 1, 2]) {
      expect(await pageOf(index, of)).toEqual(newestFirst.slice(10 * index, 10 * index + 10));
    }
    // The newest sale becomes the oldest one, on the same day.
    await service.import([saleAt(newestFirst[0] ?? '', 0)]);
    const [newest, ...others] = newestFirst;
    const moved = [...others, newest];
    for (const index of [3, 1, 2, 0]) {
      expect(await pageOf(index, of)).toEqual(moved.slice(10 * index, 10 * index + 10));
    }
  });
});
