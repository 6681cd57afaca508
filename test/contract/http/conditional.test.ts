/** Conditional requests: the scope of a tag, and answers with 304 (RFC 9110, 8.8.3 and 13.1.2). */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic, type Answer } from '../../support/http/http.js';
import { transaction } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import {
  TAGGED,
  TaggedVendor,
  type TaggedOperation,
} from '../../support/builders/tagged-operations.js';

const VENDOR = new TaggedVendor(1);
const NEIGHBOUR = new TaggedVendor(2);
const LIST = VENDOR.paths.list;
/** So many sales make an answer long enough to be compressed. */
const SALES = 20;

let service: TestService;
let key: string;
let neighbour: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    ...VENDOR.records(),
    ...NEIGHBOUR.records(),
    ...Array.from({ length: SALES }, (_, index) =>
      transaction(`more-${index}`, VENDOR.product, { sale_date: '2025-06-15T00:00:00Z' }),
    ),
  ]);
  key = await service.key(VENDOR.id);
  neighbour = await service.key(NEIGHBOUR.id);
});
afterAll(() => service.stop());

async function tagOf(path: string, headers = {}, of = key): Promise<string> {
  const { status, headers: received } = await service.get(path, of, headers);
  expect(status).toBe(200);
  return received.etag ?? 'none';
}

/** Returns the status of a request with these known tags. */
async function statusWith(known: string, path = LIST, of = key): Promise<number> {
  return (await service.get(path, of, { 'If-None-Match': known })).status;
}

function expectNotModified(answer: Answer, tag: string, version: string): void {
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 304, text: '' });
  expect(answer.headers).toMatchObject({
    etag: tag,
    vary: 'Accept-Encoding',
    'x-api-version': version,
    'x-request-id': 'the-request',
  });
  expect(answer.headers).not.toHaveProperty('content-type');
  expect(answer.headers).not.toHaveProperty('content-encoding');
}

describe.each(TAGGED)('%s', (operation: TaggedOperation) => {
  const path = VENDOR.paths[operation];
  const version = path.slice('/v'.length, '/v3.0'.length);

  it('has a strong tag, the same for the same answer', async () => {
    const tag = await tagOf(path);
    expect(tag).toMatch(/^"[\w-]+"$/);
    expect(await tagOf(path)).toBe(tag);
  });

  it('is not sent again to a client that has it', async () => {
    const tag = await tagOf(path);
    const headers = { 'If-None-Match': tag, 'X-Request-Id': 'the-request' };
    expectNotModified(await service.get(path, key, headers), tag, version);
  });

  it.each(['GET', 'HEAD'])('has the same tag and the same 304 by %s', async (method) => {
    const tag = await tagOf(path);
    const asked = (headers: object) =>
      service.send({ method, path, headers: { ...basic(key), ...headers } });
    expect((await asked({})).headers.etag).toBe(tag);
    const known = { 'If-None-Match': tag, 'X-Request-Id': 'the-request' };
    expectNotModified(await asked(known), tag, version);
  });

  it.each([
    ['weak', (tag: string) => `W/${tag}`],
    ['in a list', (tag: string) => `"one", ${tag},"two"`],
    ['weak in a list of weak ones', (tag: string) => `W/"one" ,  W/${tag}`],
    ['any', () => '*'],
    ['any, between spaces', () => ' * '],
  ])('matches its tag: %s', async (_, known) => {
    expect(await statusWith(known(await tagOf(path)), path)).toBe(304);
  });

  it.each([
    ['without its quotes', (tag: string) => tag.slice(1, -1)],
    ['cut off', (tag: string) => `${tag.slice(0, -2)}"`],
    ['in the other case', (tag: string) => tag.toUpperCase()],
    ['weak in small letters', (tag: string) => `w/${tag}`],
    ['garbage', () => ',,"";W/ \u00ff"'],
    ['nothing', () => ''],
    ['a thousand others', () => Array.from({ length: 1_000 }, (_, i) => `"${i}"`).join()],
  ])('does not match other text: %s', async (_, known) => {
    expect(await statusWith(known(await tagOf(path)), path)).toBe(200);
  });

  it('has another tag for another user', async () => {
    // The neighbour's transaction has an address of its own; the lists share one address.
    const tag = await tagOf(NEIGHBOUR.paths[operation], {}, neighbour);
    expect(tag).not.toBe(await tagOf(path));
    expect(await statusWith(tag, path)).toBe(200);
  });

  it('is rejected without a key, whatever the tag', async () => {
    const headers = { 'If-None-Match': await tagOf(path) };
    expectFailure(await service.send({ path, headers }), 4010, version);
    const wrong = { ...headers, ...basic('no-such-key') };
    expectFailure(await service.send({ path, headers: wrong }), 4011, version);
  });
});

describe('a tag of the list', () => {
  const first = `${LIST}&page_size=10&page_index=0`;
  const second = `${LIST}&page_size=10&page_index=1`;

  it('is different for each page, and matches no other', async () => {
    const [one, two] = [await tagOf(first), await tagOf(second)];
    expect(one).not.toBe(two);
    expect(await statusWith(one, second)).toBe(200);
    expect(await statusWith(two, first)).toBe(200);
  });

  it('names the page of that user only', async () => {
    const [mine, theirs] = [await tagOf(LIST), await tagOf(LIST, {}, neighbour)];
    expect(await statusWith(theirs)).toBe(200);
    expect(await statusWith(mine, LIST, neighbour)).toBe(200);
  });

  it('is the same for each key of a user', async () => {
    expect(await tagOf(LIST, {}, await service.key(VENDOR.id))).toBe(await tagOf(LIST));
  });

  it('is different for each encoding, and matches no other', async () => {
    const codings = ['identity', 'gzip', 'br'];
    const tags = await Promise.all(codings.map((c) => tagOf(LIST, { 'Accept-Encoding': c })));
    expect(new Set(tags).size).toBe(3);
    for (const coding of codings) {
      const headers = { 'Accept-Encoding': coding };
      for (const [index, tag] of tags.entries()) {
        // A client may get the uncompressed form at any time, so its tag is valid for every
        // encoding.
        const isSame = coding === codings[index] || codings[index] === 'identity';
        const { status } = await service.get(LIST, key, { ...headers, 'If-None-Match': tag });
        expect({ coding, of: codings[index], status }).toEqual({
          coding,
          of: codings[index],
          status: isSame ? 304 : 200,
        });
      }
    }
  });

  it('does not make an invalid query valid', async () => {
    const tag = await tagOf(LIST);
    for (const known of [tag, '*']) {
      const wrong = `${LIST}&page_size=0`;
      const answer = await service.get(wrong, key, { 'If-None-Match': known });
      expectFailure(answer, 4001);
      expect(answer.headers).not.toHaveProperty('etag');
    }
  });
});

describe('X-Ignored-Parameters', () => {
  it.each(TAGGED)(
    'is in the 304 as in the answer, and not in other clients’ answers: %s',
    async (operation) => {
      const path = VENDOR.paths[operation];
      const more = `${path}${path.includes('?') ? '&' : '?'}page=1`;
      const tag = await tagOf(more);
      expect(await statusWith(tag, path)).toBe(200);
      for (const method of ['GET', 'HEAD']) {
        // The answers come from the ledger and from cached pages.
        const headers = { ...basic(key), 'If-None-Match': tag };
        const unchanged = await service.send({ method, path: more, headers });
        expect(unchanged.status).toBe(304);
        const whole = await service.send({ method, path: more, headers: basic(key) });
        for (const { headers: sent } of [unchanged, whole]) {
          expect(sent['x-ignored-parameters']).toBe('page');
        }
        const plain = await service.send({ method, path, headers: basic(key) });
        expect(plain.headers).not.toHaveProperty('x-ignored-parameters');
      }
    },
  );
});

it('a missing resource has no tag, and is 404 whatever the tag', async () => {
  for (const path of ['/v3.0/transactions/none', '/v3.0/nowhere']) {
    const answer = await service.get(path, key, { 'If-None-Match': '*' });
    expectFailure(answer, 4040);
    expect(answer.headers).not.toHaveProperty('etag');
  }
});

it.each(['/v3.0', '/v2.1/products/names', '/v2.0/latest-affiliates-transactions'])(
  'an operation without revisions has no tag and is always sent: %s',
  async (path) => {
    const answer = await service.get(path, key, { 'If-None-Match': '*' });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty('etag');
  },
);
