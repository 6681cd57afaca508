/**
 * The table of the access matrix: a row for each operation, and the contents of each list for each
 * user.
 */
import { PRODUCT, READING, USERS, WRITING, type Row, type Who, type Whose } from './access-row.js';

const RANGE = 'start_date=2025-06-01&end_date=2025-06-01';
export const relationship = (whose: Whose) => `${USERS.affiliate}/products/${PRODUCT[whose]}`;

export const ROWS: readonly Row[] = [
  {
    operation: 'GET /v3.0/transactions',
    path: () => `/v3.0/transactions?${RANGE}`,
    refusal: 'own list',
    allows: READING,
  },
  {
    operation: 'GET /ledger/v1/changes',
    path: () => '/ledger/v1/changes?kinds=transaction',
    refusal: 'own list',
    allows: READING,
  },
  {
    operation: 'GET /v3.0/transactions/{transaction_id}',
    path: (whose) => `/v3.0/transactions/of-${whose}`,
    refusal: 'hidden',
    allows: READING,
  },
  {
    operation: 'GET /v2.1/affiliates/{affiliate_id}/products/{product_id}',
    path: (whose) => `/v2.1/affiliates/${relationship(whose)}`,
    refusal: 'foreign product',
    allows: READING,
  },
  {
    operation: 'PUT /v2.1/affiliates/{affiliate_id}/products/{product_id}',
    path: (whose) => `/v2.1/affiliates/${relationship(whose)}`,
    refusal: 'foreign product',
    allows: WRITING,
    body: { approval_status: 'INSTANT' },
  },
  {
    operation: 'GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}',
    path: (whose) => `/v2.1/affiliatestats/${relationship(whose)}`,
    refusal: 'foreign product',
    allows: READING,
  },
  {
    operation: 'GET /v2.1/products/names',
    path: () => '/v2.1/products/names',
    refusal: 'own list',
    allows: READING,
  },
  {
    operation: 'GET /v2.1/transaction/details/{paykey}',
    path: (whose) => `/v2.1/transaction/details/of-${whose}`,
    refusal: 'hidden',
    allows: READING,
  },
  {
    operation: 'GET /v2.0/products/{product_id}/affiliates/{affiliate_id}',
    path: (whose) => `/v2.0/products/${PRODUCT[whose]}/affiliates/${USERS.affiliate}`,
    refusal: 'foreign product',
    allows: READING,
  },
  {
    operation: 'GET /v2.0/recurring_payment/{preKey}',
    path: (whose) => `/v2.0/recurring_payment/pre-of-${whose}`,
    refusal: 'hidden',
    allows: READING,
  },
  {
    operation: 'PUT /v2.0/recurring_payment/{preKey}',
    path: (whose) => `/v2.0/recurring_payment/pre-of-${whose}`,
    refusal: 'hidden',
    allows: WRITING,
    body: { status: 'CANCEL' },
  },
  {
    operation: 'GET /v2.0/transactions/summaries/{paykey}',
    path: (whose) => `/v2.0/transactions/summaries/of-${whose}`,
    refusal: 'hidden',
    allows: READING,
  },
  {
    operation: 'GET /v2.0/latest-transactions/{paykey}',
    path: (whose) => `/v2.0/latest-transactions/of-${whose}`,
    refusal: 'own feed from its start',
    allows: READING,
  },
  {
    operation: 'GET /v2.0/latest-affiliates-transactions/{paykey}',
    path: (whose) => `/v2.0/latest-affiliates-transactions/sold-by-${whose}`,
    refusal: 'own feed from its start',
    allows: READING,
  },
  ...['latest-transactions', 'latest-affiliates-transactions'].map((feed): Row => ({
    operation: `GET /v2.0/${feed}/{paykey}`,
    path: () => `/v2.0/${feed}`,
    refusal: 'own list',
    allows: READING,
  })),
];

const SOLD = ['sold-by-vendor', 'sold-by-other', 'sold-by-suspended'];
/** Contents of each list for each user. */
const OWN_LISTS: Readonly<Record<string, Partial<Record<Who, readonly unknown[]>>>> = {
  '/v3.0/transactions': { vendor: ['of-vendor'], other: ['of-other'] },
  '/v2.1/products/names': { vendor: [10], other: [20] },
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
export function ownList({ path, refusal }: Row, who: Who): readonly unknown[] {
  const end = refusal === 'own feed from its start' ? /\/[^/]*$/ : /\?.*/;
  return OWN_LISTS[path('vendor').replace(end, '')]?.[who] ?? [];
}
