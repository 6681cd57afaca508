import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NOTHING, SELLER, sold, takenBack } from '../../support/builders/affiliate-sales.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { affiliation, clicks, product, user } from '../../support/builders/ledger-records.js';
import { resultOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';

const [VENDOR, OTHER_VENDOR] = [1, 2];
const [UNNAMED, IDLE] = [101, 102];

let service: TestService;
let key: string;
/** Id of the vendor's next product, which has no data yet. */
let nextProduct = 1_000;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR),
    user(OTHER_VENDOR),
    user(SELLER, { display_name: 'Affiliate Zoë' }),
    user(UNNAMED),
    user(IDLE),
    product(20, OTHER_VENDOR),
  ]);
  key = await service.key(VENDOR);
});
afterAll(() => service.stop());

function read(affiliate_id: number, product_id: number) {
  return resultOf(service, `/v2.1/affiliatestats/${affiliate_id}/products/${product_id}`, key);
}

/** Returns the statistics of a product that has only these records. */
async function statisticsOf(records: (product_id: number) => readonly object[]) {
  const product_id = nextProduct++;
  await service.import([product(product_id, VENDOR), ...records(product_id)]);
  return read(SELLER, product_id);
}

describe('GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}', () => {
  it('adds up a small ledger exactly', async () => {
    const at = (sale_date: string) => ({ sale_date });
    await service.import([
      product(10, VENDOR, { name: 'Its name before' }),
      product(11, VENDOR),
      clicks(SELLER, 10, { date: '2025-06-01', clicks: 12, unique_clicks: 9 }),
      clicks(SELLER, 10, { date: '2025-06-02', clicks: 5, unique_clicks: 4 }),
      clicks(SELLER, 10, { date: '2025-06-02', clicks: 3, unique_clicks: 2 }),
      clicks(SELLER, 11, { clicks: 1_000, unique_clicks: 1_000 }),
      clicks(UNNAMED, 10, { clicks: 1_000, unique_clicks: 1_000 }),
      sold('completed', 10, '47.00', '20.10', at('2025-06-03T10:00:00+02:00')),
      sold('paid', 10, '0.29', '0.10', {
        ...at('2025-06-09T23:59:59-04:00'),
        affiliate_commission_status: 'PAID',
      }),
      sold('refunded', 10, '100.00', '50.00', {
        ...at('2025-06-04T00:00:00Z'),
        status: 'refunded',
        refund: takenBack('99.99', '-49.99'),
      }),
      sold('refunded-paid', 10, '10.00', '5.00', {
        ...at('2025-06-04T00:00:00Z'),
        status: 'refunded',
        affiliate_commission_status: 'PAID',
        refund: takenBack('10.00', '-4.50'),
      }),
      sold('refunded-in-part', 10, '20.00', '10.00', {
        ...at('2025-06-04T00:00:00Z'),
        refund: takenBack('5.00', '-2.50'),
      }),
      sold('refunded-without-object', 10, '3.00', '1.00', {
        ...at('2025-06-04T00:00:00Z'),
        status: 'refunded',
      }),
      sold('charged-back', 10, '30.00', '15.00', {
        ...at('2025-06-05T00:00:00Z'),
        status: 'charged_back',
        affiliate_commission_status: 'REFUNDED',
        refund: takenBack('30.00', '-15.00'),
      }),
      sold('error', 10, '1.00', '0.50', {
        ...at('2025-06-05T00:00:00Z'),
        affiliate_commission_status: 'PAYMENT_ERROR',
      }),
      sold('pending', 10, '1000.00', '500.00', {
        ...at('2025-01-01T00:00:00Z'),
        status: 'pending',
        affiliate_commission_status: 'PAID',
        refund: takenBack('400.00', '-200.00'),
      }),
      sold('other-product', 11, '7.00', '3.00'),
      sold('other-affiliate', 10, '7.00', '3.00', { affiliate_id: UNNAMED }),
      sold('no-affiliate', 10, '7.00', '3.00', { affiliate_id: null }),
      product(10, VENDOR, { name: 'Its name today' }),
    ]);
    expect(await read(SELLER, 10)).toEqual({
      affiliate_id: SELLER,
      affiliate_name: 'Affiliate Zoë',
      product_id: 10,
      product_name: 'Its name today',
      clicks: 15,
      unique_clicks: 11,
      sales: 8,
      refunds: 4,
      chargebacks: 1,
      // 47.00 + 0.29 + 100.00 + 10.00 + 20.00 + 3.00 + 30.00 + 1.00
      revenue: '211.29',
      // 99.99 + 10.00 + 5.00 + 30.00
      refund_amount: '144.99',
      // 20.10 + 0.10 + 0.01 + 0.50 + 7.50 + 1.00 + 0.00 + 0.50
      commission_earned: '29.71',
      // 0.10 + 0.50
      commission_paid: '0.60',
      commission_unpaid: '29.11',
      // 29.71 / 11 = 2.7009…
      earnings_per_click: '2.70',
      // 8 / 11 = 0.72727…
      conversion_rate: '0.7273',
      // 4 / 8
      refund_rate: '0.5000',
      first_sale_date: '2025-06-03T08:00:00+00:00',
      last_sale_date: '2025-06-10T03:59:59+00:00',
    });
  });

  it.each(['REQUESTED', 'APPROVED', 'DENIED'])(
    'is all zero for a relationship alone, %s',
    async (status) => {
      await service.import([product(12, VENDOR), affiliation(IDLE, 12, { status })]);
      expect(await read(IDLE, 12)).toEqual({
        affiliate_id: IDLE,
        affiliate_name: 'User 102',
        product_id: 12,
        product_name: 'Product 12',
        ...NOTHING,
      });
    },
  );

  it.each([
    ['a click alone', [clicks(IDLE, 14, { clicks: 1, unique_clicks: 0 })], { clicks: 1 }],
    ['a unique click alone', [clicks(IDLE, 14, { clicks: 0 })], { unique_clicks: 9 }],
    ['a sale alone', [sold('alone', 14, '9', '4', { affiliate_id: IDLE })], { sales: 1 }],
  ])('needs no relationship: %s', async (_, records, shown) => {
    await service.import([product(14, VENDOR), ...records]);
    expect(await read(IDLE, 14)).toMatchObject(shown);
  });

  it('leaves out what is pending from everything, its dates too', async () => {
    const pending = { status: 'pending', affiliate_commission_status: 'PAID' };
    const statistics = await statisticsOf((id) => [sold(`pending-${id}`, id, '9', '4', pending)]);
    expect(statistics).toMatchObject(NOTHING);
  });
});

describe('statistics of strangers', () => {
  const pathOf = (affiliate_id: number, product_id: number) =>
    `/v2.1/affiliatestats/${affiliate_id}/products/${product_id}`;
  const named = { 'X-Request-Id': 'the-same' };
  const [idle, stranger] = [13, 103];

  beforeAll(() =>
    service.import([
      product(idle, VENDOR),
      user(stranger, { name: 'A Real Name' }),
      // These are terms for another product, clicks for another vendor, and a day without a click.
      affiliation(stranger, 20),
      clicks(stranger, 20),
      sold('of-another-vendor', 20, '9', '4', { affiliate_id: stranger }),
      clicks(stranger, idle, { clicks: 0, unique_clicks: 0 }),
    ]),
  );

  it('are 4040, byte for byte as those of a user or a product that there is none of', async () => {
    const answers = await Promise.all(
      [
        pathOf(stranger, idle),
        pathOf(VENDOR, idle),
        pathOf(999_999, idle),
        pathOf(stranger, 999_999),
        pathOf(999_999, 999_999),
      ].map((path) => service.get(path, key, named)),
    );
    const [first] = answers;
    for (const answer of answers) {
      expectFailure(answer, 4040, '2.1');
      expect(answer.text).toBe(first?.text);
      expect({ ...answer.headers, date: '' }).toEqual({ ...first?.headers, date: '' });
    }
  });

  it("are 4012 where the product is another vendor's, whatever they have with it", async () => {
    for (const affiliate_id of [stranger, VENDOR, 999_999]) {
      expectFailure(await service.get(pathOf(affiliate_id, 20), key), 4012, '2.1');
    }
  });
});

describe('statistics after a transaction came again', () => {
  const once = (id: number) =>
    sold(`again-${id}`, id, '100', '50', {
      status: 'refunded',
      refund: takenBack('100', '-50'),
      sale_date: '2025-01-01T00:00:00Z',
    });

  it('count it as it is now', async () => {
    const statistics = await statisticsOf((id) => [once(id), sold(`again-${id}`, id, '9', '4')]);
    expect(statistics).toMatchObject({
      ...NOTHING,
      sales: 1,
      revenue: '9.00',
      commission_earned: '4.00',
      commission_unpaid: '4.00',
      first_sale_date: '2025-06-01T12:00:00+00:00',
      last_sale_date: '2025-06-01T12:00:00+00:00',
    });
  });

  it.each([
    ['is pending', { status: 'pending' }],
    ['is the sale of another affiliate', { affiliate_id: UNNAMED }],
    ['is the sale of no affiliate', { affiliate_id: null }],
  ])('no longer count what %s', async (_, changes) => {
    const statistics = await statisticsOf((id) => [
      affiliation(SELLER, id),
      once(id),
      sold(`again-${id}`, id, '9', '4', changes),
    ]);
    expect(statistics).toMatchObject(NOTHING);
  });
});

describe('statistics are refused', () => {
  it.each([
    ['an unknown affiliate', '999/products/10'],
    ['an unknown product', '100/products/999'],
  ])('with 4040 for %s', async (_, path) => {
    expectFailure(await service.get(`/v2.1/affiliatestats/${path}`, key), 4040, '2.1');
  });

  it("with 4012 for another vendor's product", async () => {
    const path = `/v2.1/affiliatestats/${SELLER}/products/20`;
    expectFailure(await service.get(path, key), 4012, '2.1');
  });

  it.each(['x', '-1', '1.0', '%20'])('with 4001 for an id that is no number: %s', async (id) => {
    const path = `/v2.1/affiliatestats/${id}/products/${id}`;
    expect(expectFailure(await service.get(path, key), 4001, '2.1')).toContain('affiliate_id');
  });
});
