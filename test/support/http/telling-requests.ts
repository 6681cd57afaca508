/** Requests that contain a key or personal data, in the right place and in every wrong one. */
import { ROWS, type CoreRow } from '../builders/access-rows.js';
import { basic, type Request } from './http.js';
import { head } from './raw-http.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };
const LIMIT_BYTES = 16 * 1024;

/** Generates requests for every operation, without a key and with each key. */
export function* withKeys(keys: readonly string[]): Generator<Request> {
  for (const row of ROWS) {
    const request = requestOf(row);
    yield request;
    for (const key of keys) yield withHeaders(request, basic(key));
  }
}

/** Generates requests for every operation with the key in wrong places. */
export function* withMisplacedKey(key: string): Generator<Request> {
  const { Authorization } = basic(key);
  const token = Authorization.slice('Basic '.length);
  for (const row of ROWS) {
    const request = requestOf(row);
    const { path } = request;
    for (const authorization of [
      `Bearer ${key}`,
      key,
      `Basic ${key}`,
      `Basic ${key}:x`,
      token,
      basic(key, 'y').Authorization,
      basic('x', key).Authorization,
      `${Authorization}, b`,
    ]) {
      yield withHeaders(request, { Authorization: authorization });
    }
    yield withHeaders(request, { Authorization: [Authorization, `Basic ${key}`] });
    const query = `api_key=${key}&page_size=${key}&${key}=${token}`;
    for (const place of [`${path}/${key}`, `/${key}${path}`, `${path}/%zz${key}`]) {
      yield { ...request, path: place };
      yield withHeaders({ ...request, path: place }, { Authorization });
    }
    yield { ...request, path: `${path}${path.includes('?') ? '&' : '?'}${query}` };
    yield withHeaders(
      { ...request, path: `${path.split('?')[0] ?? ''}?${query}` },
      { Authorization },
    );
    for (const value of [key, token, Authorization, `00-${key}-${key}-01`]) {
      yield withHeaders(request, { Authorization, ...inOtherHeaders(value) });
    }
    for (const [type, body] of bodiesWith(key)) {
      for (const method of ['PUT', 'POST']) {
        const headers = { Authorization, 'Content-Type': type };
        yield { method, path, headers, body };
      }
    }
    yield { method: 'DELETE', path, headers: { Authorization } };
  }
}

/** Generates requests for every operation with a value in each of its parameters. */
export function* withValue(value: string, key: string): Generator<Request> {
  const text = encodeURIComponent(value);
  for (const { operation } of ROWS) {
    const [method = '', template = ''] = operation.split(' ');
    const path = template.replace(/\{\w+\}/g, text);
    const query = ['start_date', 'end_date', 'page_size', 'page_index', text].map(
      (name) => `${name}=${text}`,
    );
    const fields = ['approval_status', 'custom_commission', 'affiliate_verification_email', value];
    const body = JSON.stringify(Object.fromEntries(fields.map((name) => [name, value])));
    yield {
      method,
      path: `${path}?${query.join('&')}`,
      headers: { ...basic(key), ...JSON_TYPE },
      ...(method === 'PUT' ? { body } : {}),
    };
  }
}

/** Returns bytes with a key that are not valid HTTP requests. */
export function unreadable(key: string): readonly string[] {
  const { Authorization } = basic(key);
  return [
    head(`GET /v3.0/${key} FTP/1.0`, `Authorization: ${Authorization}`),
    head('GET /v3.0 HTTP/1.1', 'Host: a', `Authorization: ${Authorization}\0`),
    head(`${key} ${Authorization}`),
  ];
}

function requestOf({ operation, path, body }: CoreRow): Request {
  const method = operation.slice(0, operation.indexOf(' '));
  const request = { method, path: path('vendor') };
  return body === undefined
    ? request
    : { ...request, headers: JSON_TYPE, body: JSON.stringify(body) };
}

function withHeaders(request: Request, headers: NonNullable<Request['headers']>): Request {
  return { ...request, headers: { ...request.headers, ...headers } };
}

function inOtherHeaders(value: string): Record<string, string> {
  const names = [
    'X-Request-Id',
    'User-Agent',
    'Referer',
    'Cookie',
    'traceparent',
    'tracestate',
    'Origin',
    'X-Forwarded-For',
    'X-Forwarded-Proto',
    'X-Api-Key',
    'Accept',
    'If-None-Match',
  ];
  return Object.fromEntries(names.map((name) => [name, value]));
}

function bodiesWith(key: string): readonly (readonly [type: string, body: string])[] {
  const json = 'application/json';
  return [
    [json, JSON.stringify({ status: key, approval_status: key, custom_commission: key })],
    [json, JSON.stringify({ status: 'CANCEL', approval_status: 'INSTANT', [key]: key })],
    [json, `{"status": ${key}`],
    [json, JSON.stringify([key])],
    [json, JSON.stringify({ status: key.repeat(LIMIT_BYTES / key.length + 1) })],
    ['application/x-www-form-urlencoded', `approval_status=${key}&status=${key}&${key}=%zz`],
    [`application/json; charset=${key}`, '{}'],
    ['text/plain', key],
    [`${key}/${key}`, key],
  ];
}
