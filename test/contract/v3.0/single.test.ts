import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import {
  envelopeShape,
  IMPACT_NAMES,
  pagedEnvelopeShape,
  PAYOUT_NAMES,
  shapeFaults,
  TRACKING_NAMES,
  TRANSACTION_SHAPE,
} from '../../support/oracles/shape.js';
import { TEXTS } from '../../support/random/texts.js';

const VENDOR = 1;
const [NAMED, UNNAMED] = [2, 3];
const TRACKING = Object.fromEntries(TRACKING_NAMES.map((name) => [name, `the ${name}`]));
const NO_TRACKING = Object.fromEntries(TRACKING_NAMES.map((name) => [name, null]));
const REFUND = {
  refund_date: '2025-06-30T23:59:59-04:00',
  refund_amount: '1234.50',
  seller_refund_impact: '-1000.00',
  affiliate_refund_impact: '-200.1',
  agent_refund_impact: '-0.01',
  jv_refund_impact: '0',
  service_fee_adjustment: '-34.39',
};

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR),
    user(NAMED, { display_name: 'Affiliate Zoë' }),
    user(UNNAMED),
    product(10, VENDOR, { name: 'Its name today' }),
    transaction('bare', 10),
    transaction('full', 10, {
      sale_date: '2025-06-01T14:03:11.987-04:00',
      product_name: 'Its name then',
      amount: '1234.5',
      status: 'refunded',
      affiliate_id: NAMED,
      tracking: TRACKING,
      payouts: Object.fromEntries(PAYOUT_NAMES.map((name, index) => [name, `${index}.1`])),
      refund: REFUND,
    }),
    transaction('unnamed-affiliate', 10, { affiliate_id: UNNAMED }),
    transaction('some-tracking', 10, { tracking: { custom: '', tid: 't', utm_term: null } }),
    ...['pending', 'completed', 'refunded', 'charged_back'].map((status) =>
      transaction(`is-${status}`, 10, { status }),
    ),
    ...TEXTS.map(([, text], index) =>
      transaction(`text-${index}`, 10, {
        product_name: text,
        customer: { email: text, first_name: text, last_name: text },
        tracking: { custom: text, other_params: text },
      }),
    ),
  ]);
  key = await service.key(VENDOR);
});
afterAll(() => service.stop());

async function read(transaction_id: string): Promise<Record<string, unknown>> {
  const { results } = await service.envelope(`/v3.0/transactions/${transaction_id}`, key);
  expect(results).toHaveLength(1);
  return results[0] ?? {};
}

describe('GET /v3.0/transactions/{transaction_id}', () => {
  it.each(['bare', 'full', 'unnamed-affiliate', 'some-tracking', 'is-pending'])(
    'answers with the fields of the contract and no other: %s',
    async (id) => {
      const answer = await service.envelope(`/v3.0/transactions/${id}`, key);
      expect(shapeFaults(answer, envelopeShape(TRANSACTION_SHAPE))).toEqual([]);
    },
  );

  it('answers a success with code 2000, without total_count and pagination', async () => {
    expect((await service.envelope('/v3.0/transactions/bare', key)).meta).toEqual({
      status: { http_status_code: 200, code: 2000, message: 'Success', detail: null },
      results_count: 1,
      api_version: '3.0',
    });
  });

  it('gives null for the affiliate, every tracking value and the refund that there are none of', async () => {
    expect(await read('bare')).toMatchObject({
      affiliate: null,
      tracking: NO_TRACKING,
      refund: null,
    });
  });

  it('gives every value of a transaction that has them all', async () => {
    expect(await read('full')).toEqual({
      transaction_id: 'full',
      sale_date: '2025-06-01T18:03:11+00:00',
      product_id: 10,
      product_name: 'Its name then',
      amount: '1234.50',
      status: 'refunded',
      customer: { email: 'customer@example.test', first_name: 'Ada', last_name: 'Byron' },
      affiliate: { id: NAMED, display_name: 'Affiliate Zoë' },
      tracking: TRACKING,
      payouts: Object.fromEntries(PAYOUT_NAMES.map((name, index) => [name, `${index}.10`])),
      refund: {
        refund_date: '2025-07-01T03:59:59+00:00',
        refund_amount: '1234.50',
        seller_refund_impact: '-1000.00',
        affiliate_refund_impact: '-200.10',
        agent_refund_impact: '-0.01',
        jv_refund_impact: '0.00',
        service_fee_adjustment: '-34.39',
      },
    });
  });

  it('gives null as the display name of an affiliate without one', async () => {
    expect(await read('unnamed-affiliate')).toMatchObject({
      affiliate: { id: UNNAMED, display_name: null },
    });
  });

  it('gives each tracking value for itself, an empty text as one', async () => {
    expect(await read('some-tracking')).toMatchObject({
      tracking: { ...NO_TRACKING, custom: '', tid: 't' },
    });
  });

  it.each([
    ['pending', 'pending'],
    ['completed', 'settled'],
    ['refunded', 'refunded'],
    ['charged_back', 'chargeback'],
  ])('names the status %s of the ledger %s', async (status, named) => {
    expect(await read(`is-${status}`)).toMatchObject({ status: named });
  });

  it.each(TEXTS.map(([name, text], index) => ({ name, text, id: `text-${index}` })))(
    'gives $name back character by character',
    async ({ text, id }) => {
      expect(await read(id)).toMatchObject({
        product_name: text,
        customer: { email: text, first_name: text, last_name: text },
        tracking: { custom: text, other_params: text },
      });
    },
  );

  it('is the same transaction as in the list, which has the fields of the contract and no other', async () => {
    const range = 'start_date=2025-06-01&end_date=2025-06-01&page_size=200';
    const list = await service.envelope(`/v3.0/transactions?${range}`, key);
    expect(shapeFaults(list, pagedEnvelopeShape(TRANSACTION_SHAPE))).toEqual([]);
    expect(list.results).toContainEqual(await read('full'));
    expect(list.results).toContainEqual(await read('bare'));
  });
});

describe('money', () => {
  it.each([
    ['47', '47.00'],
    ['0', '0.00'],
    ['0.1', '0.10'],
    ['-0.00', '0.00'],
    ['-0', '0.00'],
    ['-0.01', '-0.01'],
    ['-18.8', '-18.80'],
    ['0.29', '0.29'],
    ['1.1', '1.10'],
    ['000012.30', '12.30'],
    ['9999999999999.99', '9999999999999.99'],
    ['-9999999999999.99', '-9999999999999.99'],
  ])('%s of the ledger reads %s in every field', async (written, shown) => {
    const [id, impact] = [`money-${written}`, written.startsWith('-') ? written : '-0.00'];
    const payouts = Object.fromEntries(PAYOUT_NAMES.map((name) => [name, written]));
    const impacts = Object.fromEntries(IMPACT_NAMES.map((name) => [name, impact]));
    await service.import([
      transaction(id, 10, {
        amount: written,
        payouts,
        refund: refund('2025-06-03T00:00:00Z', {
          refund_amount: '-0.00',
          ...impacts,
          service_fee_adjustment: written,
        }),
      }),
    ]);
    const shownImpact = impact === '-0.00' ? '0.00' : shown;
    expect(await read(id)).toMatchObject({
      amount: shown,
      payouts: Object.fromEntries(PAYOUT_NAMES.map((name) => [name, shown])),
      refund: {
        refund_amount: '0.00',
        ...Object.fromEntries(IMPACT_NAMES.map((name) => [name, shownImpact])),
        service_fee_adjustment: shown,
      },
    });
  });
});
