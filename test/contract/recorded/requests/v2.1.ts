import { asked, got, type RecordedRequest } from '../../../support/recording/recorded-request.js';

/** An affiliate and a product, in every wrong way. */
const PAIRS: readonly (readonly [affiliate: string, product: string])[] = [
  ...(['10', '11', '12', '20', '40', '999'] as const).map((product) => ['3', product] as const),
  ['6', '10'],
  ['7', '10'],
  ['1', '20'],
  ['999', '10'],
  ['1', '10'],
  ['0', '10'],
  ['3', '0'],
  ['-3', '10'],
  ['x', '10'],
  ['3', 'x'],
  ['3.0', '10'],
  ['03', '010'],
  ['%33', '10'],
  ['99999999999999999999', '10'],
  ['3', '2147483648'],
  ['3', '%zz'],
  ['%FF', '10'],
  ['%20', '%20'],
  ['3', '10?page=1'],
];

const DETAILS = ['WHOLE', 'S-00', 'S-01', 'S-02', 'S-03', 'S-05', 'FREE', 'A%2FB%27100%25'];
const WRONG_DETAILS = [
  'none',
  'whole',
  'OF-OTHER',
  'BY-VENDOR',
  '%zz',
  '%00',
  '%20',
  'x'.repeat(256),
];

const READS: readonly RecordedRequest[] = [
  ...PAIRS.flatMap(([affiliate, product]) =>
    ['affiliates', 'affiliatestats'].map((of) =>
      got(`/v2.1/${of}/${affiliate}/products/${product}`),
    ),
  ),
  ...[...DETAILS, ...WRONG_DETAILS].map((paykey) => got(`/v2.1/transaction/details/${paykey}`)),
  ...[
    '',
    '/',
    '?page=1',
    '/products',
    '/products/names',
    '/products/names/',
    '/products/names?a=1',
  ].map((path) => got(`/v2.1${path}`)),
  ...['/affiliates', '/affiliates/3', '/affiliates/3/products', '/transaction', '/nowhere'].map(
    (path) => got(`/v2.1${path}`),
  ),
];

const BY_OTHERS: readonly RecordedRequest[] = (
  ['read', 'masked', 'other', 'affiliate', 'newcomer'] as const
).flatMap((who) =>
  [
    '/v2.1',
    '/v2.1/products/names',
    '/v2.1/transaction/details/WHOLE',
    '/v2.1/affiliates/3/products/10',
    '/v2.1/affiliatestats/3/products/10',
  ].map((path) => got(path, who)),
);

export const V2_1: readonly RecordedRequest[] = [
  ...READS,
  ...BY_OTHERS,
  ...['*', '"x"'].map((tag) =>
    got('/v2.1/transaction/details/S-00', 'vendor', { headers: [`If-None-Match: ${tag}`] }),
  ),
  ...['/products/names', '/transaction/details/WHOLE', '/affiliates/3/products/10', '/nowhere'].map(
    (path) => asked('HEAD', `/v2.1${path}`),
  ),
];
