import { asked, got, type RecordedRequest } from '../../../support/recording/recorded-request.js';

const FEEDS = ['latest-transactions', 'latest-affiliates-transactions'];
const PAYKEYS = [
  'WHOLE',
  'S-00',
  'S-11',
  'S-23',
  'OLDEST',
  'A%2FB%27100%25',
  'BY-VENDOR',
  'OF-OTHER',
  'none',
  'whole',
  '%zz',
  '%00',
  '%20',
  'x'.repeat(256),
  'a/b',
];
const PRE_KEYS = [
  'PRE-1',
  'PRE-2',
  'PRE-3',
  'PRE-OTHER',
  'pre-1',
  'none',
  '%zz',
  '%00',
  '%20',
  'PRE-1?a=1',
  'x'.repeat(256),
];
const PAIRS = [
  '10/affiliates/3',
  '11/affiliates/3',
  '12/affiliates/3',
  '20/affiliates/3',
  '999/affiliates/3',
  '10/affiliates/6',
  '10/affiliates/999',
  'x/affiliates/3',
  '10/affiliates/x',
  '0/affiliates/-1',
  '10/affiliates/99999999999999999999',
  '010/affiliates/03',
  '%zz/affiliates/3',
];

const READS: readonly RecordedRequest[] = [
  ...FEEDS.map((feed) => `/v2.0/${feed}`),
  ...FEEDS.flatMap((feed) => PAYKEYS.map((paykey) => `/v2.0/${feed}/${paykey}`)),
  ...PAYKEYS.map((paykey) => `/v2.0/transactions/summaries/${paykey}`),
  ...PRE_KEYS.map((preKey) => `/v2.0/recurring_payment/${preKey}`),
  ...PAIRS.map((pair) => `/v2.0/products/${pair}`),
  ...['', '/', '?a=1', '/nowhere', '/transactions', '/recurring_payment', '/products'].map(
    (path) => `/v2.0${path}`,
  ),
].map((path) => got(path));

const BY_OTHERS: readonly RecordedRequest[] = (
  ['read', 'masked', 'other', 'affiliate', 'newcomer'] as const
).flatMap((who) =>
  [
    '/v2.0',
    ...FEEDS.map((feed) => `/v2.0/${feed}`),
    '/v2.0/transactions/summaries/WHOLE',
    '/v2.0/recurring_payment/PRE-1',
    '/v2.0/products/10/affiliates/3',
  ].map((path) => got(path, who)),
);

export const V2_0: readonly RecordedRequest[] = [
  ...READS,
  ...BY_OTHERS,
  ...[
    '/latest-transactions',
    '/latest-transactions/WHOLE',
    '/transactions/summaries/WHOLE',
  ].flatMap((path) =>
    ['*', '"x"'].map((tag) =>
      got(`/v2.0${path}`, 'vendor', { headers: [`If-None-Match: ${tag}`] }),
    ),
  ),
  ...['/latest-transactions', '/recurring_payment/PRE-1', '/recurring_payment/none'].map((path) =>
    asked('HEAD', `/v2.0${path}`),
  ),
];
