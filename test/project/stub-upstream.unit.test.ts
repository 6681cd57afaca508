/**
 * The stub upstream, which differs from this service, answers as the API requires, in words of its
 * own.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { basic, envelopeOf, type Answer } from '../support/http/http.js';
import { HttpsClient } from '../support/http/https-client.js';
import { STUB_KEY, StubUpstream, type StubHook } from '../support/servers/stub-upstream.js';
import {
  stubAffiliate,
  stubPayment,
  stubRefund,
  stubRelationship,
  stubSale,
} from '../support/servers/stub/contents.js';

const upstream = new StubUpstream({
  vendor: { id: 1, name: 'Vendor', email: 'vendor@example.test' },
  products: [{ id: 10, name: 'Product 10' }],
  sales: [
    stubSale('late', { sold: '2025-06-02T00:00:00Z', affiliate: stubAffiliate(7) }),
    stubSale('early', { sold: '2025-05-31T23:59:59Z', refund: stubRefund('2025-06-02T23:59:59Z') }),
    stubSale('beside', { sold: '2025-05-31T23:59:59Z', pre_key: 'PRE' }),
  ],
  relationships: [stubRelationship(7, 10)],
  payments: [stubPayment('PRE')],
});
let client: HttpsClient;

beforeAll(async () => {
  const settings = await upstream.start();
  client = new HttpsClient(upstream.url, settings);
});
afterAll(() => {
  client.end();
  upstream.stop();
});

const get = (path: string) => client.get(path, STUB_KEY);
const put = (path: string, body: object) =>
  client.send({ method: 'PUT', path, headers: basic(STUB_KEY), body: JSON.stringify(body) });
const idsOf = (answer: Answer) =>
  envelopeOf(answer).results.map(({ transaction_id }) => transaction_id);

it('lists what was sold or refunded in a range of days in UTC, newest sale first', async () => {
  const may = await get('/v3.0/transactions?start_date=2025-05-31&end_date=2025-05-31&page_size=1');
  expect(idsOf(may)).toEqual(['beside']);
  expect(envelopeOf(may).meta).toMatchObject({
    total_count: 2,
    pagination: { page_size: 1, page_index: 0, has_more: true },
  });
  const june = await get('/v3.0/transactions?start_date=2025-06-02&end_date=2025-06-02');
  expect(idsOf(june)).toEqual(['late', 'early']);
  expect(envelopeOf(june).results[1]).toMatchObject({
    sale_date: '2025-05-31T18:59:59-05:00',
    payouts: { acme_fee: '7.00' },
    refund: { acme_fee_adjustment: '-7.00' },
  });
  const tooLarge = 'start_date=2025-06-01&end_date=2025-06-01&page_size=201';
  for (const query of ['', 'start_date=2025-06-01', tooLarge]) {
    const { status, text } = await get(`/v3.0/transactions?${query}`);
    expect([status, text.includes('4001')]).toEqual([400, true]);
  }
});

it('shows single things, and the latest sales oldest first', async () => {
  expect(idsOf(await get('/v3.0/transactions/late'))).toEqual(['late']);
  const [detail] = envelopeOf(await get('/v2.1/transaction/details/beside')).results;
  expect(detail).toMatchObject({ pre_key: 'PRE', paymenthouse_email: 'ada@pay.example' });
  expect(idsOf(await get('/v2.0/latest-transactions'))).toEqual(['early', 'beside', 'late']);
  expect(idsOf(await get('/v2.0/latest-transactions/beside'))).toEqual(['late']);
  expect((await get('/v3.0/transactions/none')).status).toBe(404);
  expect(upstream.counts.of('detail')).toBe(1);
});

it('takes relationships and cancels', async () => {
  const path = '/v2.1/affiliates/7/products/10';
  const terms = { approval_status: 'DELAYED', custom_commission: 75 };
  expect((await put(path, { custom_commission: 75 })).status).toBe(400);
  const set = { status: 'APPROVED', delayed_commission: true, custom_commission: 75 };
  expect(envelopeOf(await put(path, terms)).results).toMatchObject([set]);
  expect(envelopeOf(await get(path)).results).toMatchObject([set]);
  const payment = '/v2.0/recurring_payment/PRE';
  const canceled = await put(payment, { status: 'CANCEL' });
  expect(envelopeOf(canceled).results).toEqual([{ canceled: true }]);
  expect(envelopeOf(await get(payment)).results).toMatchObject([{ status: 'CANCELED' }]);
});

it('refuses other keys, and answers as a test says', async () => {
  expect((await client.get('/v2.1/products/names', 'other')).text).toContain('4011');
  const elsewhere: StubHook = (_, answer) => ({
    ...answer,
    status: 302,
    headers: { Location: '/elsewhere' },
  });
  upstream.hook = elsewhere;
  expect((await get('/v2.1/products/names')).headers.location).toBe('/elsewhere');
  upstream.hook = () => 'hung up';
  await expect(get('/v2.1/products/names')).rejects.toThrow();
  expect(upstream.requests.at(-1)?.path).toBe('/v2.1/products/names');
});
