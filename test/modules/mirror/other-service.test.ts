/**
 * A mirror of another service of the API shows the same data as that service, in the form of this
 * service.
 */
import { afterAll, describe, expect, it } from '@jest/globals';
import { user } from '../../support/builders/ledger-records.js';
import { MIRRORED_ID, MIRRORED_VENDOR } from '../../support/builders/mirrored/parties.js';
import { basic, envelopeOf, send } from '../../support/http/http.js';
import { MirrorUnderTest } from '../../support/servers/mirror-under-test.js';
import { endAll } from '../../support/servers/running-service.js';
import { STUB_KEY, StubUpstream } from '../../support/servers/stub-upstream.js';
import {
  stubAffiliate,
  stubPayment,
  stubRefund,
  stubRelationship,
  stubSale,
} from '../../support/servers/stub/contents.js';

/** The source of this vendor has another name for one of the affiliates. */
const OTHER_VENDOR = 900;

let mirror: MirrorUnderTest | undefined;

afterAll(async () => {
  await mirror?.stop();
  await endAll();
});

describe('a mirror of another service of the interface', () => {
  const { customer } = stubSale('any');
  const upstream = new StubUpstream({
    vendor: { id: MIRRORED_ID, name: 'Vendor', email: 'vendor@example.test' },
    products: [{ id: 10, name: 'Product 10' }],
    sales: [
      stubSale('first', { sold: '2025-01-31T23:59:59Z', pre_key: 'PRE', tax_total: '1.50' }),
      stubSale('second', {
        sold: '2025-01-31T23:59:59Z',
        affiliate: stubAffiliate(7),
        status: 'refunded',
        status_of_2: 'REFUNDED',
        refund: stubRefund('2025-03-01T00:00:00Z', { affiliate: '-1.00' }),
        customer: { ...customer, processor_email: customer.email },
      }),
    ],
    relationships: [stubRelationship(7, 10, { custom_commission: 40 })],
    payments: [stubPayment('PRE')],
  });
  const names = 'service=acme,processor=paymenthouse';

  afterAll(() => {
    upstream.stop();
  });

  async function results(path: string) {
    const port = mirror?.service.port ?? 0;
    return envelopeOf(await send(port, { path, headers: basic(mirror?.key ?? '') })).results;
  }

  it('shows it in the words, the times and the order of this one', async () => {
    mirror = await MirrorUnderTest.start(MIRRORED_VENDOR, await upstream.start());
    await mirror.ledger.mustImport([user(OTHER_VENDOR), user(7, { display_name: 'Secret' })]);
    const ofAnother = `UPDATE users SET source_vendor_id = ${OTHER_VENDOR} WHERE id = 7`;
    await mirror.ledger.run(ofAnother);
    await mirror.add(upstream.url, STUB_KEY, names);
    await mirror.run(true);
    const range = 'start_date=2025-01-31&end_date=2025-01-31';
    expect(await results(`/v3.0/transactions?${range}`)).toMatchObject([
      {
        transaction_id: 'second',
        sale_date: '2025-01-31T23:59:59+00:00',
        status: 'refunded',
        affiliate: { id: 7, display_name: null },
        payouts: { service_fee: '7.00' },
        refund: {
          refund_date: '2025-03-01T00:00:00+00:00',
          service_fee_adjustment: '-7.00',
          affiliate_refund_impact: '-1.00',
        },
      },
      { transaction_id: 'first', status: 'settled', affiliate: null, refund: null },
    ]);
    expect(await results('/v2.1/transaction/details/first')).toMatchObject([
      {
        date: '2025-01-31 23:59:59',
        processor_email: 'ada@pay.example',
        pre_key: 'PRE',
        tax_total: '1.50',
        affiliate_id: '',
        vendor_id: '1',
      },
    ]);
    expect(await results('/v2.1/transaction/details/second')).toMatchObject([
      {
        affiliate_id: '7',
        affiliate_name: 'Affiliate 7',
        affiliate_email: 'affiliate7@example.test',
        processor_email: customer.email,
      },
    ]);
    // The name from the other vendor's source still exists, but only the other vendor sees it.
    const row = await mirror.ledger.rows('SELECT name, display_name FROM users WHERE id = 7');
    expect(row).toEqual([{ name: 'User 7', display_name: 'Secret' }]);
    // The processor e-mail is stored only if it differs.
    const stored =
      'SELECT customer_processor_email AS email FROM transactions ORDER BY transaction_id';
    expect(await mirror.ledger.rows(stored)).toEqual([
      { email: 'ada@pay.example' },
      { email: null },
    ]);
    expect(await results('/v2.1/affiliates/7/products/10')).toMatchObject([
      { custom_commission: 40, created: '2025-05-01T06:00:00+00:00' },
    ]);
    expect(await results('/v2.0/recurring_payment/PRE')).toMatchObject([
      { processor_email: 'ada@pay.example', next_date: '2025-07-01T12:00:00+00:00' },
    ]);
  });
});
