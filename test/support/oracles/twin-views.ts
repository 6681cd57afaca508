/** Collects everything that a vendor of twin ledgers can see through operations and pages. */
import type { Visitor } from '../browser/visitor.js';
import {
  CLICKED,
  RELATED,
  SELLERS,
  SHARED_AFFILIATES,
  SHARED_CUSTOMER,
  type TwinLedger,
} from '../builders/twin-ledgers.js';
import type { TestService } from '../servers/service.js';
import { answersTo, pagesOf, type Seen } from './seen-by.js';

const JUNE = 'start_date=2025-06-01&end_date=2025-06-30';
const ALL = 'start_date=2025-01-01&end_date=2026-12-31';
const EXPORTS = ['', `?${JUNE}`];
const QUERIES = {
  '/v3.0/transactions': [`?${JUNE}`, `?${ALL}`, `?${ALL}&page_size=3&page_index=2`],
  '/ledger/v1/changes': [
    '?limit=1000',
    '?limit=3',
    '?after=5&limit=4',
    '?kinds=affiliate',
    '?kinds=relationship',
    '?kinds=relationship&limit=2',
    '?kinds=recurring_payment&limit=2',
    '?kinds=product&limit=1',
    '?kinds=recurring_payment',
    '?kinds=transaction',
  ],
  '/ledger/v1/transactions': [
    '',
    '?order=oldest&limit=2',
    `?${JUNE}&date=refund`,
    '?status=refunded',
    '?tid=spring',
    `?email=${SHARED_CUSTOMER}`,
    `?affiliate_id=${SHARED_AFFILIATES.join()}`,
  ],
  '/ledger/v1/customers': [`?email=${SHARED_CUSTOMER}`],
  '/ledger/v1/recurring_payments': ['', '?status=ACTIVE', `?email=${SHARED_CUSTOMER}`, '?name=a'],
  '/ledger/v1/relationships': ['', `?affiliate_id=${SHARED_AFFILIATES.join()}`],
  '/ledger/v1/affiliates': ['', '?limit=1'],
  '/ledger/v1/earnings/tracking': ['', `?${JUNE}&refunds_on=sale_date`],
  '/ledger/v1/figures': [
    '?interval=month&compare=previous_year',
    '?group_by=product&measures=sales,taxes,service_fees,unpaid_commissions',
    '?group_by=affiliate&measures=sales,clicks,conversion_rate',
    `?group_by=product&measures=sales,clicks&affiliate_id=${SHARED_AFFILIATES[0]}`,
    '?group_by=tid',
    '?group_by=product&tid=spring',
    '?as=affiliate&group_by=product&measures=sales,clicks,unpaid_commissions',
  ],
  '/ledger/v1/transactions.ndjson': [...EXPORTS, '?status=refunded'],
  '/ledger/v1/transactions.csv': EXPORTS,
  '/ledger/v1/transactions.parquet': EXPORTS,
};

export function valuesFor(own: TwinLedger, others: readonly TwinLedger[]) {
  const { sales, agreements, products } = own;
  return {
    transaction_id: [...sales, ...others.map((other) => other.sale('full')), 'none'],
    paykey: [...sales, ...others.map((other) => other.sale('full')), 'none'],
    affiliate_id: [...SHARED_AFFILIATES, RELATED, CLICKED],
    product_id: [...products],
    preKey: [...agreements, ...others.map((other) => other.agreement('act'))],
    id: [1, 2, 3, 99],
    token: ['of-nobody'],
  };
}

/** Returns the pages that are reached through forms, not links. */
export function formsOf(own: TwinLedger, others: readonly TwinLedger[]): string[] {
  const [course, book] = own.products;
  const [first, second] = SHARED_AFFILIATES;
  const list = '/account/reports/transactions?range=all-time';
  const shown = [
    '/account/reports?range=all-time',
    '/account/affiliates?range=all-time',
    '/account/affiliates.csv?range=all-time',
    '/account/tracking?range=all-time',
    '/account/earnings/tracking?range=all-time',
    '/account/search?q=S-',
    '/account/search?q=shared',
    '/account/search?q=P-act',
    '/account/search?q=S-full',
    `/account/search?q=${SHARED_CUSTOMER}`,
    `/account/people?email=${SHARED_CUSTOMER}`,
    ...['/account/people.json?email=', '/account/people/erase?email='].map(
      (path) => path + SHARED_CUSTOMER,
    ),
    ...[`product-${course}`, `affiliate-${first}`, `affiliate-${second}`, ''].flatMap((of) => [
      `/account/reports/cohorts?of=${of}`,
      `/account/reports/cohorts.csv?of=${of}`,
    ]),
    ...['', `&product=${book}`, `&partner=${first}`, '&status=refunded', '&tid=spring'].flatMap(
      (filter) => [list + filter, list.replace('?', '.csv?') + filter],
    ),
    ...['all', 'sales', 'pending', 'refunds', 'chargebacks'].map((kind) => `${list}&kind=${kind}`),
    ...[first, second].flatMap((id) => [
      `/account/affiliates/${id}?range=all-time`,
      ...[course, book].map((product) => `/account/affiliates/${id}/terms?product=${product}`),
    ]),
    ...['tid', 'vtid', 'utm_source', 'sub_id1'].map(
      (field) => `/account/tracking.csv?range=all-time&field=${field}`,
    ),
    ...['webhooks', 'applications'].flatMap((list) =>
      [1, 2, 3, 4].map((id) => `/account/${list}/${id}`),
    ),
    ...[RELATED, CLICKED, ...SELLERS.slice(0, 1)].map((id) => `/account/affiliates/${id}`),
    ...[own, ...others].flatMap(({ sales, agreements }) => [
      ...sales.map((id) => `/account/transactions/${id}`),
      ...agreements.map((preKey) => `/account/subscriptions/${preKey}`),
    ]),
    ...['active', 'canceled', 'completed'].map((name) => `/account/subscriptions?list=${name}`),
  ];
  const month = 'from=2025-06-01&to=2025-06-30';
  const ranged = shown.filter((path) => path.includes('range=all-time'));
  return [
    ...shown,
    ...ranged.flatMap((path) => [
      path.replace('range=all-time', month),
      `${path.replace('range=all-time', 'from=2025-05-03&to=2026-12-20')}&refunds=refund`,
    ]),
  ];
}

/**
 * Collects everything that the vendor sees.
 * @param key an API key of the vendor
 * @param visitor a browser that is signed in as the vendor
 * @param others vendors whose sales and subscriptions are requested as well, and must not be
 * visible
 */
export async function everythingSeen(
  service: TestService,
  own: TwinLedger,
  { key, visitor, others }: { key: string; visitor: Visitor; others: readonly TwinLedger[] },
): Promise<Seen> {
  const answers = await answersTo(service, key, valuesFor(own, others), QUERIES);
  const pages = await pagesOf(visitor, ['/account', ...formsOf(own, others)]);
  return new Map([...answers, ...pages]);
}
