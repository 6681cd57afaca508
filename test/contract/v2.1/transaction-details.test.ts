import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import {
  payoutItem,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { ODD_KEYS, unknownKeysLike } from '../../support/builders/odd-keys.js';
import { resultOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';
import { TEXTS } from '../../support/random/texts.js';

const [VENDOR, NAMED, UNNAMED] = [1, 2, 3];
const DELIVERY = [
  'name',
  'phone',
  'address_line_1',
  'address_line_2',
  'city',
  'region',
  'postal_code',
  'country',
];
const deliveryOf = (text: (field: string) => string) =>
  Object.fromEntries(DELIVERY.map((field) => [field, text(field)]));
const presentedDelivery = (text: (field: string) => string) =>
  Object.fromEntries(DELIVERY.map((field) => [`delivery_${field}`, text(field)]));

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(VENDOR, {
      name: 'The Vendor',
      display_name: 'As an affiliate',
      // This field is read and not stored.
      processor_email: 'processor@vendor.test',
    }),
    user(NAMED, { display_name: 'Affiliate Zoë' }),
    user(UNNAMED),
    product(10, VENDOR, { name: 'Its name today' }),
    recurringPayment('PRE-1', 10),
    transaction('bare', 10),
    transaction('full', 10, {
      sale_date: '2025-06-01T14:03:11.987-04:00',
      product_name: 'Its name then',
      amount: '1234.5',
      pre_key: 'PRE-1',
      customer: {
        email: 'ada@example.test',
        processor_email: 'ada@processor.test',
        first_name: 'Ada',
        last_name: 'Byron',
        ip: '2001:db8::1',
        phone: '+44 20 7946 0000',
      },
      affiliate_id: NAMED,
      tracking: { tid: 'the tid', vtid: 'the vtid', custom: 'not shown' },
      taxes: {
        tax_total: '19.1',
        international_sales_tax: '0.29',
        national_sales_tax: '9999999999999.99',
        vat_tax: '-7',
      },
      shipping_fee: '4.5',
      delivery: deliveryOf((field) => `the ${field}`),
      payout_items: [
        payoutItem(VENDOR, { payee_amount: '40' }),
        payoutItem(NAMED, {
          payee_amount: '-0.50',
          payee_name: 'Zoë',
          payout_type: 'AFFILIATE',
          payment_processor: 'WALLET',
          payout_status: 'UNPAID',
        }),
        payoutItem(VENDOR, { payee_amount: '0' }),
      ],
    }),
    transaction('unnamed-affiliate', 10, { affiliate_id: UNNAMED }),
    transaction('empty-texts', 10, {
      customer: { email: '', first_name: '', last_name: '', ip: '', phone: '' },
      tracking: { tid: '', vtid: '' },
    }),
    transaction('some-taxes', 10, { taxes: { vat_tax: '1.20' }, delivery: { city: 'Paris' } }),
    ...['pending', 'completed', 'refunded', 'charged_back'].map((status) =>
      transaction(`is-${status}`, 10, { status }),
    ),
    ...TEXTS.map(([, text], index) =>
      transaction(`text-${index}`, 10, {
        product_name: text,
        customer: { email: text, first_name: text, last_name: text, ip: text, phone: text },
        tracking: { tid: text, vtid: text },
        delivery: deliveryOf(() => text),
        payout_items: [payoutItem(VENDOR, { payee_name: text, payout_type: text })],
      }),
    ),
    ...ODD_KEYS.map((id) => transaction(id, 10, { product_name: `sold as ${id}` })),
  ]);
  key = await service.key(VENDOR);
});
afterAll(() => service.stop());

function read(paykey: string) {
  return resultOf(service, `/v2.1/transaction/details/${encodeURIComponent(paykey)}`, key);
}

const BARE = {
  date: '2025-06-01 12:00:00',
  product_name: 'Product 10',
  product_id: '10',
  status: 'COMPLETED',
  total: '47.00',
  pre_key: null,
  tid: null,
  vtid: null,
  tax_total: '0.00',
  international_sales_tax: 0,
  national_sales_tax: 0,
  vat_tax: 0,
  shipping_fee: '0.000000',
  processor_email: 'customer@example.test',
  vendor_id: String(VENDOR),
  vendor_name: 'The Vendor',
  vendor_email: 'user1@example.test',
  affiliate_id: '',
  affiliate_name: '',
  affiliate_email: '',
  customer_first_name: 'Ada',
  customer_last_name: 'Byron',
  customer_email: 'customer@example.test',
  customer_ip: '',
  customer_phone: '',
  ...presentedDelivery(() => ''),
  transactionPayouts: [],
};

describe('GET /v2.1/transaction/details/{paykey}', () => {
  it('gives empty texts, zeroes and nulls for all that is not known', async () => {
    expect(await read('bare')).toEqual(BARE);
  });

  it('gives every value of a transaction that has them all', async () => {
    expect(await read('full')).toEqual({
      ...BARE,
      date: '2025-06-01 18:03:11',
      product_name: 'Its name then',
      total: '1234.50',
      pre_key: 'PRE-1',
      tid: 'the tid',
      vtid: 'the vtid',
      tax_total: '19.10',
      international_sales_tax: 0.29,
      national_sales_tax: 9999999999999.99,
      vat_tax: -7,
      shipping_fee: '4.500000',
      processor_email: 'ada@processor.test',
      affiliate_id: String(NAMED),
      affiliate_name: 'Affiliate Zoë',
      affiliate_email: 'user2@example.test',
      customer_email: 'ada@example.test',
      customer_ip: '2001:db8::1',
      customer_phone: '+44 20 7946 0000',
      ...presentedDelivery((field) => `the ${field}`),
      transactionPayouts: [
        {
          payee_amount: '40.00',
          payee_user_id: '1',
          payee_name: 'User 1',
          payout_type: 'VENDOR',
          payment_processor: 'BANK',
          payout_status: 'PAID',
        },
        {
          payee_amount: '-0.50',
          payee_user_id: '2',
          payee_name: 'Zoë',
          payout_type: 'AFFILIATE',
          payment_processor: 'WALLET',
          payout_status: 'UNPAID',
        },
        {
          payee_amount: '0.00',
          payee_user_id: '1',
          payee_name: 'User 1',
          payout_type: 'VENDOR',
          payment_processor: 'BANK',
          payout_status: 'PAID',
        },
      ],
    });
  });

  it('gives the name of an affiliate that has no display name', async () => {
    expect(await read('unnamed-affiliate')).toMatchObject({
      affiliate_id: String(UNNAMED),
      affiliate_name: 'User 3',
      affiliate_email: 'user3@example.test',
    });
  });

  it('gives empty texts as they are, an empty tid and vtid too', async () => {
    expect(await read('empty-texts')).toMatchObject({
      tid: '',
      vtid: '',
      customer_first_name: '',
      customer_last_name: '',
      processor_email: '',
      customer_email: '',
      customer_ip: '',
      customer_phone: '',
    });
  });

  it('gives each tax and each part of the delivery for itself', async () => {
    expect(await read('some-taxes')).toEqual({ ...BARE, vat_tax: 1.2, delivery_city: 'Paris' });
  });

  it.each([
    ['pending', 'PENDING'],
    ['completed', 'COMPLETED'],
    ['refunded', 'REFUNDED'],
    ['charged_back', 'CHARGEBACK'],
  ])('names the status %s of the ledger %s', async (status, named) => {
    expect(await read(`is-${status}`)).toMatchObject({ status: named });
  });

  it.each(TEXTS.map(([name, text], index) => ({ name, text, id: `text-${index}` })))(
    'gives $name back character by character',
    async ({ text, id }) => {
      expect(await read(id)).toMatchObject({
        product_name: text,
        tid: text,
        vtid: text,
        customer_first_name: text,
        customer_email: text,
        customer_ip: text,
        customer_phone: text,
        ...presentedDelivery(() => text),
        transactionPayouts: [{ payee_name: text, payout_type: text }],
      });
    },
  );

  it.each(ODD_KEYS)('finds a paykey that is percent-encoded: %s', async (id) => {
    expect(await read(id)).toMatchObject({ product_name: `sold as ${id}` });
  });

  it.each(unknownKeysLike('bare'))(
    'is 4040 for a paykey that differs by little: %j',
    async (id) => {
      const path = `/v2.1/transaction/details/${encodeURIComponent(id)}`;
      expectFailure(await service.get(path, key), 4040, '2.1');
    },
  );
});
