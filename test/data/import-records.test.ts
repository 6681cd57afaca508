import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  clicks,
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../support/ledger-records.js';
import type { RawRow } from '../support/raw-connection.js';
import { TestLedger } from '../support/test-ledger.js';

const TRACKING = [
  ...['vtid', 'custom', 'tid', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content'],
  ...['utm_term', 'sub_id1', 'sub_id2', 'sub_id3', 'sub_id4', 'sub_id5', 'gclid', 'fbclid'],
  ...['msclkid', 'ttclid', 'li_fat_id', 'twclid', 'yclid', 'other_params'],
];
const DELIVERY = [
  ...['name', 'phone', 'address_line_1', 'address_line_2', 'city', 'region'],
  ...['postal_code', 'country'],
];
const TAXES = ['tax_total', 'international_sales_tax', 'national_sales_tax', 'vat_tax'];

const FULL_SALE = transaction('full', 10, {
  sale_date: '2025-06-01T14:03:11-04:00',
  amount: '47.5',
  status: 'refunded',
  pre_key: 'PRE-1',
  customer: {
    ...{ email: 'c@example.test', first_name: 'Ada', last_name: 'Byron' },
    ...{ ip: '192.0.2.9', phone: '+1 555 0100' },
  },
  affiliate_id: 2,
  affiliate_commission_status: 'PAYMENT_ERROR',
  tracking: Object.fromEntries(TRACKING.map((field) => [field, `value of ${field}`])),
  payouts: {
    ...{ seller_earnings: '30.00', affiliate_payout: '8', agent_payout: '1.10' },
    ...{ jv_payout: '0.90', service_fee: '-7.50' },
  },
  payout_items: [payoutItem(2, { payee_amount: '-0.01' }), payoutItem(1)],
  refund: refund('2025-06-03T00:30:00+01:00', {
    refund_amount: '47.50',
    affiliate_refund_impact: '-8.00',
  }),
  taxes: Object.fromEntries(TAXES.map((field, index) => [field, `${index}.25`])),
  shipping_fee: '4.123456',
  delivery: Object.fromEntries(DELIVERY.map((field) => [field, `delivery ${field}`])),
});

/** The optional fields of each type; absent and null are the same. */
const OPTIONAL = {
  user: ['display_name', 'processor_email', 'status'],
  affiliation: [
    ...['comments', 'custom_commission', 'delayed_commission', 'custom_sales_page_url'],
    ...['custom_payment_1st_payout', 'custom_payment_trial_payout'],
  ],
  transaction: [
    ...['pre_key', 'affiliate_id', 'affiliate_commission_status', 'tracking', 'payout_items'],
    ...['refund', 'taxes', 'shipping_fee', 'delivery'],
  ],
  recurring_payment: ['code', 'payout', 'tid', 'vtid'],
};

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await TestLedger.create();
  const nulls = (type: keyof typeof OPTIONAL) =>
    Object.fromEntries(OPTIONAL[type].map((field) => [field, null]));
  await ledger.mustImport([
    user(1, { display_name: 'Vendor', processor_email: 'p@example.test', status: 'suspended' }),
    user(2),
    user(3, nulls('user')),
    product(10, 1),
    product(11, 1),
    affiliation(2, 10, {
      ...{ comments: 'Please', custom_commission: 100, delayed_commission: true },
      ...{ custom_sales_page_url: 'https://www.example/page' },
      ...{ custom_payment_1st_payout: 3, custom_payment_trial_payout: 0 },
    }),
    affiliation(2, 11, { status: 'REQUESTED' }),
    affiliation(3, 11, { status: 'DENIED', ...nulls('affiliation') }),
    recurringPayment('PRE-1', 10, {
      ...{ code: 'C', payout: '1.99', tid: 't', vtid: 'v', has_payment_trial: true },
    }),
    recurringPayment('PRE-2', 10, { status: 'CANCELED' }),
    recurringPayment('PRE-3', 10, { status: 'COMPLETED', ...nulls('recurring_payment') }),
    FULL_SALE,
    transaction('least', 10),
    transaction('nulls', 10, nulls('transaction')),
    transaction('inner-nulls', 10, {
      customer: { ...FULL_SALE.customer, ip: null, phone: null },
      tracking: Object.fromEntries(TRACKING.map((field) => [field, null])),
      taxes: Object.fromEntries(TAXES.map((field) => [field, null])),
      delivery: Object.fromEntries(DELIVERY.map((field) => [field, null])),
      payout_items: [],
    }),
    clicks(2, 10),
    clicks(2, 11, { clicks: 0, unique_clicks: 0 }),
  ]);
});
afterAll(() => ledger.drop());

async function rowOf(table: string, where: string): Promise<RawRow> {
  const [row, ...more] = await ledger.rows(`SELECT * FROM ${table} WHERE ${where}`);
  if (row === undefined || more.length > 0) throw new Error(`one row expected of ${table}`);
  return row;
}

/** A row without what names it. */
function rest(row: RawRow, ...without: string[]): RawRow {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !without.includes(column)));
}

describe('A user record', () => {
  it('is kept with all its fields', async () => {
    expect(await rowOf('users', 'id = 1')).toEqual({
      ...{ id: 1, name: 'User 1', email: 'user1@example.test', display_name: 'Vendor' },
      ...{ processor_email: 'p@example.test', status: 'suspended' },
    });
  });

  it('is active, has no display name and is paid at its e-mail where it says nothing else', async () => {
    expect(await rowOf('users', 'id = 2')).toEqual({
      ...{ id: 2, name: 'User 2', email: 'user2@example.test', display_name: null },
      ...{ processor_email: 'user2@example.test', status: 'active' },
    });
  });

  it('takes null as it takes an absent field', async () => {
    expect(await rowOf('users', 'id = 3')).toEqual({
      ...{ id: 3, name: 'User 3', email: 'user3@example.test', display_name: null },
      ...{ processor_email: 'user3@example.test', status: 'active' },
    });
  });
});

describe('A product record', () => {
  it('is kept with all its fields', async () => {
    expect(await rowOf('products', 'id = 10')).toEqual({
      id: 10,
      vendor_id: 1,
      name: 'Product 10',
    });
  });
});

describe('An affiliation record', () => {
  it('is kept with all its fields', async () => {
    expect(await rowOf('affiliations', 'affiliate_id = 2 AND product_id = 10')).toEqual({
      ...{ affiliate_id: 2, product_id: 10, created: '2025-05-01 06:00:00', status: 'APPROVED' },
      ...{ comments: 'Please', custom_commission: 100, delayed_commission: 1 },
      custom_sales_page_url: 'https://www.example/page',
      ...{ custom_payment_1st_payout: 3, custom_payment_trial_payout: 0 },
    });
  });

  it.each([
    ['absent', 'affiliate_id = 2 AND product_id = 11'],
    ['null', 'affiliate_id = 3 AND product_id = 11'],
  ])('knows nothing more and is not delayed where the optional fields are %s', async (_, where) => {
    expect(await rowOf('affiliations', where)).toMatchObject({
      ...{ comments: null, custom_commission: null, delayed_commission: 0 },
      ...{ custom_sales_page_url: null, custom_payment_1st_payout: null },
      custom_payment_trial_payout: null,
    });
  });
});

describe('A recurring_payment record', () => {
  it('is kept with all its fields, money in cents and date-times in UTC', async () => {
    expect(await rowOf('recurring_payments', "pre_key = 'PRE-1'")).toEqual({
      ...{ pre_key: 'PRE-1', id: 1, product_id: 10, status: 'ACTIVE', current_payments: 1 },
      ...{ max_number_of_payments: 12, max_total_of_all_payments: 56400 },
      ...{ max_amount_per_payment: 4700, next_payment: '2025-07-01 12:00:00' },
      ...{ processor_email: 'processor@example.test', contact_email: 'contact@example.test' },
      ...{ code: 'C', price: 4700, payment_period: 30, payment_count: 12 },
      ...{ payment_first_payout: 2000, has_payment_trial: 1, payment_trial_price: 0 },
      ...{ payment_trial_period: 0, payment_trial_payout: 0, payout: 199 },
      ...{ current_payments_amount: 4700, created: '2025-06-01 12:00:00' },
      ...{ sender_email: 'sender@example.test', last_date: '2025-06-01 12:00:00' },
      ...{ next_date: '2025-07-01 12:00:00', ip: '192.0.2.1', referrer: 'https://www.example/' },
      ...{ tid: 't', vtid: 'v' },
    });
  });

  it.each([
    ['absent', 'PRE-2', 'CANCELED'],
    ['null', 'PRE-3', 'COMPLETED'],
  ])('has no code, payout, tid and vtid where they are %s', async (_, pre_key, status) => {
    expect(await rowOf('recurring_payments', `pre_key = '${pre_key}'`)).toMatchObject({
      ...{ status, code: null, payout: null, tid: null, vtid: null },
    });
  });
});

describe('A transaction record', () => {
  it('is kept with all its fields, money in cents and date-times in UTC', async () => {
    const tracking = TRACKING.map((field) => [field, `value of ${field}`]);
    const delivery = DELIVERY.map((field) => [`delivery_${field}`, `delivery ${field}`]);
    expect(await rowOf('transactions', "transaction_id = 'full'")).toEqual({
      ...{ vendor_id: 1, arrival: 1, transaction_id: 'full', product_id: 10 },
      ...{ product_name: 'Product 10', sale_date: '2025-06-01 18:03:11', amount: 4750 },
      ...{ status: 'refunded', pre_key: 'PRE-1', customer_email: 'c@example.test' },
      ...{ customer_first_name: 'Ada', customer_last_name: 'Byron', customer_ip: '192.0.2.9' },
      ...{ customer_phone: '+1 555 0100', affiliate_id: 2 },
      affiliate_commission_status: 'PAYMENT_ERROR',
      ...{ seller_earnings: 3000, affiliate_payout: 800, agent_payout: 110 },
      ...{ jv_payout: 90, service_fee: -750, refund_date: '2025-06-02 23:30:00' },
      ...{ refund_amount: 4750, seller_refund_impact: -4000, affiliate_refund_impact: -800 },
      ...{ agent_refund_impact: 0, jv_refund_impact: 0, service_fee_adjustment: -700 },
      ...{ refunded_sale_date: '2025-06-01 18:03:11', shipping_fee: 4123456 },
      ...{ tax_total: 25, international_sales_tax: 125, national_sales_tax: 225, vat_tax: 325 },
      ...Object.fromEntries([...tracking, ...delivery]),
    });
  });

  it('keeps its payout items in the order of the file', async () => {
    const rows = await ledger.rows('SELECT * FROM payout_items ORDER BY arrival, position');
    const place = { vendor_id: 1, arrival: 1 };
    const kind = { payout_type: 'VENDOR', payment_processor: 'BANK', payout_status: 'PAID' };
    expect(rows).toEqual([
      { ...place, position: 1, payee_amount: -1, payee_user_id: 2, payee_name: 'User 2', ...kind },
      {
        ...place,
        position: 2,
        payee_amount: 4000,
        payee_user_id: 1,
        payee_name: 'User 1',
        ...kind,
      },
    ]);
  });

  it('is unpaid and has nothing else where it says no more than it must', async () => {
    const unknown = [
      ...['pre_key', 'customer_ip', 'customer_phone', 'affiliate_id', 'shipping_fee'],
      ...['refund_date', 'refund_amount', 'refunded_sale_date', ...TAXES, ...TRACKING],
      ...DELIVERY.map((field) => `delivery_${field}`),
    ];
    expect(await rowOf('transactions', "transaction_id = 'least'")).toMatchObject({
      affiliate_commission_status: 'UNPAID',
      ...Object.fromEntries(unknown.map((column) => [column, null])),
    });
  });

  it.each(['nulls', 'inner-nulls'])('takes null as it takes an absent field (%s)', async (id) => {
    const own = ['transaction_id', 'arrival', 'customer_email'];
    const least = rest(await rowOf('transactions', "transaction_id = 'least'"), ...own);
    expect(rest(await rowOf('transactions', `transaction_id = '${id}'`), ...own)).toEqual(least);
  });
});

describe('A clicks record', () => {
  it('is kept with all its fields', async () => {
    const key = { affiliate_id: 2, date: '2025-06-01' };
    expect((await ledger.dump()).daily_clicks).toEqual([
      { ...key, product_id: 10, clicks: 12, unique_clicks: 9 },
      { ...key, product_id: 11, clicks: 0, unique_clicks: 0 },
    ]);
  });
});
