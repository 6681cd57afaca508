import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTables, type Table } from './create-table.js';

const ID = 'BIGINT NOT NULL';
const MONEY = 'BIGINT NOT NULL';
const COUNT = 'BIGINT NOT NULL';
const TEXT = 'VARCHAR(255) NOT NULL';
const WORD = 'VARCHAR(32) NOT NULL';
const DATE_TIME = 'DATETIME NOT NULL';
const DAY = 'DATE NOT NULL';
const FLAG = 'TINYINT NOT NULL';

const ACCOUNTS: readonly Table[] = [
  {
    name: 'users',
    columns: {
      id: ID,
      name: TEXT,
      email: TEXT,
      display_name: 'VARCHAR(255)',
      processor_email: TEXT,
      status: WORD,
    },
    primaryKey: ['id'],
  },
  {
    name: 'api_applications',
    columns: {
      id: 'GENERATED',
      user_id: ID,
      name: TEXT,
      state: WORD,
      created: DATE_TIME,
      expires: 'DATETIME',
      address_allow_list: 'TEXT',
    },
    primaryKey: [],
    indexes: [{ name: 'api_applications_by_user', columns: ['user_id'] }],
  },
  {
    name: 'api_keys',
    columns: {
      key_hash: 'VARCHAR(64) NOT NULL',
      application_id: ID,
      encrypted_key: TEXT,
      created: DATE_TIME,
      expires: 'DATETIME',
    },
    primaryKey: ['key_hash'],
    indexes: [{ name: 'api_keys_by_application', columns: ['application_id'] }],
  },
];

const CATALOG: readonly Table[] = [
  {
    name: 'products',
    columns: { id: ID, vendor_id: ID, name: TEXT },
    primaryKey: ['id'],
    indexes: [{ name: 'products_by_vendor', columns: ['vendor_id', 'id'] }],
  },
  {
    name: 'affiliations',
    columns: {
      affiliate_id: ID,
      product_id: ID,
      created: DATE_TIME,
      status: WORD,
      comments: 'TEXT',
      custom_commission: 'BIGINT',
      delayed_commission: FLAG,
      custom_sales_page_url: 'VARCHAR(2048)',
      custom_payment_1st_payout: 'BIGINT',
      custom_payment_trial_payout: 'BIGINT',
    },
    primaryKey: ['affiliate_id', 'product_id'],
  },
  {
    name: 'daily_clicks',
    columns: { affiliate_id: ID, product_id: ID, date: DAY, clicks: COUNT, unique_clicks: COUNT },
    primaryKey: ['affiliate_id', 'product_id', 'date'],
  },
  {
    name: 'recurring_payments',
    columns: {
      pre_key: TEXT,
      id: ID,
      product_id: ID,
      status: WORD,
      current_payments: COUNT,
      max_number_of_payments: COUNT,
      max_total_of_all_payments: MONEY,
      max_amount_per_payment: MONEY,
      next_payment: DATE_TIME,
      processor_email: TEXT,
      contact_email: TEXT,
      code: 'VARCHAR(255)',
      price: MONEY,
      payment_period: COUNT,
      payment_count: COUNT,
      payment_first_payout: MONEY,
      has_payment_trial: FLAG,
      payment_trial_price: MONEY,
      payment_trial_period: COUNT,
      payment_trial_payout: MONEY,
      payout: 'BIGINT',
      current_payments_amount: MONEY,
      created: DATE_TIME,
      sender_email: TEXT,
      last_date: DATE_TIME,
      next_date: DATE_TIME,
      ip: TEXT,
      referrer: 'TEXT NOT NULL',
      tid: 'TEXT',
      vtid: 'TEXT',
    },
    primaryKey: ['pre_key'],
  },
];

const TRANSACTIONS: Table = {
  name: 'transactions',
  columns: {
    vendor_id: ID,
    arrival: COUNT,
    transaction_id: 'VARCHAR(64) NOT NULL',
    product_id: ID,
    product_name: TEXT,
    sale_date: DATE_TIME,
    amount: MONEY,
    status: WORD,
    pre_key: 'VARCHAR(255)',
    customer_email: TEXT,
    customer_first_name: TEXT,
    customer_last_name: TEXT,
    customer_ip: 'VARCHAR(255)',
    customer_phone: 'VARCHAR(255)',
    affiliate_id: 'BIGINT',
    affiliate_commission_status: WORD,
    vtid: 'TEXT',
    custom: 'TEXT',
    tid: 'TEXT',
    utm_source: 'TEXT',
    utm_medium: 'TEXT',
    utm_campaign: 'TEXT',
    utm_content: 'TEXT',
    utm_term: 'TEXT',
    sub_id1: 'TEXT',
    sub_id2: 'TEXT',
    sub_id3: 'TEXT',
    sub_id4: 'TEXT',
    sub_id5: 'TEXT',
    gclid: 'TEXT',
    fbclid: 'TEXT',
    msclkid: 'TEXT',
    ttclid: 'TEXT',
    li_fat_id: 'TEXT',
    twclid: 'TEXT',
    yclid: 'TEXT',
    other_params: 'TEXT',
    seller_earnings: MONEY,
    affiliate_payout: MONEY,
    agent_payout: MONEY,
    jv_payout: MONEY,
    service_fee: MONEY,
    refund_date: 'DATETIME',
    refund_amount: 'BIGINT',
    seller_refund_impact: 'BIGINT',
    affiliate_refund_impact: 'BIGINT',
    agent_refund_impact: 'BIGINT',
    jv_refund_impact: 'BIGINT',
    service_fee_adjustment: 'BIGINT',
    refunded_sale_date: 'DATETIME',
    tax_total: 'BIGINT',
    international_sales_tax: 'BIGINT',
    national_sales_tax: 'BIGINT',
    vat_tax: 'BIGINT',
    shipping_fee: 'BIGINT',
    delivery_name: 'VARCHAR(255)',
    delivery_phone: 'VARCHAR(255)',
    delivery_address_line_1: 'VARCHAR(255)',
    delivery_address_line_2: 'VARCHAR(255)',
    delivery_city: 'VARCHAR(255)',
    delivery_region: 'VARCHAR(255)',
    delivery_postal_code: 'VARCHAR(255)',
    delivery_country: 'VARCHAR(255)',
  },
  primaryKey: ['vendor_id', 'arrival'],
  indexes: [
    { name: 'transactions_by_id', columns: ['transaction_id'], unique: true },
    { name: 'transactions_by_sale', columns: ['vendor_id', 'sale_date', 'arrival'] },
    {
      name: 'transactions_by_refunded_sale',
      columns: ['vendor_id', 'refunded_sale_date', 'arrival', 'refund_date'],
    },
    {
      name: 'transactions_by_affiliate',
      columns: ['affiliate_id', 'sale_date', 'arrival', 'vendor_id'],
    },
    {
      name: 'transactions_by_affiliate_product',
      columns: ['affiliate_id', 'product_id', 'sale_date', 'status'],
    },
  ],
};

const KEPT: readonly Table[] = [
  {
    name: 'payout_items',
    columns: {
      vendor_id: ID,
      arrival: COUNT,
      position: COUNT,
      payee_amount: MONEY,
      payee_user_id: ID,
      payee_name: TEXT,
      payout_type: TEXT,
      payment_processor: TEXT,
      payout_status: TEXT,
    },
    primaryKey: ['vendor_id', 'arrival', 'position'],
  },
  {
    name: 'ledger_revisions',
    columns: { vendor_id: ID, revision: COUNT },
    primaryKey: ['vendor_id'],
  },
  {
    name: 'ledger_arrivals',
    columns: { id: ID, last_arrival: COUNT },
    primaryKey: ['id'],
  },
  {
    name: 'sale_counts',
    columns: { vendor_id: ID, sale_day: DAY, sales: COUNT },
    primaryKey: ['vendor_id', 'sale_day'],
  },
  {
    name: 'refund_counts',
    columns: { vendor_id: ID, refund_day: DAY, sale_day: DAY, refunds: COUNT },
    primaryKey: ['vendor_id', 'refund_day', 'sale_day'],
  },
];

/** Creates the tables of the ledger and of API keys, and the precomputed counts for fast pages. */
export class Ledger1763700000000 implements MigrationInterface {
  readonly name = 'Ledger1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await createTables(runner, [...ACCOUNTS, ...CATALOG, TRANSACTIONS, ...KEPT]);
  }

  /** Always fails, since reverting would delete the ledger. Restore a backup instead. */
  down(): Promise<void> {
    return Promise.reject(new Error('The first migration cannot be reverted'));
  }
}
