/** Keys, methods and bytes that are no HTTP, on paths of each kind. */
import {
  asked,
  got,
  raw,
  sent,
  type RecordedRequest,
} from '../../../support/recording/recorded-request.js';

const PATHS = [
  '/v3.0',
  '/v3.0/transactions',
  '/v3.0/transactions/WHOLE',
  '/v2.1/products/names',
  '/v2.1/affiliates/3/products/10',
  '/v2.0/latest-transactions',
  '/v2.0/recurring_payment/PRE-1',
  '/ledger/v1/changes',
  '/ledger/v1/records',
  '/ledger/v1/webhooks',
  '/ledger/v1/webhooks/1',
  '/ledger/v1/transactions.csv',
  '/ledger/v1/webhooks/1/rotate',
  '/nowhere',
  '/v2.1/nowhere',
];
const ONE_OF_EACH_VERSION = [
  '/v3.0',
  '/v2.1/products/names',
  '/v2.0/latest-transactions',
  '/ledger/v1/changes',
  '/nowhere',
];
/** They change nothing here: where a method is right, the body is missing. */
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];
const RIGHT = new Set(['DELETE /ledger/v1/webhooks/1', 'POST /ledger/v1/webhooks/1/rotate']);

const methods: readonly RecordedRequest[] = PATHS.flatMap((path) =>
  METHODS.filter((method) => !RIGHT.has(`${method} ${path}`)).map((method) => asked(method, path)),
);

const KEY_LINES = [
  'Authorization:',
  'Authorization: Basic',
  'Authorization: Bearer x',
  'Authorization: Basic %%%',
  'Authorization: Basic Ong=',
  'Authorization: Basic bm8tc3VjaC1rZXk6eA==',
  'Authorization: Basic /zp4',
  'Authorization: {vendor}, {vendor}',
  'Authorization: {vendor}x',
  'Proxy-Authorization: {vendor}',
  'X-Api-Key: x',
  'Cookie: Authorization=x',
];

const keys: readonly RecordedRequest[] = [
  ...PATHS.flatMap((path) => ([null, 'suspended', 'source'] as const).map((who) => got(path, who))),
  ...ONE_OF_EACH_VERSION.flatMap((path) => [
    ...(['revoked', 'expired', 'elsewhere', 'own-source'] as const).map((who) =>
      got(`${path}?a=1`, who),
    ),
    ...KEY_LINES.map((line) => got(path, null, { headers: [line] })),
  ]),
  got('/v3.0', 'vendor', { headers: ['Authorization: {other}'], note: 'two keys' }),
  got('/v3.0', 'elsewhere', { address: '203.0.113.9', note: 'from an allowed address' }),
  sent('PUT', '/v2.1/affiliates/3/products/10', { approval_status: 'DENIED' }, { who: 'read' }),
  sent('PUT', '/v2.1/affiliates/3/products/10', { approval_status: 'DENIED' }, { who: 'masked' }),
  sent('PUT', '/v2.0/recurring_payment/PRE-1', { status: 'CANCEL' }, { who: 'read' }),
  ...(['read', 'masked'] as const).map((who) =>
    sent('POST', '/ledger/v1/webhooks', { url: 'https://localhost/hook' }, { who }),
  ),
];

const paths: readonly RecordedRequest[] = [
  '/v9.9',
  '/v3',
  '/v3.00',
  '/V3.0',
  '/v2.10/x',
  '/v2.1nowhere',
  '/nowhere?a=1',
  '/%zz',
  '/%00',
  '/%FF',
  '/v3.0/%2e%2e/v2.1',
  '/v3.0/../v2.1',
  '/./v3.0',
  '/v3.0//',
  '/v3.0;a=1',
  '/v3.0#a',
  '/*',
  '/v2.0/%',
].map((path) => got(path));

const HOST = 'Host: a';
const CLOSE = 'Connection: close';
const KEY = 'Authorization: {vendor}';
const bytes: readonly RecordedRequest[] = [
  raw('words', 'hello there'),
  raw('an unknown method', 'FROB /v2.1/x HTTP/1.1', HOST),
  raw('a method in lower case', 'get /v2.0/x HTTP/1.1', HOST),
  raw('another protocol', 'GET /v2.1/x FTP/1.0', HOST),
  raw('another version of HTTP', 'GET /v3.0 HTTP/9.9', HOST),
  raw('HTTP/1.0', 'GET /v3.0 HTTP/1.0', KEY),
  raw('a space in the address', 'GET /v3.0/trans actions HTTP/1.1', HOST),
  raw('a header without a colon', 'GET /ledger/v1 HTTP/1.1', HOST, 'nonsense'),
  raw('a NUL in a header', 'GET /v3.0 HTTP/1.1', HOST, 'X-Name: a\0b'),
  raw('no Host', 'GET /v3.0 HTTP/1.1', CLOSE, KEY),
  raw('two hosts', 'GET /v3.0 HTTP/1.1', HOST, 'Host: b', CLOSE, KEY),
  raw('an absolute address', 'GET http://a/v3.0 HTTP/1.1', HOST, CLOSE, KEY),
  raw('an asterisk', 'OPTIONS * HTTP/1.1', HOST, CLOSE, KEY),
  raw('two keys in two headers', 'GET /v3.0 HTTP/1.1', HOST, CLOSE, KEY, 'Authorization: {other}'),
  raw('a name in capitals', 'GET /v3.0 HTTP/1.1', HOST, CLOSE, 'AUTHORIZATION: {vendor}'),
  raw('a length that is none', 'POST /v3.0 HTTP/1.1', HOST, 'Content-Length: x'),
  raw('two lengths', 'POST /v3.0 HTTP/1.1', HOST, 'Content-Length: 1', 'Content-Length: 2'),
  raw(
    'a length and chunks',
    'POST /v3.0 HTTP/1.1',
    HOST,
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
  ),
  raw('an unknown expectation', 'GET /v3.0 HTTP/1.1', HOST, CLOSE, KEY, 'Expect: x'),
  raw(
    'an upgrade',
    'GET /v3.0 HTTP/1.1',
    HOST,
    'Connection: Upgrade, close',
    'Upgrade: websocket',
    KEY,
  ),
  raw('headers over the limit', 'GET /v2.1/x HTTP/1.1', HOST, `X-Big: ${'a'.repeat(20_000)}`),
  raw('an address over the limit', `GET /v2.1/${'a'.repeat(20_000)} HTTP/1.1`, HOST),
];

export const EVERYWHERE: readonly RecordedRequest[] = [...keys, ...methods, ...paths, ...bytes];
