/** Answers of an upstream, and their meaning. */
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it } from '@jest/globals';
import { AnswerThreadClient } from '../../../src/modules/mirror/client/answer-thread-client.js';
import { readAnswer, UpstreamError } from '../../../src/modules/mirror/client/upstream-answer.js';
import { CallPace, retrySecondsOf } from '../../../src/modules/mirror/client/call-pace.js';

const MAX_VALUES = 1_000;
const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function envelope(code: number, results: unknown = [], more = {}): string {
  return JSON.stringify({ meta: { status: { code }, ...more }, results });
}

const thread = new AnswerThreadClient();
afterAll(() => thread.onApplicationShutdown());

function read(status: number, body: string | Buffer, headers = {}) {
  const head = { status, headers: { ...JSON_TYPE, ...headers } };
  return readAnswer(head, Readable.from([Buffer.from(body)]), { thread, maxValues: MAX_VALUES });
}

async function faultOf(status: number, body: string | Buffer, headers = {}): Promise<string> {
  try {
    await read(status, body, headers);
  } catch (error) {
    if (error instanceof UpstreamError) return `${error.fault}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('an answer of an upstream', () => {
  it('with success has results', async () => {
    expect(await read(200, envelope(2000, [1, 'x'], { total_count: 2 }))).toEqual({
      meta: { status: { code: 2000 }, total_count: 2 },
      results: [1, 'x'],
    });
    expect(await read(204, '')).toEqual({ meta: {}, results: [] });
  });

  it('of 404 is nothing, if it is of the interface', async () => {
    expect(await read(404, envelope(4040, [null]))).toBeNull();
    expect(await faultOf(404, '<html>', { 'content-type': 'text/html' })).toMatch(/^odd/);
    expect(await faultOf(404, envelope(4000))).toMatch(/^refused/);
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
  ])('of %i is a fault of the kind %s', async (status, fault) => {
    expect(await faultOf(status, envelope(4000))).toMatch(new RegExp(`^${fault}: `));
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
  ])('of 200 with %s is odd', async (_, body, headers) => {
    expect(await faultOf(200, body, headers)).toMatch(/^odd: the upstream answered/);
  });
});

describe('the bounds of an answer', () => {
  const list = (items: string) => `{"meta":{"status":{"code":2000}},"results":[${items}]}`;
  const many = (item: string, count: number) => Array(count).fill(item).join(',');

  it.each([
    ['items', many('0', MAX_VALUES)],
    ['lists', many('[]', MAX_VALUES)],
    ['objects', many('{}', MAX_VALUES)],
    ['fields', `{${Array.from({ length: MAX_VALUES }, (_, at) => `"${at}":0`).join(',')}}`],
  ])('refuse more %s', async (_, items) => {
    const problem = `has more than ${MAX_VALUES} values`;
    expect(await faultOf(200, list(items))).toBe(
      `odd: the upstream answered with a body that ${problem}`,
    );
  });

  it('count no signs in texts', async () => {
    const text = '\\"[{,:'.repeat(MAX_VALUES);
    expect(await read(200, list(`"${text}"`))).toMatchObject({
      results: ['"[{,:'.repeat(MAX_VALUES)],
    });
    expect(await read(200, list(many('0', MAX_VALUES - 100)))).toMatchObject({
      results: { length: MAX_VALUES - 100 },
    });
  });

  it('refuse depth before anything is built, while the answer still comes', async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 1;
        yield await Promise.resolve(Buffer.from('['.repeat(65_536)));
        // This gives the reader time to learn of the rejection.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    const head = { status: 200, headers: JSON_TYPE };
    const answer = readAnswer(head, endless(), { thread, maxValues: Number.POSITIVE_INFINITY });
    await expect(answer).rejects.toThrow('nested more than 20 levels deep');
    expect(given).toBeLessThan(100_000);
  });

  it('refuse one item or a meta with more values than any record', async () => {
    const reading = { thread, maxValues: 100_000 };
    const huge = `[${many('0', 20_000)}]`;
    for (const body of [list(huge), `{"meta":${huge},"results":[]}`]) {
      const answer = readAnswer(
        { status: 200, headers: JSON_TYPE },
        Readable.from([Buffer.from(body)]),
        reading,
      );
      await expect(answer).rejects.toThrow('of more than 10000 values');
    }
  });

  it('cut texts beyond those that anything stores, and leave all else as it is', async () => {
    const [long, item] = [
      'x'.repeat(70_000),
      { __proto__: null, a: [1, { b: null }], ü: '\u{1f600}' },
    ];
    const body = list(`${JSON.stringify(item)},{"text":"${long}","__proto__":{"x":1}}`);
    const { results } = (await read(200, body)) ?? { results: [] };
    expect(JSON.stringify(results[0])).toBe(JSON.stringify(item));
    expect(JSON.stringify(results[1])).toBe(
      `{"text":"${long.slice(0, 65_536)}","__proto__":{"x":1}}`,
    );
  });

  it('let a page of 200 sales with large texts through, in pieces and in order', async () => {
    const sale = (at: number) => ({
      at,
      texts: Array.from({ length: 20 }, () => 'ä'.repeat(1_500)),
    });
    const sales = Array.from({ length: 200 }, (_, at) => sale(at));
    const answer = await readAnswer(
      { status: 200, headers: JSON_TYPE },
      Readable.from([Buffer.from(list(sales.map((each) => JSON.stringify(each)).join(',')))]),
      { thread, maxValues: 300_000 },
    );
    expect(answer?.results).toEqual(sales);
  });

  it('keep the process alive if the thread ends, which begins anew', async () => {
    const own = new AnswerThreadClient();
    async function* ending() {
      yield await Promise.resolve(Buffer.from('{'));
      await own.onApplicationShutdown();
    }
    await expect(own.read(ending(), MAX_VALUES)).rejects.toThrow('the thread ended');
    expect(await own.read(Readable.from([Buffer.from(list('1'))]), MAX_VALUES)).toMatchObject({
      results: [1],
    });
    await own.onApplicationShutdown();
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
