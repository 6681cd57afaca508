import { BASIC_CHALLENGE } from '../../api/errors/api-error.js';
import { VALID_REQUEST_ID } from '../../api/edge/prepare-request.js';
import { refTo, type Parameter, type Reference, type Schema } from './open-api.model.js';

const REQUEST_ID = { type: 'string', pattern: VALID_REQUEST_ID.source };
const TEXT = { type: 'string' };
const [REQUEST_ID_EXAMPLE, TAG_EXAMPLE] = ['nightly-report-42', '"Yq3p0cF1mD8sT5vB7nK2xw"'];
const COUNT = { type: 'integer', minimum: 0 };

function header(description: string, schema: Schema, example: string | number) {
  return { description, schema, example };
}

function text(description: string, example: string) {
  return header(description, TEXT, example);
}

function count(description: string, example: number) {
  return header(description, COUNT, example);
}

export const HEADERS = {
  'X-API-Version': text('API version that served the request.', '3.0'),
  'X-Request-Id': header(
    'Request id, as in the log of the service: the one that you sent, or a generated one.',
    REQUEST_ID,
    REQUEST_ID_EXAMPLE,
  ),
  ETag: text('Identifies this version of the response. Send it as `If-None-Match`.', TAG_EXAMPLE),
  Link: text(
    'URL of the newer equivalent of this operation, with `rel="successor-version"`.',
    '</v3.0/transactions>; rel="successor-version"',
  ),
  'X-Paykey': header(
    'Present if the `paykey` is unknown in this feed; the response is then the same as without a `paykey`.',
    { const: 'unknown' },
    'unknown',
  ),
  'X-Ignored-Parameters': text(
    'Unknown query parameters, which were ignored. Percent-encoded; at most 10 names, and `...` if names are omitted.',
    'limit,per_page',
  ),
  'X-Ledger-Count': count('Exact number of transactions in the file.', 160),
  'X-Ledger-Cursor': text(
    'Where `GET /ledger/v1/changes` continues from the state of the file.',
    '4711',
  ),
  RateLimit: text(
    'For each rate limit window: remaining requests (`r`) and seconds until the window resets (`t`).',
    '"1s";r=49;t=1, "1m";r=2999;t=60',
  ),
  'RateLimit-Policy': text(
    'For each rate limit window: allowed requests (`q`) and length in seconds (`w`).',
    '"1s";q=50;w=1, "1m";q=3000;w=60',
  ),
  'X-RateLimit-Limit': count('Allowed requests in the tightest rate limit window.', 50),
  'X-RateLimit-Remaining': count('Remaining requests in the tightest rate limit window.', 49),
  'X-RateLimit-Reset': count('Seconds until the tightest rate limit window resets.', 1),
  'Retry-After': count('Seconds to wait before you retry.', 3),
  'WWW-Authenticate': text('Authentication scheme: HTTP Basic.', BASIC_CHALLENGE),
};
export type Header = keyof typeof HEADERS;

/** Headers of every response (docs/api.md#rules-for-all-versions). */
export const OF_EVERY_ANSWER = [
  'X-API-Version',
  'X-Request-Id',
  'X-Ignored-Parameters',
] as const satisfies readonly Header[];
/** Headers of every response after the check of the rate limits, unless limits are off. */
export const OF_LIMITS: readonly Header[] = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

export const OF_FILES: readonly Header[] = ['X-Ledger-Count', 'X-Ledger-Cursor'];

export function headerRefs(names: readonly Header[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
}

export const REQUEST_HEADERS = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'Your id for the request, returned in the response. Without a valid id, the service generates one.',
    schema: REQUEST_ID,
    example: REQUEST_ID_EXAMPLE,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description:
      '`ETag` of an earlier response. If it is still current, the answer is 304 without a body.',
    schema: TEXT,
    example: TAG_EXAMPLE,
  },
} as const satisfies Readonly<Record<string, Parameter>>;
