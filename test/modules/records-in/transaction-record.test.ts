import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  payoutItem,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { TRACKING_NAMES } from '../../support/oracles/shape.js';
import type { RawRow } from '../../support/sql/raw-connection.js';
import { TestLedger } from '../../support/builders/test-ledger.js';

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
const TAXES = ['tax_total', 'international_sales_tax', 'national_sales_tax', 'vat_tax'];

const FULL_SALE = transaction('full', 10, {
  sale_date: '2025-06-01T14:03:11-04:00',
  amount: '47.5',
  status: 'refunded',
  pre_key: 'PRE-1',
  customer: {
    email: 'c@example.test',
    first_name: 'Ada',
    last_name: 'Byron',
    ip: '192.0.2.9',
    phone: '+1 555 0100',
    processor_email: 'p@example.test',
  },
  affiliate_id: 2,
  affiliate_commission_status: 'PAYMENT_ERROR',
  tracking: Object.fromEntries(TRACKING_NAMES.map((field) => [field, `value of ${field}`])),
  payouts: {
    seller_earnings: '30.00',
    affiliate_payout: '8',
    agent_payout: '1.10',
    jv_payout: '0.90',
    service_fee: '-7.50',
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

const OPTIONAL = [
  'pre_key',
  'affiliate_id',
  'affiliate_commission_status',
  'tracking',
  'payout_items',
  'refund',
  'taxes',
  'shipping_fee',
  'delivery',
];

let ledger: TestLedger;

beforeAll(async () => {
  ledger = await TestLedger.create();
  const nulls = (fields: readonly string[]) =>
    Object.fromEntries(fields.map((field) => [field, null]));
  await ledger.mustImport([
    user(1),
    user(2),
    product(10, 1),
    recurringPayment('PRE-1', 10),
    FULL_SALE,
    transaction('least', 10),
    transaction('nulls', 10, nulls(OPTIONAL)),
    transaction('inner-nulls', 10, {
      customer: { ...FULL_SALE.customer, ip: null, phone: null, processor_email: null },
      tracking: nulls(TRACKING_NAMES),
      taxes: nulls(TAXES),
      delivery: nulls(DELIVERY),
      payout_items: [],
    }),
  ]);
});
afterAll(() => ledger.drop());

async function rowOf(table: string, where: string): Promise<RawRow> {
  const [row, ...more] = await ledger.rows(`SELECT * FROM ${table} WHERE ${where}`);
  if (row === undefined || more.length > 0) throw new Error(`one row expected of ${table}`);
  return row;
}

/** Columns of a transaction's place in the feed of changes. */
const FEED_PLACE = ['sequence', 'changed_at'];

/** Returns a row without these columns. */
function rest(row: RawRow, ...without: string[]): RawRow {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !without.includes(column)));
}

describe('A transaction record', () => {
  it('is stored with all its fields, money in cents and date-times in UTC', async () => {
    const tracking = TRACKING_NAMES.map((field) => [field, `value of ${field}`]);
    const delivery = DELIVERY.map((field) => [`delivery_${field}`, `delivery ${field}`]);
    const row = await rowOf('transactions', "transaction_id = 'full'");
    expect(rest(row, 'rendered', ...FEED_PLACE)).toEqual({
      vendor_id: 1,
      arrival: 1,
      transaction_id: 'full',
      product_id: 10,
      product_name: 'Product 10',
      sale_date: '2025-06-01 18:03:11',
      amount: 4750,
      status: 'refunded',
      pre_key: 'PRE-1',
      customer_email: 'c@example.test',
      customer_first_name: 'Ada',
      customer_last_name: 'Byron',
      customer_ip: '192.0.2.9',
      customer_phone: '+1 555 0100',
      customer_processor_email: 'p@example.test',
      affiliate_id: 2,
      affiliate_commission_status: 'PAYMENT_ERROR',
      seller_earnings: 3000,
      affiliate_payout: 800,
      agent_payout: 110,
      jv_payout: 90,
      service_fee: -750,
      refund_date: '2025-06-02 23:30:00',
      refund_amount: 4750,
      seller_refund_impact: -4000,
      affiliate_refund_impact: -800,
      agent_refund_impact: 0,
      jv_refund_impact: 0,
      service_fee_adjustment: -700,
      refunded_sale_date: '2025-06-01 18:03:11',
      shipping_fee: 4123456,
      tax_total: 25,
      international_sales_tax: 125,
      national_sales_tax: 225,
      vat_tax: 325,
      ...Object.fromEntries([...tracking, ...delivery]),
      customer_email_folded: null,
      customer_processor_email_folded: null,
      reasons: null,
      record_version: null,
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

  it('is unpaid and has null values with only the required fields', async () => {
    const unknown = [
      'pre_key',
      'customer_ip',
      'customer_phone',
      'customer_processor_email',
      'affiliate_id',
      'shipping_fee',
      'refund_date',
      'refund_amount',
      'refunded_sale_date',
      ...TAXES,
      ...TRACKING_NAMES,
      ...DELIVERY.map((field) => `delivery_${field}`),
    ];
    expect(await rowOf('transactions', "transaction_id = 'least'")).toMatchObject({
      affiliate_commission_status: 'UNPAID',
      ...Object.fromEntries(unknown.map((column) => [column, null])),
    });
  });

  it.each(['nulls', 'inner-nulls'])('treats null like an absent field (%s)', async (id) => {
    const own = [...FEED_PLACE, 'transaction_id', 'arrival', 'customer_email', 'rendered'];
    const least = rest(await rowOf('transactions', "transaction_id = 'least'"), ...own);
    expect(rest(await rowOf('transactions', `transaction_id = '${id}'`), ...own)).toEqual(least);
  });
});
