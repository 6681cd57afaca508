import { KEPT_REQUEST_ID } from '../common/request-id.js';
import { refTo, type Parameter, type Reference } from './open-api.model.js';

const REQUEST_ID = { type: 'string', pattern: KEPT_REQUEST_ID.source };
const TEXT = { type: 'string' };
const COUNT = { type: 'integer', minimum: 0 };

/** Every header that an answer may have and a client may want to read. */
export const HEADERS = {
  'X-API-Version': { description: 'The interface version that answered.', schema: TEXT },
  'X-Request-Id': {
    description:
      'Names the request in the log of the service: the one that was sent, or a new one.',
    schema: REQUEST_ID,
  },
  ETag: {
    description:
      'Names the answer for as long as nothing changes: send it back as `If-None-Match`.',
    schema: TEXT,
  },
  Link: {
    description: 'The newer equivalent of the operation, `rel="successor-version"`.',
    schema: TEXT,
  },
  RateLimit: {
    description:
      'For each window of the limits, how many requests are left and in how many seconds it begins anew.',
    schema: TEXT,
  },
  'RateLimit-Policy': {
    description: 'For each window of the limits, its requests and its seconds.',
    schema: TEXT,
  },
  'X-RateLimit-Limit': { description: 'The requests of the tightest window.', schema: COUNT },
  'X-RateLimit-Remaining': { description: 'What is left of the tightest window.', schema: COUNT },
  'X-RateLimit-Reset': {
    description: 'In how many seconds the tightest window begins anew.',
    schema: COUNT,
  },
  'Retry-After': { description: 'After how many seconds to ask again.', schema: COUNT },
  'WWW-Authenticate': { description: 'Asks for Basic authentication.', schema: TEXT },
} as const;
export type Header = keyof typeof HEADERS;

/** What every answer has (decisions: Every response). */
export const OF_EVERY_ANSWER: readonly Header[] = ['X-API-Version', 'X-Request-Id'];
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
  },
  'If-None-Match': {
    name: 'If-None-Match',
    in: 'header',
    description: 'The `ETag` of an earlier answer: as long as nothing changed, 304 without a body.',
    schema: TEXT,
  },
} as const satisfies Readonly<Record<string, Parameter>>;
