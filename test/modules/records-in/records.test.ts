import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  affiliation,
  clicks,
  product,
  recurringPayment,
  user,
} from '../../support/builders/ledger-records.js';
import type { RawRow } from '../../support/sql/raw-connection.js';
import { TestLedger } from '../../support/builders/test-ledger.js';

/** The optional fields of each type. An absent field and null have the same meaning. */
const OPTIONAL = {
  user: ['display_name', 'processor_email', 'status'],
  affiliation: [
    'comments',
    'custom_commission',
    'delayed_commission',
    'custom_sales_page_url',
    'custom_payment_1st_payout',
    'custom_payment_trial_payout',
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
      comments: 'Please',
      custom_commission: 100,
      delayed_commission: true,
      custom_sales_page_url: 'https://www.example/page',
      custom_payment_1st_payout: 3,
      custom_payment_trial_payout: 0,
    }),
    affiliation(2, 11, { status: 'REQUESTED' }),
    affiliation(3, 11, { status: 'DENIED', ...nulls('affiliation') }),
    recurringPayment('PRE-1', 10, {
      code: 'C',
      payout: '1.99',
      tid: 't',
      vtid: 'v',
      has_payment_trial: true,
    }),
    recurringPayment('PRE-2', 10, { status: 'CANCELED' }),
    recurringPayment('PRE-3', 10, { status: 'COMPLETED', ...nulls('recurring_payment') }),
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

describe('A user record', () => {
  it('is stored with all its fields, except the e-mail at the processor', async () => {
    expect(await rowOf('users', 'id = 1')).toEqual({
      id: 1,
      name: 'User 1',
      email: 'user1@example.test',
      display_name: 'Vendor',
      processor_email: '',
      status: 'suspended',
      record_version: null,
      sign_in_email: 'user1@example.test',
      source_vendor_id: null,
      admitted: null,
    });
  });

  it('is active and has no display name by default', async () => {
    expect(await rowOf('users', 'id = 2')).toEqual({
      id: 2,
      name: 'User 2',
      email: 'user2@example.test',
      display_name: null,
      processor_email: '',
      sign_in_email: 'user2@example.test',
      status: 'active',
      record_version: null,
      source_vendor_id: null,
      admitted: null,
    });
  });

  it('treats null like an absent field', async () => {
    expect(await rowOf('users', 'id = 3')).toEqual({
      id: 3,
      name: 'User 3',
      email: 'user3@example.test',
      display_name: null,
      processor_email: '',
      sign_in_email: 'user3@example.test',
      status: 'active',
      record_version: null,
      source_vendor_id: null,
      admitted: null,
    });
  });
});

describe('A product record', () => {
  it('is stored with all its fields', async () => {
    expect(await rowOf('products', 'id = 10')).toEqual({
      id: 10,
      vendor_id: 1,
      name: 'Product 10',
      record_version: null,
      source_vendor_id: null,
      source_version: null,
    });
  });
});

describe('An affiliation record', () => {
  it('is stored with all its fields', async () => {
    expect(await rowOf('affiliations', 'affiliate_id = 2 AND product_id = 10')).toEqual({
      affiliate_id: 2,
      product_id: 10,
      created: '2025-05-01 06:00:00',
      status: 'APPROVED',
      comments: 'Please',
      custom_commission: 100,
      delayed_commission: 1,
      custom_sales_page_url: 'https://www.example/page',
      custom_payment_1st_payout: 3,
      custom_payment_trial_payout: 0,
      overruled: null,
      record_version: null,
    });
  });

  it.each([
    ['absent', 'affiliate_id = 2 AND product_id = 11'],
    ['null', 'affiliate_id = 3 AND product_id = 11'],
  ])('has null values and is not delayed if the optional fields are %s', async (_, where) => {
    expect(await rowOf('affiliations', where)).toMatchObject({
      comments: null,
      custom_commission: null,
      delayed_commission: 0,
      custom_sales_page_url: null,
      custom_payment_1st_payout: null,
      custom_payment_trial_payout: null,
    });
  });
});

describe('A recurring_payment record', () => {
  it('is stored with all its fields, money in cents and date-times in UTC', async () => {
    expect(await rowOf('recurring_payments', "pre_key = 'PRE-1'")).toEqual({
      pre_key: 'PRE-1',
      id: 1,
      product_id: 10,
      status: 'ACTIVE',
      current_payments: 1,
      max_number_of_payments: 12,
      max_total_of_all_payments: 56400,
      max_amount_per_payment: 4700,
      next_payment: '2025-07-01 12:00:00',
      processor_email: 'processor@example.test',
      contact_email: 'contact@example.test',
      code: 'C',
      price: 4700,
      payment_period: 30,
      payment_count: 12,
      payment_first_payout: 2000,
      has_payment_trial: 1,
      payment_trial_price: 0,
      payment_trial_period: 0,
      payment_trial_payout: 0,
      payout: 199,
      current_payments_amount: 4700,
      created: '2025-06-01 12:00:00',
      sender_email: 'sender@example.test',
      last_date: '2025-06-01 12:00:00',
      next_date: '2025-07-01 12:00:00',
      status_word: null,
      processor_email_folded: null,
      contact_email_folded: null,
      sender_email_folded: null,
      ip: '192.0.2.1',
      referrer: 'https://www.example/',
      tid: 't',
      vtid: 'v',
      overruled: null,
      record_version: null,
      vendor_id: 1,
    });
  });

  it.each([
    ['absent', 'PRE-2', 'CANCELED'],
    ['null', 'PRE-3', 'COMPLETED'],
  ])('has no code, payout, tid and vtid if they are %s', async (_, pre_key, status) => {
    expect(await rowOf('recurring_payments', `pre_key = '${pre_key}'`)).toMatchObject({
      status,
      code: null,
      payout: null,
      tid: null,
      vtid: null,
    });
  });
});

describe('A clicks record', () => {
  it('is stored with all its fields', async () => {
    const key = { affiliate_id: 2, date: '2025-06-01', record_version: null };
    expect((await ledger.dump()).daily_clicks).toEqual([
      { ...key, product_id: 10, clicks: 12, unique_clicks: 9 },
      { ...key, product_id: 11, clicks: 0, unique_clicks: 0 },
    ]);
  });
});
