/** Generates valid and invalid requests of every kind for the operations that the service lists. */
import fc from 'fast-check';
import { HOSTILE } from '../../../testing/src/hostile/hostile-texts.js';
import { basic, type Request } from '../http/http.js';
import type { Operation } from '../oracles/operations.js';

/** All parameters and fields, with the valid values of each name. */
export interface KnownRequests {
  readonly query: readonly string[];
  readonly fields: readonly string[];
  readonly values: Readonly<Record<string, readonly string[]>>;
}

export type Generated = Request & Required<Pick<Request, 'method' | 'headers'>>;

const hostile = fc.constantFrom(...Object.values(HOSTILE).flat());
const anyText = fc.oneof(
  hostile,
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ unit: 'binary-ascii', maxLength: 30 }),
  fc.integer().map(String),
);
const encoded = anyText.map((text) => encodeURIComponent(text.toWellFormed()));
/** Characters that a client may send in a path or query, including malformed percent-encoding. */
const addressText = fc.oneof(
  { weight: 4, arbitrary: encoded },
  fc.stringMatching(/^[!$&'()*+,./0-9:;=?@A-Za-z_~%-]{0,30}$/),
);
const headerText = fc.oneof(
  fc.stringMatching(/^[\t\x20-\x7e\xa0-\xff]{0,60}$/),
  fc.constantFrom('', '*', 'W/"a"', '"a", "b"', 'gzip, br;q=0.1', 'identity;q=0, *;q=0', '-1', ','),
);
const HEADERS = [
  'X-Request-Id',
  'User-Agent',
  'traceparent',
  'If-None-Match',
  'If-Modified-Since',
  'If-Match',
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Range',
  'Origin',
  'Cookie',
  'Cache-Control',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'X-Http-Method-Override',
  'Content-Language',
  'TE',
];
const METHODS = ['HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'GET', 'TRACE', 'PROPFIND'];
const TYPES = [
  'application/json',
  'application/json; charset=utf-8',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=a',
  '',
  'application/json; a',
];

/** Generates a valid value most of the time, and an invalid one otherwise. */
function mostly<Value>(right: fc.Arbitrary<Value>, wrong: fc.Arbitrary<Value>, often = 4) {
  return fc.oneof({ weight: often, arbitrary: right }, { weight: 1, arbitrary: wrong });
}

export function generatedRequest(
  operations: readonly Operation[],
  known: KnownRequests,
  keys: readonly string[],
): fc.Arbitrary<Generated> {
  return fc.constantFrom(...operations).chain((operation) =>
    fc
      .record({
        method: mostly(fc.constant(operation.method), fc.constantFrom(...METHODS), 5),
        path: pathOf(operation.path, known),
        query: queryOf(known),
        authorization: mostly(fc.constantFrom(...keys).map(rightHeader), wrongHeader, 12),
        headers: fc.dictionary(fc.constantFrom(...HEADERS), headerText, { maxKeys: 3 }),
        body: bodyOf(known),
      })
      .map(({ method, path, query, authorization, headers, body }) => {
        const whole = { ...headers, ...authorization };
        const address = query === '' ? path : `${path}?${query}`;
        const hasBody = operation.method === 'PUT' || ['PUT', 'POST', 'PATCH'].includes(method);
        return hasBody
          ? { method, path: address, headers: { ...whole, ...body.headers }, body: body.bytes }
          : { method, path: address, headers: whole };
      }),
  );
}

function rightHeader(key: string): Record<string, string> {
  return basic(key);
}

const wrongHeader: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.constant({}),
  headerText.map((Authorization) => ({ Authorization })),
  fc.tuple(anyText, anyText).map(([user, password]) => basic(user, password)),
);

function pathOf(template: string, known: KnownRequests): fc.Arbitrary<string> {
  const parts = template.split('/').map((part) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name === undefined) return mostly(fc.constant(part), addressText, 200);
    return mostly(rightValue(name, known).map(encodeURIComponent), addressText, 8);
  });
  const ending = mostly(fc.constant(''), fc.constantFrom('/', '//', '/a', '%2F', '.json'), 20);
  return fc.tuple(fc.tuple(...parts), ending).map(([segments, end]) => {
    // An optional last part may be absent. A path always begins with a slash.
    const path = segments.join('/').replace(/\?/g, '') + end;
    return path.startsWith('/') ? path : `/${path}`;
  });
}

function rightValue(name: string, known: KnownRequests): fc.Arbitrary<string> {
  return fc.constantFrom(...(known.values[name] ?? ['']));
}

function queryOf(known: KnownRequests): fc.Arbitrary<string> {
  const right = fc
    .tuple(...known.query.map((name) => rightValue(name, known)))
    .map((values) => known.query.map((name, at) => `${name}=${values[at] ?? ''}`).join('&'));
  const pair = fc
    .tuple(mostly(fc.constantFrom(...known.query, 'page', 'limit'), addressText), addressText)
    .map(([name, value]) => `${name}=${value}`);
  const wrong = fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join('&'));
  return fc.oneof(
    { weight: 3, arbitrary: right },
    { weight: 1, arbitrary: fc.tuple(right, wrong).map(([a, b]) => `${a}&${b}`) },
    { weight: 1, arbitrary: wrong },
  );
}

interface Body {
  readonly headers: Record<string, string>;
  readonly bytes: Buffer;
}

/**
 * Returns a value as the text of a form field. Objects become JSON, because their field toString
 * may not be a function.
 */
function textOf(held: unknown): string {
  return typeof held === 'object' && held !== null ? JSON.stringify(held) : String(held);
}

function bodyOf(known: KnownRequests): fc.Arbitrary<Body> {
  const value = (name: string): fc.Arbitrary<unknown> =>
    mostly<unknown>(
      rightValue(name, known),
      fc.oneof(anyText, fc.jsonValue(), fc.constant(null)),
      25,
    );
  const fields = fc.record(Object.fromEntries(known.fields.map((name) => [name, value(name)])), {
    requiredKeys: ['approval_status', 'status'],
  });
  const json = fields.map((body) => bytesOf('application/json', JSON.stringify(body)));
  const form = fields.map((body) => {
    const pairs = Object.entries(body).map(([name, held]): [string, string] => [
      name,
      textOf(held).toWellFormed(),
    ]);
    return bytesOf('application/x-www-form-urlencoded', new URLSearchParams(pairs).toString());
  });
  const nonsense = fc
    .tuple(
      fc.constantFrom(...TYPES),
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
        fc.json().map((text) => Buffer.from(text)),
        fc.json().map((text) => Buffer.from(text.slice(1))),
        fc.integer({ min: 16_000, max: 20_000 }).map((length) => Buffer.alloc(length, 'a')),
      ),
    )
    .map(([type, bytes]) => bytesOf(type, bytes));
  const asForm = fields.map((body) =>
    bytesOf('application/x-www-form-urlencoded', JSON.stringify(body)),
  );
  return fc.oneof(
    { weight: 4, arbitrary: json },
    { weight: 2, arbitrary: form },
    { weight: 1, arbitrary: asForm },
    { weight: 2, arbitrary: nonsense },
  );
}

function bytesOf(type: string, body: string | Buffer): Body {
  return { headers: { 'Content-Type': type }, bytes: Buffer.from(body) };
}
