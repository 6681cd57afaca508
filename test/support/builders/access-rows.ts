/**
 * The table of the access matrix: a row for each operation, and the contents of each list for each
 * user.
 */
import {
  PRODUCT,
  READING,
  USERS,
  WRITING,
  type Named,
  type Row,
  type Who,
  type Whose,
} from '../../../testing/src/ledger/access-row.js';

/** A row may also name a position in a feed: another feed begins from its start. */
export type CoreRow = Row<Named | 'position'>;

const RANGE = 'start_date=2025-06-01&end_date=2025-06-01';
export const relationship = (whose: Whose) => `${USERS.affiliate}/products/${PRODUCT[whose]}`;

export const ROWS: readonly CoreRow[] = [
  {
    operation: 'GET /v3.0/transactions',
    path: () => `/v3.0/transactions?${RANGE}`,
    names: 'nothing',
    allows: READING,
    query: ['start_date', 'end_date', 'page_size', 'page_index'],
  },
  {
    operation: 'GET /ledger/v1/transactions',
    path: () => `/ledger/v1/transactions?${RANGE}`,
    names: 'nothing',
    allows: READING,
    query: ['start_date', 'end_date', 'date', 'order', 'limit', 'after', 'status', 'email', 'tid'],
    texts: ['email', 'tid'],
  },
  {
    operation: 'GET /ledger/v1/recurring_payments',
    path: () => '/ledger/v1/recurring_payments?limit=10',
    names: 'nothing',
    allows: READING,
    query: ['status', 'product_id', 'email', 'name', 'due_before', 'due_after', 'limit', 'after'],
    texts: ['status', 'email', 'name'],
  },
  {
    operation: 'GET /ledger/v1/relationships',
    path: () => '/ledger/v1/relationships?limit=10',
    names: 'nothing',
    allows: READING,
    query: ['affiliate_id', 'product_id', 'status', 'limit', 'after'],
  },
  {
    operation: 'GET /ledger/v1/affiliates',
    path: () => '/ledger/v1/affiliates?limit=10',
    names: 'nothing',
    allows: READING,
    query: ['limit', 'after'],
  },
  {
    operation: 'GET /ledger/v1/customers',
    path: () => '/ledger/v1/customers?email=customer%40example.test',
    names: 'nothing',
    allows: ['full', 'read'],
    query: ['email'],
    texts: ['email'],
  },
  {
    operation: 'GET /ledger/v1/earnings',
    path: () => '/ledger/v1/earnings',
    names: 'nothing',
    allows: READING,
  },
  {
    operation: 'GET /ledger/v1/earnings/tracking',
    path: () => '/ledger/v1/earnings/tracking',
    names: 'nothing',
    allows: READING,
    query: ['start_date', 'end_date', 'refunds_on', 'vendor_id'],
  },
  {
    operation: 'GET /ledger/v1/activity',
    path: () => '/ledger/v1/activity?limit=10',
    names: 'nothing',
    allows: READING,
    query: ['kinds', 'subject', 'start_date', 'end_date', 'limit', 'after'],
    texts: ['subject'],
  },
  {
    operation: 'GET /ledger/v1/changes',
    path: () => '/ledger/v1/changes?kinds=transaction',
    names: 'nothing',
    allows: READING,
  },
  {
    operation: 'GET /ledger/v1/figures',
    path: () => '/ledger/v1/figures?group_by=product&measures=sales',
    names: 'nothing',
    allows: READING,
  },
  {
    operation: 'GET /v3.0/transactions/{transaction_id}',
    path: (whose) => `/v3.0/transactions/of-${whose}`,
    names: 'transaction',
    allows: READING,
  },
  {
    operation: 'GET /v2.1/affiliates/{affiliate_id}/products/{product_id}',
    path: (whose) => `/v2.1/affiliates/${relationship(whose)}`,
    names: 'product',
    allows: READING,
  },
  {
    operation: 'PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}',
    path: (whose) => `/v2.1/affiliates/${relationship(whose)}`,
    names: 'product',
    allows: WRITING,
    body: { approval_status: 'INSTANT' },
    fields: [
      'approval_status',
      'custom_commission',
      'custom_sales_page_url',
      'affiliate_verification_email',
      'custom_payment_1st_payout',
      'custom_payment_trial_payout',
    ],
  },
  {
    operation: 'GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}',
    path: (whose) => `/v2.1/affiliatestats/${relationship(whose)}`,
    names: 'product',
    allows: READING,
  },
  {
    operation: 'GET /v2.1/products/names',
    path: () => '/v2.1/products/names',
    names: 'nothing',
    allows: READING,
  },
  {
    operation: 'GET /v2.1/transaction/details/{paykey}',
    path: (whose) => `/v2.1/transaction/details/of-${whose}`,
    names: 'transaction',
    allows: READING,
  },
  {
    operation: 'GET /v2.0/products/{product_id}/affiliates/{affiliate_id}',
    path: (whose) => `/v2.0/products/${PRODUCT[whose]}/affiliates/${USERS.affiliate}`,
    names: 'product',
    allows: READING,
  },
  {
    operation: 'GET /v2.0/recurring_payment/{preKey}',
    path: (whose) => `/v2.0/recurring_payment/pre-of-${whose}`,
    names: 'subscription',
    allows: READING,
  },
  {
    operation: 'PUT /v2.0/recurring_payment/{preKey}',
    path: (whose) => `/v2.0/recurring_payment/pre-of-${whose}`,
    names: 'subscription',
    allows: WRITING,
    body: { status: 'CANCEL' },
  },
  {
    operation: 'GET /v2.0/transactions/summaries/{paykey}',
    path: (whose) => `/v2.0/transactions/summaries/of-${whose}`,
    names: 'transaction',
    allows: READING,
  },
  {
    operation: 'GET /v2.0/latest-transactions/{paykey}',
    path: (whose) => `/v2.0/latest-transactions/of-${whose}`,
    names: 'position',
    allows: READING,
  },
  {
    operation: 'GET /v2.0/latest-affiliates-transactions/{paykey}',
    path: (whose) => `/v2.0/latest-affiliates-transactions/sold-by-${whose}`,
    names: 'position',
    allows: READING,
  },
  ...['latest-transactions', 'latest-affiliates-transactions'].map((feed): CoreRow => ({
    operation: `GET /v2.0/${feed}/{paykey}`,
    path: () => `/v2.0/${feed}`,
    names: 'nothing',
    allows: READING,
  })),
];

const SOLD = ['sold-by-vendor', 'sold-by-other', 'sold-by-suspended'];
/** Contents of each list for each user. */
const OWN_LISTS: Readonly<Record<string, Partial<Record<Who, readonly unknown[]>>>> = {
  '/v3.0/transactions': { vendor: ['of-vendor'], other: ['of-other'] },
  '/v2.1/products/names': { vendor: [10], other: [20] },
  '/ledger/v1/transactions': { vendor: ['of-vendor'], other: ['of-other'] },
  '/ledger/v1/recurring_payments': { vendor: [10], other: [20] },
  '/ledger/v1/relationships': { vendor: [10], other: [20] },
  '/ledger/v1/earnings/tracking': {
    vendor: ['sold-by-vendor'],
    other: ['sold-by-other'],
    affiliate: ['sold-by-affiliate'],
  },
  '/ledger/v1/earnings': { vendor: [20], other: [20], affiliate: [10, 20, 40] },
  '/ledger/v1/figures': { vendor: [10], other: [20] },
  '/ledger/v1/changes': {
    vendor: ['of-vendor', 'sold-by-affiliate'],
    // These changes stand in order of arrival.
    other: ['sold-by-vendor', 'of-other', 'sold-by-other', 'sold-by-suspended'],
  },
  '/v2.0/latest-transactions': {
    vendor: ['of-vendor', 'sold-by-affiliate'],
    other: ['of-other', ...SOLD],
  },
  '/v2.0/latest-affiliates-transactions': {
    vendor: ['sold-by-vendor'],
    other: ['sold-by-other'],
    affiliate: ['sold-by-affiliate'],
  },
};

/** Returns the contents of the row's list for a user. Feeds are read from their start. */
export function ownList({ path, names }: CoreRow, who: Who): readonly unknown[] {
  const end = names === 'position' ? /\/[^/]*$/ : /\?.*/;
  return OWN_LISTS[path('vendor').replace(end, '')]?.[who] ?? [];
}
