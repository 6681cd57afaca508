/** Requests that change something, or depend on those before them: they are sent last, in this order. */
import { gzipSync } from 'node:zlib';
import { product, transaction, user } from '../../../support/builders/ledger-records.js';
import { got, sent, type RecordedRequest } from '../../../support/recording/recorded-request.js';

const FORM = 'Content-Type: application/x-www-form-urlencoded';
const JSON_TYPE = 'Content-Type: application/json';
const LIMIT = 16 * 1024;
const NO_UTF8 = Buffer.from([...Buffer.from('{"a":"'), 0xff, 0x22, 0x7d]);

/** Bodies that no operation accepts. */
const HOSTILE: readonly (readonly [line: string, body: string | Buffer])[] = [
  ...['', '{', '[]', 'null', '"x"', '7', 'true', '{}', '[{}]', '{"a":1}}', '{"a":1,}'].map(
    (body) => [JSON_TYPE, body] as const,
  ),
  [JSON_TYPE, NO_UTF8],
  [JSON_TYPE, `{"a":"${'x'.repeat(LIMIT)}"}`],
  [JSON_TYPE, `{"a":${'['.repeat(21)}${']'.repeat(21)}}`],
  [JSON_TYPE, '{"__proto__":{"a":1}}'],
  [FORM, 'a=%zz'],
  [FORM, '%C3=1'],
  [FORM, '{'],
  [FORM, `a=${'x'.repeat(LIMIT)}`],
  ...['text/plain', 'application/xml', 'multipart/form-data; boundary=b', 'json', ''].map(
    (type) => [`Content-Type: ${type}`, '{"a":1}'] as const,
  ),
  [`${JSON_TYPE}; charset=klingon`, '{"a":1}'],
];

function withHostileBodies(method: string, path: string): RecordedRequest[] {
  return HOSTILE.map(([line, body]) => sent(method, path, body, { headers: [line] }));
}

const TERMS = '/v2.1/affiliates/3/products/10';
const RELATIONSHIPS: readonly RecordedRequest[] = [
  ...withHostileBodies('PUT', TERMS),
  ...[
    { approval_status: 'instant' },
    { approval_status: null },
    { approval_status: ['INSTANT'] },
    ...[-1, 101, 5.5, '5,5', '', true, [], {}, 1e21].map((custom_commission) => ({
      approval_status: 'INSTANT',
      custom_commission,
    })),
    ...[
      'ftp://a.example',
      'javascript:alert(1)',
      '',
      7,
      `https://a.example/${'x'.repeat(300)}`,
    ].map((custom_sales_page_url) => ({ approval_status: 'INSTANT', custom_sales_page_url })),
    { approval_status: 'INSTANT', affiliate_verification_email: 'wrong@partners.example' },
    { approval_status: 'INSTANT', custom_payment_1st_payout: -1, custom_payment_trial_payout: 'x' },
    { APPROVAL_STATUS: 'INSTANT' },
  ].map((body) => sent('PUT', TERMS, body)),
  ...['3/products/20', '3/products/12', '3/products/999', '999/products/10', 'x/products/y'].map(
    (pair) => sent('PUT', `/v2.1/affiliates/${pair}`, { approval_status: 'INSTANT' }),
  ),
  sent('PUT', TERMS, { approval_status: 'INSTANT', unknown: 1 }),
  sent('PUT', `${TERMS}?a=1`, {
    approval_status: 'DELAYED',
    custom_commission: 45,
    custom_payment_1st_payout: '7',
    custom_sales_page_url: 'https://sales.example/b',
    custom_payment_trial_payout: null,
    affiliate_verification_email: 'NADIA@partners.example',
  }),
  sent('PUT', TERMS, 'approval_status=DENIED&custom_commission=20', { headers: [FORM] }),
  sent('PUT', TERMS, gzipSync('{"approval_status":"INSTANT"}'), {
    headers: [JSON_TYPE, 'Content-Encoding: gzip'],
  }),
  sent('PUT', TERMS, 'not compressed', { headers: [JSON_TYPE, 'Content-Encoding: gzip'] }),
  sent('PUT', TERMS, '{}', { headers: [JSON_TYPE, 'Content-Encoding: zstd'] }),
  got(TERMS),
  // Its upstream cannot be reached.
  sent('PUT', '/v2.1/affiliates/3/products/20', { approval_status: 'DENIED' }, { who: 'other' }),
];

const PAYMENT = '/v2.0/recurring_payment';
/** The payment processor answers 200, then 422, then 500. */
const CANCELS: readonly RecordedRequest[] = [
  ...withHostileBodies('PUT', `${PAYMENT}/PRE-1`),
  ...[{ status: 'cancel' }, { status: 'ACTIVE' }, { status: null }, { status: ['CANCEL'] }].map(
    (body) => sent('PUT', `${PAYMENT}/PRE-1`, body),
  ),
  ...['PRE-2', 'PRE-3', 'PRE-OTHER', 'none', '%zz', 'PRE-4', 'PRE-4', 'PRE-5', 'PRE-6'].map(
    (preKey, at) =>
      sent('PUT', `${PAYMENT}/${preKey}`, { status: 'CANCEL' }, { note: `cancel ${at + 1}` }),
  ),
  sent('PUT', `${PAYMENT}/PRE-1`, 'status=CANCEL', { headers: [FORM] }),
  ...['PRE-1', 'PRE-4', 'PRE-5'].map((preKey) => got(`${PAYMENT}/${preKey}`)),
];

const NDJSON = 'Content-Type: application/x-ndjson';
const RECORDS = '/ledger/v1/records';
const NEW_SALE = transaction('NEW', 10, { amount: '12.00' });

function records(
  lines: readonly (object | string)[],
  query = '',
  who: 'source' | 'own-source' = 'source',
) {
  const body = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return sent('POST', RECORDS + query, body.join('\n'), { who, headers: [NDJSON] });
}

const WRITTEN: readonly RecordedRequest[] = [
  ...HOSTILE.map(([line, body]) => sent('POST', RECORDS, body, { who: 'source', headers: [line] })),
  records([]),
  records([
    '',
    'no record',
    '{"type":"user"}',
    '{"type":"nothing"}',
    '{"type":"user","id":7,"id":8}',
  ]),
  records([transaction('BAD', 10, { amount: 47 }), transaction('BAD', 10, { amount: '47' })]),
  records([
    transaction('BAD', 999),
    transaction('BAD', 10, { status: 'sold' }),
    { type: 'product', id: 0 },
  ]),
  records([transaction('BAD', 10, { sale_date: '2025-06-31T00:00:00Z' }), user(8, { email: 7 })]),
  ...['true', 'false', 'yes', ''].map((atomic) =>
    records([user(8), 'no record'], `?atomic=${atomic}`),
  ),
  records([product(11, 2), transaction('OF-OTHER', 20), user(2, { name: 'x' })], '', 'own-source'),
  records([user(9), product(13, 1), NEW_SALE]),
  records([user(9), product(13, 1), NEW_SALE, transaction('NEW', 10, { amount: '13.00' })]),
  records([
    transaction('NEW-2', 10, { record_version: 5 }),
    transaction('NEW-2', 10, { record_version: 4 }),
  ]),
  sent('POST', RECORDS, [user(9), NEW_SALE], { who: 'own-source' }),
  sent('POST', `${RECORDS}?a=1`, gzipSync(JSON.stringify(user(9))), {
    who: 'source',
    headers: [NDJSON, 'Content-Encoding: gzip'],
  }),
  sent('POST', RECORDS, `${JSON.stringify({ ...user(9), x: 'x'.repeat(256 * 1024) })}\n`, {
    who: 'source',
    headers: [NDJSON],
  }),
  got('/v3.0/transactions/NEW'),
  got('/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01&page_size=1', 'vendor', {
    note: 'after the records',
  }),
];

const HOOKS = '/ledger/v1/webhooks';
const URL = 'https://localhost/hook';
const WEBHOOKS: readonly RecordedRequest[] = [
  ...withHostileBodies('POST', HOOKS),
  ...[
    ...['http://localhost/hook', 'ftp://a.example', 'https://', 'x', '', 7, null].map((url) => ({
      url,
    })),
    { url: URL, from: 'yesterday' },
    { url: URL, max_bytes: 0 },
    { url: URL, max_bytes: 'x' },
    { url: `https://a.example/${'x'.repeat(3_000)}` },
  ].map((body) => sent('POST', HOOKS, body)),
  sent('POST', HOOKS, { url: URL, from: 'now' }),
  sent('POST', HOOKS, { url: `${URL}/2`, max_bytes: 1_048_576 }),
  ...['', '/1', '/2', '/3', '/1/secret', '/1?a=1'].map((path) =>
    got(HOOKS + path, 'vendor', { note: 'with two endpoints' }),
  ),
  got(`${HOOKS}/1`, 'other'),
  got(HOOKS, 'read', { note: 'with two endpoints' }),
  ...[
    { state: 'paused' },
    { state: 'stopped' },
    { url: `${URL}/3` },
    { url: 'x' },
    { max_bytes: '1024' },
    {},
    { max_bytes: null },
  ].map((body) => sent('PATCH', `${HOOKS}/1`, body)),
  ...['{', '[]'].map((body) => sent('PATCH', `${HOOKS}/1`, body)),
  sent('PATCH', `${HOOKS}/9`, { state: 'paused' }),
  ...['rotate', 'test', 'replay', 'skip', 'nothing'].flatMap((action) => [
    sent('POST', `${HOOKS}/9/${action}`, {}),
    sent('POST', `${HOOKS}/1/${action}`, {}),
  ]),
  ...[{ from: '1999-01-01' }, { from: '9999-12-31' }, { from: 'x' }, { from: 7 }].map((body) =>
    sent('POST', `${HOOKS}/1/replay`, body),
  ),
  sent('POST', `${HOOKS}/1/skip`, { webhook_id: 'x' }),
  sent('DELETE', `${HOOKS}/1`, ''),
  sent('DELETE', `${HOOKS}/1`, '', { note: 'again' }),
  sent('DELETE', `${HOOKS}/x`, ''),
  got(HOOKS, 'vendor', { note: 'with one endpoint' }),
  ...Array.from({ length: 10 }, (_, at) =>
    sent('POST', HOOKS, { url: `${URL}/many`, from: 'now' }, { note: `${at + 1} of 10` }),
  ),
];

const NOTIFY = '/ledger/v1/upstreams/1/notify/{token}';
const NOTIFICATIONS: readonly RecordedRequest[] = [
  ...withHostileBodies('POST', NOTIFY).map((request) => ({ ...request, who: null })),
  sent('POST', NOTIFY, { paykey: 'PA-1' }, { who: null }),
  sent('POST', '/ledger/v1/upstreams/1/notify/x', { paykey: 'PA-1' }, { who: null }),
];

const LIMITS: readonly RecordedRequest[] = [
  ...[1, 2, 3, 4, 5].map((time) => got('/v3.0', 'limited', { note: `request ${time} of 3` })),
  ...['/v2.1/nowhere', '/v2.0/latest-transactions', '/ledger/v1/changes', '/v3.0/transactions'].map(
    (path) => got(path, 'limited', { note: 'over the limit' }),
  ),
  ...[1, 2, 3, 4, 5].map((time) =>
    got('/v2.1', null, {
      headers: ['Authorization: Basic d3Jvbmc6eA=='],
      address: '10.9.9.9',
      note: `wrong key ${time} of 3`,
    }),
  ),
  got('/v3.0', 'vendor', { address: '10.9.9.9', note: 'right key after wrong ones' }),
];

export const WRITES: readonly RecordedRequest[] = [
  ...RELATIONSHIPS,
  ...CANCELS,
  ...WRITTEN,
  ...WEBHOOKS,
  ...NOTIFICATIONS,
  ...LIMITS,
];

/** Sent once the table of transactions is gone. */
export const WITHOUT_TABLE: readonly RecordedRequest[] = [
  '/v3.0/transactions/S-01',
  '/v3.0/transactions?start_date=2025-05-01&end_date=2025-06-29',
  '/v2.1/transaction/details/S-01',
  '/v2.0/latest-transactions/S-01',
  '/v2.0/transactions/summaries/S-01',
  '/ledger/v1/changes?kinds=transaction&limit=7',
  '/ledger/v1/transactions.csv?start_date=2025-05-01&end_date=2025-06-29',
].map((path) =>
  got(path, 'vendor', { headers: ['X-Request-Id: without-table'], note: 'without its table' }),
);
