/** What an upstream may answer, and what it means. */
import { describe, expect, it } from '@jest/globals';
import { readAnswer } from '../../../src/modules/upstreams/client/upstream-answer.js';
import { CallPace, retrySecondsOf } from '../../../src/modules/upstreams/client/call-pace.js';
import { UpstreamError } from '../../../src/modules/upstreams/client/upstream-error.model.js';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function envelope(code: number, results: unknown = [], more = {}): string {
  return JSON.stringify({ meta: { status: { code }, ...more }, results });
}

function read(status: number, body: string | Buffer, headers = {}) {
  return readAnswer({ status, headers: { ...JSON_TYPE, ...headers }, body: Buffer.from(body) });
}

function faultOf(status: number, body: string | Buffer, headers = {}): string {
  try {
    read(status, body, headers);
  } catch (error) {
    if (error instanceof UpstreamError) return `${error.fault}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('an answer of an upstream', () => {
  it('with success has results', () => {
    expect(read(200, envelope(2000, [1, 'x'], { total_count: 2 }))).toEqual({
      ...{ meta: { status: { code: 2000 }, total_count: 2 }, results: [1, 'x'] },
    });
    expect(read(204, '')).toEqual({ meta: {}, results: [] });
  });

  it('of 404 is nothing, if it is of the interface', () => {
    expect(read(404, envelope(4040, [null]))).toBeNull();
    expect(faultOf(404, '<html>', { 'content-type': 'text/html' })).toMatch(/^odd/);
    expect(faultOf(404, envelope(4000))).toMatch(/^refused/);
  });

  it.each([
    [500, 'again'],
    [503, 'again'],
    [429, 'again'],
    [401, 'key'],
    [403, 'key'],
    [302, 'odd'],
    [400, 'refused'],
    [402, 'refused'],
  ])('of %i is a fault of the kind %s', (status, fault) => {
    expect(faultOf(status, envelope(4000))).toMatch(new RegExp(`^${fault}: `));
  });

  it.each([
    ['HTML', '<html>', { 'content-type': 'text/html' }],
    ['no type', '{}', { 'content-type': undefined }],
    ['JSON cut off', '{"meta":', {}],
    ['bytes that are no text', Buffer.from([0x22, 0xff, 0x22]), {}],
    ['a list', '[]', {}],
    ['null', 'null', {}],
    ['no status', '{"meta":{},"results":[]}', {}],
    ['results that are no list', '{"meta":{"status":{"code":2000}},"results":{}}', {}],
    ['the envelope of an error', envelope(5000, [null]), {}],
  ])('of 200 with %s is odd', (_, body, headers) => {
    expect(faultOf(200, body, headers)).toMatch(/^odd: the upstream answered/);
  });
});

describe('the pace of calls', () => {
  it('reads Retry-After in seconds and as a date, and nothing else', () => {
    expect(retrySecondsOf({ 'retry-after': '7' })).toBe(7);
    expect(retrySecondsOf({ 'retry-after': '999999999' })).toBe(86_400);
    expect(retrySecondsOf({ 'retry-after': new Date(0).toUTCString() })).toBe(0);
    for (const text of ['', 'soon', '-1', '1.5x']) {
      expect(retrySecondsOf({ 'retry-after': text })).toBeNull();
    }
    expect(retrySecondsOf({})).toBeNull();
  });

  it.each([
    ['429', 429, { 'retry-after': '1' }],
    ['a used up RateLimit', 200, { ratelimit: '"1m";r=20;t=30, "1s";r=0;t=1' }],
    ['X-RateLimit', 200, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' }],
  ])('waits after %s', async (_, status, headers) => {
    const pace = new CallPace();
    const begun = performance.now();
    pace.note(headers, status);
    await pace.turn(new AbortController().signal);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(999);
  });

  it.each([
    ['no limit', {}],
    ['calls that are left', { ratelimit: '"1s";r=1;t=1', 'x-ratelimit-remaining': '1' }],
    [
      'a reset that is a point in time',
      {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '1764000000',
      },
    ],
  ])('does not wait after %s', async (_, headers) => {
    const pace = new CallPace();
    pace.note(headers, 200);
    const waits = new AbortController();
    const turn = pace.turn(waits.signal);
    waits.abort();
    await expect(turn).resolves.toBeUndefined();
  });
});
