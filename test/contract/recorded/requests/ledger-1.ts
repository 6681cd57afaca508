import { asked, got, type RecordedRequest } from '../../../support/recording/recorded-request.js';

const JUNE = 'start_date=2025-06-01&end_date=2025-06-03';

/** The cursor of the newest change differs, but the beginning does not. */
const CHANGES: readonly RecordedRequest[] = [
  '',
  '?after=0',
  '?limit=1',
  '?limit=3',
  '?after=0&limit=1000&kinds=transaction',
  '?kinds=product',
  '?kinds=affiliate',
  '?kinds=relationship',
  '?kinds=recurring_payment',
  '?kinds=removed',
  '?kinds=product,relationship',
  '?kinds=product,product',
  '?a=1&limit=1',
  '?wait=0&limit=1',
  '?after=99999',
  '?after=-1',
  '?after=x',
  '?after=',
  '?after=99999999999999999999',
  '?after=1.5',
  '?limit=0',
  '?limit=1001',
  '?limit=x',
  '?limit=',
  '?kinds=',
  '?kinds=sale',
  '?kinds=product,',
  '?wait=-1',
  '?wait=61',
  '?wait=x',
  '?limit=1&limit=2',
  '?kinds[]=product',
  '?after=%zz',
].map((query) => got(`/ledger/v1/changes${query}`));

const EXPORTS: readonly RecordedRequest[] = [
  ...['csv', 'ndjson', 'parquet'].flatMap((format) =>
    [
      '',
      `?${JUNE}`,
      '?start_date=2001-01-01&end_date=2001-01-02',
      '?start_date=2025-06-01',
      '?start_date=x&end_date=y',
      '?start_date=2025-06-02&end_date=2025-06-01',
      `?${JUNE}&a=1`,
      `?${JUNE}&end_date=2025-06-30`,
    ].map((query) => got(`/ledger/v1/transactions.${format}${query}`)),
  ),
  ...['machine', 'spreadsheet', 'x', ''].map((style) =>
    got(`/ledger/v1/transactions.csv?${JUNE}&csv=${style}`),
  ),
  ...['', '.xml', '.CSV', '.csv/', '/S-00'].map((rest) => got(`/ledger/v1/transactions${rest}`)),
];

const BY_OTHERS: readonly RecordedRequest[] = (
  ['read', 'masked', 'other', 'affiliate', 'newcomer', 'source', 'own-source'] as const
).flatMap((who) =>
  [
    '',
    '/changes?limit=4',
    '/transactions.csv',
    `/transactions.ndjson?${JUNE}`,
    `/transactions.parquet?${JUNE}`,
    '/webhooks',
    '/records',
  ].map((path) => got(`/ledger/v1${path}`, who)),
);

const NOTIFY = '/ledger/v1/upstreams';
const OPEN: readonly RecordedRequest[] = [
  ...['1/notify/x', '99/notify/{token}', 'x/notify/{token}', '1/notify/%zz', '1', '1/notify'].map(
    (path) => got(`${NOTIFY}/${path}`, null),
  ),
  got(`${NOTIFY}/1/notify/{token}`, null),
  got(`${NOTIFY}/1/notify/{token}?paykey=PA-1`, null),
  asked('HEAD', `${NOTIFY}/1/notify/{token}`, { who: null }),
];

export const LEDGER_1: readonly RecordedRequest[] = [
  ...['', '/', '?a=1', '/nowhere', '/records', '/webhooks', '/webhooks/1', '/webhooks/x'].map(
    (path) => got(`/ledger/v1${path}`),
  ),
  ...['/webhooks/1/secret', '/webhooks/-1', '/webhooks/99999999999999999999', '/webhooks/%zz'].map(
    (path) => got(`/ledger/v1${path}`),
  ),
  ...['/ledger', '/ledger/', '/ledger/v2', '/ledger/v1.0/changes', '/LEDGER/V1'].map((path) =>
    got(path),
  ),
  ...CHANGES,
  ...EXPORTS,
  ...BY_OTHERS,
  ...OPEN,
  ...['/changes?limit=1', '/transactions.csv', '/transactions.parquet', '/webhooks'].map((path) =>
    asked('HEAD', `/ledger/v1${path}`),
  ),
  got('/ledger/v1/changes?limit=1', 'vendor', { headers: ['If-None-Match: *'] }),
];
