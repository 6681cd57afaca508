import { asked, got, type RecordedRequest } from '../../../support/recording/recorded-request.js';

const LIST = '/v3.0/transactions';
const JUNE = 'start_date=2025-06-01&end_date=2025-06-30';

const LISTS: readonly RecordedRequest[] = [
  JUNE,
  'start_date=2025-06-02&end_date=2025-06-02',
  'start_date=2019-01-01&end_date=2025-12-31',
  'start_date=2024-02-29&end_date=2024-02-29',
  'start_date=2025-07-01&end_date=2025-07-31',
  'start_date=0001-01-01&end_date=9999-12-31',
  'start_date=2001-01-01&end_date=2001-12-31',
  `${JUNE}&page_size=5`,
  `${JUNE}&page_size=5&page_index=1`,
  `${JUNE}&page_size=5&page_index=5`,
  `${JUNE}&page_size=5&page_index=6`,
  `${JUNE}&page_size=1&page_index=24`,
  `${JUNE}&page_index=1`,
  `${JUNE}&page_index=999999`,
  `${JUNE}&page_size=1000`,
  `end_date=2025-06-02&start_date=2025-06-01&page_size=2`,
  `${JUNE}&page_size=02`,
  // Ignored parameters.
  `${JUNE}&page=2&limit=1&page_size=1`,
  `${JUNE}&PAGE_SIZE=5&page_size=1&page_size[]=4`,
  `${JUNE}&page_size=1&a%0d%0ab=1`,
  `${JUNE}&page_size=1&pr%C3%A9cis=1`,
  `&&${JUNE}&=&page_size=1`,
  // Wrong parameters.
  '',
  'start_date=2025-06-01',
  'end_date=2025-06-01',
  'start_date=&end_date=',
  'start_date&end_date',
  'start_date=2025-06-02&end_date=2025-06-01',
  'start_date=2025-02-29&end_date=2025-03-01',
  'start_date=2025-13-01&end_date=2025-13-02',
  'start_date=2025-6-1&end_date=2025-6-2',
  'start_date=01.06.2025&end_date=today',
  'start_date=20250601&end_date=20250630',
  'start_date=2025-06-01T00:00:00Z&end_date=2025-06-01',
  'start_date=0000-00-00&end_date=10000-01-01',
  'start_date=%202025-06-01&end_date=2025-06-30%20',
  `start_date=2025-06-01&${JUNE}`,
  'start_date[]=2025-06-01&end_date[gte]=2025-06-01',
  "start_date=2025-06-01'--&end_date=2025-06-30",
  ...[
    '0',
    '-1',
    '1001',
    '5.5',
    '5e1',
    '',
    'x',
    '%00',
    '+5',
    '99999999999999999999',
    '0x10',
    '%D9%A5',
  ].map((size) => `${JUNE}&page_size=${size}`),
  ...['-1', '1.5', '', 'x', '1000001', '99999999999999999999', 'null'].map(
    (index) => `${JUNE}&page_index=${index}`,
  ),
  `${JUNE}&page_size=1&page_size=2`,
  `${JUNE}&page_index=0&page_index=0`,
  'start_date=%zz&end_date=%',
  'start_date=%FF%FE&end_date=%C3%28',
  `${JUNE}&x=%zz`,
].map((query) => got(`${LIST}?${query}`));

const SINGLES: readonly RecordedRequest[] = [
  'WHOLE',
  'S-00',
  'S-01',
  'S-02',
  'S-03',
  'S-05',
  'FREE',
  'OLDEST',
  'A%2FB%27100%25',
  'whole',
  'WHOLE%20',
  '%57HOLE',
  'WHOLE?a=1&start_date=x',
  'OF-OTHER',
  'BY-VENDOR',
  'none',
  '%20',
  '%00',
  '%zz',
  '%FF',
  '%F0%9F%94%91',
  "'%20OR%201=1",
  '..',
  '%2e%2e',
  'a/b',
  'x'.repeat(64),
  'x'.repeat(65),
  'x'.repeat(256),
  'x'.repeat(5_000),
].map((id) => got(`${LIST}/${id}`));

const OTHERS: readonly RecordedRequest[] = [
  ...[
    '',
    '/',
    '?',
    '?page=1',
    '/?page=1',
    '/index',
    '/transaction',
    '/transactions/',
    '//transactions',
  ].map((path) => got(`/v3.0${path}`)),
  ...(['read', 'masked', 'other', 'affiliate', 'newcomer'] as const).flatMap((who) => [
    got('/v3.0', who),
    got(`${LIST}?${JUNE}&page_size=2`, who),
    got(`${LIST}/WHOLE`, who),
  ]),
  got(`${LIST}/BY-VENDOR`, 'other'),
  got(`${LIST}/OF-SUSPENDED`, 'suspended'),
];

/** `*` is the tag of anything; a tag of one run is none of another. */
const CONDITIONAL: readonly RecordedRequest[] = ['*', '"x"', 'W/"x", "y"', 'x', ''].flatMap((tag) =>
  [`${LIST}?${JUNE}&page_size=1`, `${LIST}/S-00`, '/v3.0', `${LIST}/none`].map((path) =>
    got(path, 'vendor', { headers: [`If-None-Match: ${tag}`] }),
  ),
);

const HEADERS: readonly RecordedRequest[] = [
  'Accept: text/html',
  'Accept-Encoding: gzip',
  'Accept-Encoding: br;q=1, *;q=0',
  'Range: bytes=0-9',
  'If-Match: "x"',
  'If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT',
  'Origin: https://a.example',
  'X-Request-Id: kept-1',
  `X-Request-Id: ${'x'.repeat(129)}`,
  'X-Request-Id: a b',
  'Cookie: a=b',
  'X-HTTP-Method-Override: DELETE',
  'Accept-Language: de',
  'Cache-Control: no-cache',
  'Expect: 100-continue',
].flatMap((line) => [
  got(`${LIST}?${JUNE}&page_size=1`, 'vendor', { headers: [line] }),
  got(`${LIST}/none`, 'vendor', { headers: [line] }),
]);

export const V3_0: readonly RecordedRequest[] = [
  ...LISTS,
  ...SINGLES,
  ...OTHERS,
  ...CONDITIONAL,
  ...HEADERS,
  ...[`${LIST}?${JUNE}`, `${LIST}?page_size=x`, `${LIST}/WHOLE`, `${LIST}/none`, '/v3.0'].map(
    (path) => asked('HEAD', path),
  ),
];
