/** Compression of answers, which never changes their content. */
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic, type Answer } from '../../support/http/http.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { exchange } from '../../support/http/raw-http.js';
import { TestService } from '../../support/servers/service.js';

const RANGE = 'start_date=2025-06-01&end_date=2025-06-01';
const LONG = {
  list: `/v3.0/transactions?${RANGE}`,
  latest: '/v2.0/latest-transactions',
  names: '/v2.1/products/names',
} as const;
const SHORT = '/v3.0/transactions?start_date=2024-06-01&end_date=2024-06-01';
const DECODE = { gzip: promisify(gunzip), br: promisify(brotliDecompress) } as const;

/** Values of Accept-Encoding, each with the encodings that the answer may have. */
const ACCEPTED: readonly (readonly [string, readonly string[]])[] = [
  ['gzip', ['gzip']],
  ['GZIP', ['gzip']],
  ['br', ['br']],
  ['gzip, deflate', ['gzip']],
  ['gzip, deflate, br', ['gzip', 'br']],
  ['gzip, deflate, br, zstd', ['gzip', 'br']],
  ['gzip;q=0.1, br;q=0.9', ['br']],
  ['br;q=0.1, gzip;q=0.9', ['gzip']],
  ['gzip;q=0, br', ['br']],
  ['*', ['gzip', 'br', 'identity']],
  ['*;q=0.5, br;q=0', ['gzip', 'identity']],
  ['gzip;q=0', ['identity']],
  ['gzip;q=0, br;q=0', ['identity']],
  ['identity', ['identity']],
  ['identity;q=1, gzip;q=0.5', ['identity']],
  ['deflate', ['identity']],
  ['zstd, compress', ['identity']],
  ['gzipped', ['identity']],
  ['', ['identity']],
  [';;,,;q=', ['identity']],
  ['\u00ff\u00fe', ['identity']],
];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    ...Array.from({ length: 60 }, (_, index) => product(10 + index, 1, { name: `Zoë's ${index}` })),
    ...Array.from({ length: 60 }, (_, index) => transaction(`sale-${index}`, 10 + index)),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

function codingOf({ headers }: Answer): string {
  return headers['content-encoding'] ?? 'identity';
}

async function textOf(answer: Answer): Promise<string> {
  const coding = codingOf(answer);
  if (coding !== 'gzip' && coding !== 'br') return answer.text;
  return (await DECODE[coding](answer.body)).toString('utf8');
}

/** Counts the requested pages. Each test, except those about memory, requests a page of its own. */
let pages = 0;
function newPage(): string {
  pages += 1;
  return `${LONG.list}&page_size=${100 - pages}`;
}

function expectWhole(answer: Answer): void {
  expect(answer.status).toBe(200);
  expect(answer.headers['content-length']).toBe(String(answer.body.length));
  expect(answer.headers.vary).toBe('Accept-Encoding');
}

describe.each(Object.entries(LONG))('a long answer: %s', (_, path) => {
  it.each(ACCEPTED)(
    'is sent to a client that accepts "%s" as one of %j',
    async (accepted, codings) => {
      const plain = await service.get(path, key);
      expect(codingOf(plain)).toBe('identity');
      const answer = await service.get(path, key, { 'Accept-Encoding': accepted });
      expectWhole(answer);
      expect(codings).toContain(codingOf(answer));
      expect(await textOf(answer)).toBe(plain.text);
    },
  );

  it.each(['gzip', 'br'])('is much shorter as %s', async (coding) => {
    const [plain, coded] = [
      await service.get(path, key),
      await service.get(path, key, { 'Accept-Encoding': coding }),
    ];
    expect(coded.body.length).toBeLessThan(plain.body.length / 3);
  });

  it.each(['gzip', 'br', 'identity'])('has the same headers by HEAD: %s', async (coding) => {
    const headers = { ...basic(key), 'Accept-Encoding': coding, 'X-Request-Id': 'same' };
    const get = await service.send({ path, headers });
    const head = await service.send({ method: 'HEAD', path, headers });
    expect(head.body).toHaveLength(0);
    expect({ ...head.headers, date: '' }).toEqual({ ...get.headers, date: '' });
  });

  it('is not compressed for a client of HTTP/1.0', async () => {
    const plain = await service.get(path, key);
    const { Authorization } = basic(key);
    const request = `GET ${path} HTTP/1.0\r\nAuthorization: ${Authorization}\r\nAccept-Encoding: gzip, br\r\n\r\n`;
    const [answer, ...more] = await exchange(service.port, request);
    expect(more).toEqual([]);
    expect(answer?.headers).not.toHaveProperty('content-encoding');
    expect(answer?.text).toBe(plain.text);
  });
});

describe('an answer that fits into one packet', () => {
  it.each(['gzip', 'br', '*'])(
    'is sent uncompressed to a client that accepts %s',
    async (coding) => {
      const answer = await service.get(SHORT, key, { 'Accept-Encoding': coding });
      expectWhole(answer);
      expect(codingOf(answer)).toBe('identity');
      // The answer from memory is the same.
      const again = await service.get(SHORT, key, { 'Accept-Encoding': coding });
      expect({ text: again.text, coding: codingOf(again) }).toEqual({
        text: answer.text,
        coding: 'identity',
      });
    },
  );
});

describe('a cached page', () => {
  const CODINGS = ['identity', 'gzip', 'br'];
  const orders = CODINGS.flatMap((first) =>
    CODINGS.flatMap((second) => CODINGS.map((third) => [first, second, third])),
  );

  it.each(orders)('is correct for clients that accept %s, then %s, then %s', async (...order) => {
    const path = newPage();
    const texts = new Set<string>();
    for (const coding of order) {
      const answer = await service.get(path, key, { 'Accept-Encoding': coding });
      expectWhole(answer);
      expect(codingOf(answer)).toBe(coding);
      texts.add(await textOf(answer));
    }
    expect(texts.size).toBe(1);
  });

  it('is correct for all of them at once', async () => {
    const path = newPage();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        service.get(path, key, { 'Accept-Encoding': CODINGS[index % 3] ?? '' }),
      ),
    );
    for (const [index, answer] of answers.entries()) {
      expectWhole(answer);
      expect(codingOf(answer)).toBe(CODINGS[index % 3]);
    }
    expect(new Set(await Promise.all(answers.map(textOf))).size).toBe(1);
  });

  it.each(['gzip', 'br'])('answers 304 to the tag of the %s response', async (coding) => {
    const path = newPage();
    const headers = { 'Accept-Encoding': coding };
    const { etag = '' } = (await service.get(path, key, headers)).headers;
    const answer = await service.get(path, key, { ...headers, 'If-None-Match': etag });
    expect(answer).toMatchObject({ status: 304, text: '' });
    expect(answer.headers).toMatchObject({ etag, vary: 'Accept-Encoding' });
  });
});

describe('an error is never compressed', () => {
  it.each(ACCEPTED)('for a client that accepts "%s"', async (accepted) => {
    const headers = { 'Accept-Encoding': accepted };
    expectFailure(await service.get('/v3.0/transactions', key, headers), 4001);
    expectFailure(await service.get('/v3.0/nowhere', key, headers), 4040);
    expectFailure(await service.send({ path: LONG.list, headers }), 4010);
  });
});
