import { gzipSync } from 'node:zlib';
import type { Fault } from '../mirrored-vendors.js';
import type { StubAnswer } from '../stub-upstream.js';
import { answering, LIST, spoiling, type Envelope } from './spoiled.js';

const DETAILS = /^\/v2\.1\/transaction\/details\//;
const ALL = /./;
const DEEP = 100_000;
const MANY = 150_000;

export type Wrong = readonly [name: string, fault: Fault, problem: string | RegExp];

function answers(change: Partial<StubAnswer>, path = LIST): Fault {
  return { hook: answering(path, (answer) => ({ ...answer, ...change })) };
}

const typed = (type: string) => ({ 'Content-Type': type });

/** Replaces the body of a response with one made from it. */
function written(change: (body: string) => string | Buffer, headers = {}, path = LIST): Fault {
  const make = ({ body, ...answer }: StubAnswer) => ({
    ...answer,
    headers: { ...answer.headers, ...headers },
    body: change(String(body)),
  });
  return { hook: answering(path, make) };
}

/** Changes the envelope of each page that has sales. */
function paged(change: (envelope: Envelope) => object): Fault {
  const make = (envelope: Envelope) =>
    envelope.results.length === 0 ? envelope : { ...envelope, ...change(envelope) };
  return { hook: spoiling(LIST, make) };
}

function meta(change: object): Fault {
  return paged((envelope) => ({ meta: { ...envelope.meta, ...change } }));
}

const failing = (fault: 'endless' | 'hung up'): Fault => ({
  hook: ({ path }, answer) => (LIST.test(path) ? fault : answer),
});

const notFound = (path: RegExp): Fault =>
  answers({ status: 404, body: '{"meta":{"status":{"code":4040}},"results":[null]}' }, path);

/** Sends half of a body with the Content-Length of a longer one. */
const cutOff = written((body) => body.slice(0, body.length / 2), {
  'Content-Length': '5000',
  Connection: 'close',
});

/** These faults stop the reading at once. */
export const odd: readonly Wrong[] = [
  [
    'HTML',
    answers({ headers: typed('text/html'), body: '<html>' }),
    'the upstream answered with something other than JSON',
  ],
  [
    'HTML that is called JSON',
    answers({ body: '<html>' }),
    'the upstream answered with a body that is not valid JSON',
  ],
  [
    'a compressed body',
    written((body) => gzipSync(body), { 'Content-Encoding': 'gzip' }),
    'the upstream answered with a body that is not valid UTF-8',
  ],
  [
    'JSON that is cut off',
    written((body) => body.slice(0, -20)),
    'the upstream answered with a body that is not valid JSON',
  ],
  [
    'a field twice',
    written((body) => body.replace('"amount":', '"amount":"1.00","amount":')),
    'the upstream answered with a body that has an object with the same field twice',
  ],
  [
    'lists in lists',
    answers({ body: `{"results":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}` }),
    'the upstream answered with a body that is nested more than 20 levels deep',
  ],
  [
    'more numbers than any page',
    answers({ body: `{"results":[${'0,'.repeat(MANY)}0]}` }),
    'the upstream answered with a body that has more than 100000 values',
  ],
  [
    'the envelope of an error',
    written((body) => body.replace('"code":2000', '"code":5000')),
    'the upstream answered 200 with the envelope of an error',
  ],
  [
    'no envelope',
    answers({ body: '[]' }),
    'the upstream answered with a body that is not a JSON object',
  ],
  [
    'results without status',
    answers({ body: '{"meta":{},"results":[]}' }),
    'the upstream answered without the envelope of the interface',
  ],
  [
    'a redirect',
    answers({ status: 302, headers: { Location: '/elsewhere' } }),
    'the upstream answered 302, and redirects are not followed',
  ],
  ['a refusal', answers({ status: 400 }), 'the upstream answered 400'],
  ['no count', meta({ total_count: undefined }), 'the list has no total_count'],
  [
    'a count beyond all numbers',
    written((body) => body.replace('"total_count":3', '"total_count":1e400')),
    'the list has no total_count',
  ],
  [
    'a count that is more',
    meta({ total_count: 99 }),
    'has_more and total_count of a page contradict each other',
  ],
  [
    'a page that skips',
    meta({ total_count: 99, pagination: { page_size: 200, page_index: 0, has_more: true } }),
    'a page has fewer sales than it says',
  ],
  ['a count that is less', meta({ total_count: 2 }), 'a page has more sales than it says'],
  [
    'another page',
    meta({ pagination: { page_size: 200, page_index: 1, has_more: false } }),
    'the answer is not the requested page',
  ],
  [
    'a sale twice',
    paged(({ results: [one, , three] }) => ({ results: [one, one, three] })),
    'a page has a sale twice',
  ],
  ['no version 3.0', notFound(LIST), 'the upstream has no list of version 3.0'],
  ['no version 2.1', notFound(/^\/v2\.1\//), 'the upstream has no version 2.1'],
  ['no version 2.0', notFound(/^\/v2\.0\//), 'the upstream has no version 2.0'],
  [
    "another vendor's sales",
    {
      hook: spoiling(DETAILS, ({ meta: said, results }) => ({
        meta: said,
        results: results.map((detail) => ({ ...detail, vendor_id: '2' })),
      })),
    },
    "the upstream answered with another vendor's sale",
  ],
];

/** These faults are retried at once, for some seconds. */
export const busy: readonly Wrong[] = [
  ['503', answers({ status: 503 }), 'the upstream answered 503'],
  [
    'a connection that is hung up',
    failing('hung up'),
    'the connection was closed before an answer',
  ],
  ['a body that is cut off', cutOff, 'the answer ended early'],
  ['a body without an end', failing('endless'), 'the answer is too long'],
  [
    'a certificate of nobody',
    { isTrusted: false },
    /^the certificate or the TLS handshake failed \([A-Z_]+\)$/,
  ],
  [
    'another name in the certificate',
    { address: (url) => url.replace('localhost', '127.0.0.1') },
    /^the certificate or the TLS handshake failed \([A-Z_]+\)$/,
  ],
];

/**
 * These faults postpone the reading for the minutes that the upstream requests, or for the usual
 * time after a rejected key.
 */
export const putOff: readonly (readonly [...Wrong, minutes: number])[] = [
  [
    '401',
    answers({ status: 401 }, ALL),
    'the upstream does not accept the key: it answered 401',
    15,
  ],
  ['403', answers({ status: 403 }), 'the upstream does not accept the key: it answered 403', 15],
  [
    '429',
    answers({ status: 429, headers: { 'Retry-After': '120' } }),
    'the upstream asks to wait',
    2,
  ],
];
