import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { basic, type Request } from '../support/http/http.js';
import { FORM, Relationships, relationshipPath } from '../support/builders/relationships.js';
import { processorStopwatch } from '../support/processes/stopwatch.js';

/** The length is near the limit of 16 KiB for an address with its headers, and for a body. */
const LENGTH = 15_500;
/** A text is slow if it takes this many times as long as a text of letters. */
const MOST_TIMES = 8;
const MOST_MORE_MS = 5;
const TRIES = 5;
/** A busy machine can make all of a few attempts slow; a slow text stays slow in this many. */
const MORE_TRIES = 25;

const REPEATED = [
  ...Array.from('/,; \t.:=&%?#-_+*"\'()[]{}<>@\\|~^$!0'),
  'a,',
  '%20',
  '%zz',
  '[]',
  '/.',
  '/a/',
];
const HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Authorization',
  'Content-Type',
  'Cookie',
  'Forwarded',
  'Host',
  'Idempotency-Key',
  'If-None-Match',
  'Range',
  'User-Agent',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'X-Request-Id',
  'traceparent',
];

let api: Relationships;
beforeAll(async () => {
  api = await Relationships.start();
});
afterAll(() => api.stop());

/** Returns the least processor time of several attempts in milliseconds, for client and service. */
async function leastMs(request: Request, tries = TRIES): Promise<number> {
  let least = Infinity;
  for (let tried = 0; tried < tries; tried += 1) {
    const elapsed = processorStopwatch();
    await api.service.send(request);
    least = Math.min(least, elapsed());
  }
  return least;
}

/** Returns the parts whose repetition takes much longer than that of a letter. */
async function slowParts(requestOf: (text: string) => Request): Promise<string[]> {
  const textOf = (part: string) => `${part.repeat(LENGTH / part.length - 1)}x`;
  const plain = await leastMs(requestOf(textOf('a')));
  const slow: string[] = [];
  for (const part of REPEATED) {
    const most = MOST_TIMES * plain + MOST_MORE_MS;
    const request = requestOf(textOf(part));
    if ((await leastMs(request)) <= most) continue;
    const ms = await leastMs(request, MORE_TRIES);
    if (ms > most) slow.push(`${part}: ${ms} ms, not ${plain}`);
  }
  return slow;
}

const key = () => basic(api.key);
const PATH = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-01-31';

describe('a hostile request takes no longer than one with as many plain letters', () => {
  it.each([
    ['the path', (text: string) => ({ path: `/${text}` })],
    ['a path of a version', (text: string) => ({ path: `/v3.0/transactions/${text}` })],
    ['a path of a page', (text: string) => ({ path: `/account/${text}` })],
    ['an absolute address', (text: string) => ({ path: `http://${text}` })],
    ['the query', (text: string) => ({ path: `/v3.0/transactions?${text}` })],
    ['a parameter', (text: string) => ({ path: `/v3.0/transactions?start_date=${text}` })],
  ] as const)('in %s', async (_, requestOf) => {
    const request = (text: string) => ({
      ...requestOf(text.replaceAll(/\s/g, '+')),
      headers: key(),
    });
    expect(await slowParts(request)).toEqual([]);
  });

  it.each(HEADERS)('in %s', async (name) => {
    const request = (text: string) => ({ path: PATH, headers: { ...key(), [name]: text } });
    expect(await slowParts(request)).toEqual([]);
  });

  it.each(['application/json', FORM])('in a body of %s', async (type) => {
    const request = (body: string) => ({
      method: 'PUT',
      path: relationshipPath(),
      headers: { ...key(), 'Content-Type': type },
      body,
    });
    expect(await slowParts(request)).toEqual([]);
    const field = type === FORM ? 'comments=' : '{"comments":"';
    expect(await slowParts((text) => request(field + text))).toEqual([]);
  });
});
