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

export const HEADERS = {
  'X-API-Version': header('API version that served the request.', TEXT, '3.0'),
  'X-Request-Id': header(
    'Request id, as in the log of the service: the one that you sent, or a generated one.',
    REQUEST_ID,
    REQUEST_ID_EXAMPLE,
  ),
  ETag: header(
    'Identifies this version of the response. Send it as `If-None-Match`.',
    TEXT,
    TAG_EXAMPLE,
  ),
  Link: header(
    'URL of the newer equivalent of this operation, with `rel="successor-version"`.',
    TEXT,
    '</v3.0/transactions>; rel="successor-version"',
  ),
  'X-Paykey': header(
    'Present if the `paykey` is unknown in this feed; the response is then the same as without a `paykey`.',
    { const: 'unknown' },
    'unknown',
  ),
  'X-Ignored-Parameters': header(
    'Unknown query parameters, which were ignored. Percent-encoded; at most 10 names, and `...` if names are omitted.',
    TEXT,
    'limit,per_page',
  ),
  'X-Ledger-Count': header('Exact number of transactions in the file.', COUNT, 160),
  'X-Ledger-Cursor': header(
    'Where `GET /ledger/v1/changes` continues from the state of the file.',
    TEXT,
    '4711',
  ),
  RateLimit: header(
    'For each rate limit window: remaining requests (`r`) and seconds until the window resets (`t`).',
    TEXT,
    '"1s";r=49;t=1, "1m";r=2999;t=60',
  ),
  'RateLimit-Policy': header(
    'For each rate limit window: allowed requests (`q`) and length in seconds (`w`).',
    TEXT,
    '"1s";q=50;w=1, "1m";q=3000;w=60',
  ),
  'X-RateLimit-Limit': header('Allowed requests in the tightest rate limit window.', COUNT, 50),
  'X-RateLimit-Remaining': header(
    'Remaining requests in the tightest rate limit window.',
    COUNT,
    49,
  ),
  'X-RateLimit-Reset': header('Seconds until the tightest rate limit window resets.', COUNT, 1),
  'Retry-After': header('Seconds to wait before you retry.', COUNT, 3),
  'WWW-Authenticate': header('Authentication scheme: HTTP Basic.', TEXT, BASIC_CHALLENGE),
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
