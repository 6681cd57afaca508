import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NOTHING, SELLER, sold, takenBack } from '../../support/builders/affiliate-sales.js';
import { clicks, product, user } from '../../support/builders/ledger-records.js';
import { resultOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';

const VENDOR = 1;

let service: TestService;
let key: string;
/** Id of the vendor's next product, which has no data yet. */
let nextProduct = 1_000;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(VENDOR), user(SELLER)]);
  key = await service.key(VENDOR);
});
afterAll(() => service.stop());

/** Returns the statistics of a product that has only these records. */
async function statisticsOf(records: (product_id: number) => readonly object[]) {
  const product_id = nextProduct++;
  await service.import([product(product_id, VENDOR), ...records(product_id)]);
  return resultOf(service, `/v2.1/affiliatestats/${SELLER}/products/${product_id}`, key);
}

describe('money and rates of the statistics', () => {
  it('divide by nothing to zero: sales without clicks, clicks without sales', async () => {
    expect(await statisticsOf((id) => [sold(`no-click-${id}`, id, '9', '4')])).toMatchObject({
      sales: 1,
      commission_earned: '4.00',
      earnings_per_click: '0.00',
      conversion_rate: '0.0000',
      refund_rate: '0.0000',
    });
    const counts = { clicks: 7, unique_clicks: 0 };
    expect(await statisticsOf((id) => [clicks(SELLER, id, counts)])).toMatchObject({
      ...NOTHING,
      ...counts,
    });
  });

  it.each([
    { commission: '10.00', unique_clicks: 3, earnings: '3.33', conversion: '0.3333' },
    { commission: '20.00', unique_clicks: 3, earnings: '6.67', conversion: '0.3333' },
    { commission: '0.01', unique_clicks: 9, earnings: '0.00', conversion: '0.1111' },
    { commission: '0.04', unique_clicks: 6, earnings: '0.01', conversion: '0.1667' },
    { commission: '0.05', unique_clicks: 2, earnings: '0.03', conversion: '0.5000' },
    { commission: '2.01', unique_clicks: 2, earnings: '1.01', conversion: '0.5000' },
    { commission: '1', unique_clicks: 20_000, earnings: '0.00', conversion: '0.0001' },
    { commission: '1', unique_clicks: 20_001, earnings: '0.00', conversion: '0.0000' },
    { commission: '-0.01', unique_clicks: 9, earnings: '0.00', conversion: '0.1111' },
    { commission: '-10.00', unique_clicks: 3, earnings: '-3.33', conversion: '0.3333' },
    { commission: '9999999999999.99', unique_clicks: 1, earnings: '9999999999999.99' },
  ])('round to the nearest: $commission over $unique_clicks unique clicks', async (row) => {
    const { commission, unique_clicks, earnings, conversion = '1.0000' } = row;
    const statistics = await statisticsOf((id) => [
      clicks(SELLER, id, { clicks: 50_000, unique_clicks }),
      sold(`rounded-${id}`, id, '1', commission),
    ]);
    expect(statistics).toMatchObject({
      earnings_per_click: earnings,
      conversion_rate: conversion,
    });
  });

  it('may tell more sales than unique clicks', async () => {
    const three = [1, 2, 3];
    const statistics = await statisticsOf((id) => [
      clicks(SELLER, id, { clicks: 2, unique_clicks: 2 }),
      ...three.map((place) => sold(`many-${id}-${place}`, id, '1', '1')),
    ]);
    expect(statistics).toMatchObject({ conversion_rate: '1.5000', earnings_per_click: '1.50' });
  });

  it('keep the sign where more was taken back than earned', async () => {
    const changes = { status: 'refunded', affiliate_commission_status: 'PAID' };
    const statistics = await statisticsOf((id) => [
      clicks(SELLER, id, { clicks: 4, unique_clicks: 4 }),
      sold(`minus-${id}`, id, '10', '1', { ...changes, refund: takenBack('10', '-11') }),
      sold(`plus-${id}`, id, '10', '0.5'),
    ]);
    expect(statistics).toMatchObject({
      commission_earned: '-9.50',
      commission_paid: '-10.00',
      commission_unpaid: '0.50',
      // -9.50 / 4 = -2.375
      earnings_per_click: expect.stringMatching(/^-2\.3[78]$/),
      refund_rate: '0.5000',
    });
  });

  it('add amounts up exactly beyond what a number holds', async () => {
    const most = '9999999999999.99';
    const three = [1, 2, 3];
    const statistics = await statisticsOf((id) =>
      three.map((place) => sold(`big-${id}-${place}`, id, most, most)),
    );
    expect(statistics).toMatchObject({
      revenue: '29999999999999.97',
      commission_earned: '29999999999999.97',
      commission_unpaid: '29999999999999.97',
    });
  });
});
