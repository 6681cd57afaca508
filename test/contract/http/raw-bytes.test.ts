import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectCommonHeaders, expectFailure } from '../../support/oracles/failure.js';
import { basic, envelopeOf, type Answer } from '../../support/http/http.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { exchange, head } from '../../support/http/raw-http.js';
import { TestService } from '../../support/servers/service.js';

const LIST = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01';
const HOST = 'Host: service.example.test';
const CLOSE = 'Connection: close';

let service: TestService;
let authorization: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), product(10, 1), transaction('one', 10)]);
  authorization = `Authorization: ${basic(await service.key(1)).Authorization}`;
});
afterAll(() => service.stop());

/** Sends the lines of one request head, and returns the one answer. */
async function ask(...lines: readonly string[]): Promise<Answer> {
  return only(await exchange(service.port, head(...lines)));
}

function only(answers: readonly Answer[]): Answer {
  const [answer, ...more] = answers;
  expect(more).toEqual([]);
  if (answer === undefined) throw new Error('there was no answer');
  return answer;
}

function expectList(answer: Answer | undefined): void {
  if (answer === undefined) throw new Error('there was no answer');
  expect(answer.status).toBe(200);
  expectCommonHeaders(answer);
  expect(envelopeOf(answer).results).toMatchObject([{ transaction_id: 'one' }]);
}

describe('bytes that are not an HTTP request are 4000', () => {
  it.each([
    ['words', 'hello there\r\n\r\n', '3.0'],
    ['a TLS greeting', Buffer.from('16030100c5010000c10303', 'hex'), '3.0'],
    ['NULs', Buffer.alloc(64), '3.0'],
    ['an unknown method', head('FROB /v2.1/x HTTP/1.1', HOST), '2.1'],
    ['a method in lower case', head('get /v2.0/x HTTP/1.1', HOST), '2.0'],
    ['another protocol', head('GET /v2.1/x FTP/1.0', HOST), '2.1'],
    ['another version of HTTP', head('GET /v3.0 HTTP/9.9', HOST), '3.0'],
    ['a space in the address', head('GET /v3.0/trans actions HTTP/1.1', HOST), '3.0'],
    ['a header without a colon', head('GET /v2.1/x HTTP/1.1', HOST, 'nonsense'), '2.1'],
    ['a space before a colon', head('GET /v3.0 HTTP/1.1', HOST, 'X-Name : value'), '3.0'],
    ['a NUL in a header', head('GET /v3.0 HTTP/1.1', HOST, 'X-Name: a\0b'), '3.0'],
    ['a length that is none', head('POST /v3.0 HTTP/1.1', HOST, 'Content-Length: x'), '3.0'],
    ['a length below zero', head('POST /v3.0 HTTP/1.1', HOST, 'Content-Length: -1'), '3.0'],
    [
      'two lengths',
      head('POST /v3.0 HTTP/1.1', HOST, 'Content-Length: 1', 'Content-Length: 2'),
      '3.0',
    ],
    [
      'a length and chunks',
      head('POST /v3.0 HTTP/1.1', HOST, 'Content-Length: 5', 'Transfer-Encoding: chunked'),
      '3.0',
    ],
  ])('%s', async (_, bytes, version) => {
    expectFailure(only(await exchange(service.port, bytes)), 4000, version);
  });

  it('headers over the limit', async () => {
    const big = `X-Big: ${'a'.repeat(20_000)}`;
    expectFailure(await ask('GET /v2.1/x HTTP/1.1', HOST, big), 4000, '2.1');
  });

  it('a URL over the limit', async () => {
    const answer = await ask(`GET /v2.1/${'a'.repeat(20_000)} HTTP/1.1`, HOST);
    expectFailure(answer, 4000, '2.1');
  });

  it('a HEAD with headers over the limit, which has no body', async () => {
    const big = head('HEAD /v2.1/x HTTP/1.1', HOST, `X-Big: ${'a'.repeat(20_000)}`);
    const answer = only(await exchange(service.port, big, ['HEAD']));
    expect(answer.status).toBe(400);
    expectCommonHeaders(answer, '2.1');
  });

  it('bytes after a HEAD request, with a body', async () => {
    const first = head(`HEAD ${LIST} HTTP/1.1`, HOST, authorization);
    const answers = await exchange(service.port, `${first}nonsense\r\n\r\n`, ['HEAD', 'GET']);
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expect(answers.map(({ text }) => text !== '')).toEqual([false, true]);
  });

  it('CONNECT, because this service is not a proxy', async () => {
    expectFailure(await ask('CONNECT service.example.test:443 HTTP/1.1', HOST), 4000);
  });

  it('and leave the service unaffected', async () => {
    await exchange(service.port, Buffer.alloc(1_000, 0xff));
    expectList(await ask(`GET ${LIST} HTTP/1.1`, HOST, authorization, CLOSE));
  });
});

describe('the Host header', () => {
  it('missing from an HTTP/1.1 request is 4000', async () => {
    expectFailure(await ask(`GET ${LIST} HTTP/1.1`, authorization, CLOSE), 4000);
  });

  it.each(['HTTP/1.1', 'HTTP/1.0'])('twice in a request of %s is 4000', async (version) => {
    const others = ['host: other.example.test', authorization, CLOSE];
    const answer = await ask(`GET ${LIST} ${version}`, HOST, ...others);
    expectFailure(answer, 4000);
    expect(answer.text).toContain('one Host header');
  });

  it('may be missing from an HTTP/1.0 request, which is answered with its length', async () => {
    const answer = await ask(`GET ${LIST} HTTP/1.0`, authorization);
    expectList(answer);
    expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(answer.text)));
  });
});

describe('the target of a request', () => {
  it.each(['http://service.example.test', 'HTTPS://service.example.test:8443'])(
    'may hold scheme and host, as a proxy sends it: %s',
    async (origin) => {
      expectList(await ask(`GET ${origin}${LIST} HTTP/1.1`, HOST, authorization, CLOSE));
    },
  );

  it('with scheme and host has the version of its path', async () => {
    const target = 'http://service.example.test/v2.1/nowhere';
    expectFailure(await ask(`GET ${target} HTTP/1.1`, HOST, authorization, CLOSE), 4040, '2.1');
  });

  it('with scheme and host alone is the path /', async () => {
    const target = 'http://service.example.test';
    expectFailure(await ask(`GET ${target} HTTP/1.1`, HOST, authorization, CLOSE), 4040);
  });

  it('that is an asterisk is an unknown path', async () => {
    expectFailure(await ask('OPTIONS * HTTP/1.1', HOST, authorization, CLOSE), 4040);
  });
});

describe('Expect', () => {
  it('100-continue gets 100 and then the answer', async () => {
    const expectation = 'Expect: 100-continue';
    const request = head(`GET ${LIST} HTTP/1.1`, HOST, authorization, expectation, CLOSE);
    const answers = await exchange(service.port, request);
    expect(answers.map(({ status }) => status)).toEqual([100, 200]);
    expectList(answers[1]);
  });

  it('of anything else is ignored', async () => {
    expectList(await ask(`GET ${LIST} HTTP/1.1`, HOST, authorization, 'Expect: a miracle', CLOSE));
  });
});

describe('requests of one connection', () => {
  it('that are pipelined are answered in their order', async () => {
    const targets = [LIST, '/v2.1/nowhere', '/v3.0/transactions/one'];
    const requests = targets.map((target, index) =>
      head(
        `${index === 1 ? 'HEAD' : 'GET'} ${target} HTTP/1.1`,
        HOST,
        authorization,
        `X-Request-Id: request-${index}`,
        index === 2 ? CLOSE : 'Connection: keep-alive',
      ),
    );
    const answers = await exchange(service.port, requests.join(''), ['GET', 'HEAD', 'GET']);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200]);
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual([
      'request-0',
      'request-1',
      'request-2',
    ]);
    expectList(answers[0]);
  });

  it('of which the second is not HTTP end with its error', async () => {
    const request = head(`GET ${LIST} HTTP/1.1`, HOST, authorization);
    const [first, second, ...more] = await exchange(service.port, `${request}nonsense\r\n\r\n`);
    expectList(first);
    if (second === undefined) throw new Error('there was no second answer');
    expectFailure(second, 4000);
    expect(more).toEqual([]);
  });
});

describe('headers after the 2,000th', () => {
  const many = Array.from({ length: 2_100 }, () => 'a:');

  it('count: a second Authorization is seen', async () => {
    const lines = [`GET ${LIST} HTTP/1.1`, HOST, CLOSE, authorization, ...many];
    expectList(await ask(...lines));
    expectFailure(await ask(...lines, authorization), 4011);
  });

  it('count: a key is seen', async () => {
    expectList(await ask(`GET ${LIST} HTTP/1.1`, HOST, CLOSE, ...many, authorization));
  });
});
