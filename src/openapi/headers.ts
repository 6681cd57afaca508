import { VALID_REQUEST_ID } from '../common/request-id.js';
import { refTo, type Parameter, type Reference } from './open-api.model.js';

const REQUEST_ID = { type: 'string', pattern: VALID_REQUEST_ID.source };
const TEXT = { type: 'string' };
const [REQUEST_ID_EXAMPLE, TAG_EXAMPLE] = ['nightly-report-42', '"Yq3p0cF1mD8sT5vB7nK2xw"'];
const BASIC_CHALLENGE = 'Basic realm="Vendor Reporting API", charset="UTF-8"';
const COUNT = { type: 'integer', minimum: 0 };

/** Every header that an answer may have and a client may want to read. */
export const HEADERS = {
  'X-API-Version': {
    description: 'The interface version that answered.',
    schema: TEXT,
    example: '3.0',
  },
  'X-Request-Id': {
    description:
      'Names the request in the log of the service: the one that was sent, or a new one.',
    schema: REQUEST_ID,
    example: REQUEST_ID_EXAMPLE,
  },
  ETag: {
    description:
      'Names the answer for as long as nothing changes: send it back as `If-None-Match`.',
    schema: TEXT,
    example: TAG_EXAMPLE,
  },
  Link: {
    description: 'The newer equivalent of the operation, `rel="successor-version"`.',
    schema: TEXT,
    example: '</v3.0/transactions>; rel="successor-version"',
  },
  'X-Paykey': {
    description:
      'Where it is there: the feed does not have the transaction of `paykey`, and the answer is the one without a paykey.',
    schema: { const: 'unknown' },
    example: 'unknown',
  },
  'X-Ignored-Parameters': {
    description:
      'The query parameters that the operation does not know and ignores, percent-encoded: at most 10, and `...` where one is left out.',
    schema: TEXT,
    example: 'limit,per_page',
  },
  RateLimit: {
    description:
      'For each window of the limits, how many requests are left and in how many seconds it begins anew.',
    schema: TEXT,
    example: '"1s";r=49;t=1, "1m";r=2999;t=60',
  },
  'RateLimit-Policy': {
    description: 'For each window of the limits, its requests and its seconds.',
    schema: TEXT,
    example: '"1s";q=50;w=1, "1m";q=3000;w=60',
  },
  'X-RateLimit-Limit': {
    description: 'The requests of the tightest window.',
    schema: COUNT,
    example: 50,
  },
  'X-RateLimit-Remaining': {
    description: 'What is left of the tightest window.',
    schema: COUNT,
    example: 49,
  },
  'X-RateLimit-Reset': {
    description: 'In how many seconds the tightest window begins anew.',
    schema: COUNT,
    example: 1,
  },
  'Retry-After': {
    description: 'After how many seconds to ask again.',
    schema: COUNT,
    example: 3,
  },
  'WWW-Authenticate': {
    description: 'Asks for Basic authentication.',
    schema: TEXT,
    example: BASIC_CHALLENGE,
  },
} as const;
export type Header = keyof typeof HEADERS;

/** What every answer has (decisions: Every response). */
export const OF_EVERY_ANSWER: readonly Header[] = [
  ...(['X-API-Version', 'X-Request-Id', 'X-Ignored-Parameters'] as const),
];
/** What an answer has once the limits of its key were looked at, unless there are none. */
export const OF_LIMITS: readonly Header[] = [
  ...(['RateLimit', 'RateLimit-Policy'] as const),
  ...(['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const),
];

export function headerRefs(names: readonly Header[]): Record<string, Reference> {
  return Object.fromEntries(names.map((name) => [name, refTo('headers', name)]));
}

/** What a request may carry beside its key. */
export const REQUEST_HEADERS = {
  'X-Request-Id': {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Kept as the name of the request where it is of this form; otherwise one is made.',
    schema: REQUEST_ID,
    example: REQUEST_ID_EXAMPLE,
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer: as long as nothing changed, 304 without a body.',
    schema: TEXT,
    example: TAG_EXAMPLE,
  },
} as const satisfies Readonly<Record<string, Parameter>>;
