import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/failure.js';
import { basic, envelopeOf } from '../../support/http.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/ledger-records.js';
import {
  expectWrongMethod,
  operationsIn,
  wrongMethods,
  type PathMethods,
} from '../../support/methods.js';
import { operationsOf } from '../../support/operations.js';
import { TestService } from '../../support/service.js';

const READ = ['GET', 'HEAD'];
const WRITE = [...READ, 'PUT'];
const RELATIONSHIP = '/v2.0/products/{product_id}/affiliates/{affiliate_id}';
const RECURRING = '/v2.0/recurring_payment';
const SUMMARIES = '/v2.0/transactions/summaries';
const FEEDS = ['/v2.0/latest-transactions', '/v2.0/latest-affiliates-transactions'];
const PATHS: readonly PathMethods[] = [
  { operation: RELATIONSHIP, path: '/v2.0/products/10/affiliates/1', methods: READ },
  { operation: `${RECURRING}/{preKey}`, path: `${RECURRING}/PRE`, methods: WRITE },
  { operation: `${SUMMARIES}/{paykey}`, path: `${SUMMARIES}/one`, methods: READ },
  ...FEEDS.flatMap((feed) =>
    [feed, `${feed}/one`].map((path) => ({
      operation: `${feed}/{paykey}`,
      path,
      methods: READ,
    })),
  ),
];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(1),
    product(10, 1),
    affiliation(1, 10),
    recurringPayment('PRE', 10),
    transaction('one', 10, { affiliate_id: 1 }),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

it('the table of paths has every operation of 2.0', async () => {
  expect(operationsIn(PATHS)).toEqual(await operationsOf(service, '2.0', key));
});

describe('another method than a path has is 4050 with the methods in Allow', () => {
  it.each(wrongMethods(PATHS))('$method $path', async (row) => {
    await expectWrongMethod(service, key, row);
  });
});

describe.each(PATHS)('$path', ({ path }) => {
  it('answers HEAD as GET, without the body', async () => {
    const headers = { ...basic(key), 'X-Request-Id': 'the-same' };
    const got = await service.send({ path, headers });
    const head = await service.send({ method: 'HEAD', path, headers });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect({ ...head.headers, date: '' }).toEqual({ ...got.headers, date: '' });
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(got.text)));
  });

  it.each(['/', '//', '?page=2&limit=1'])('answers the same followed by %s', async (ending) => {
    const plain = await service.get(path, key);
    expect((await service.get(`${path}${ending}`, key)).text).toBe(plain.text);
  });

  it('is 4040 in another case, and with more behind it', async () => {
    const shouted = path.replace(/[a-z]+/g, (word, at) => (at > 1 ? word.toUpperCase() : word));
    expectFailure(await service.get(shouted, key), 4040, '2.0');
    expectFailure(await service.get(`${path}/more/and/more`, key), 4040, '2.0');
  });
});

it('GET /v2.0 tells the version and that it is supported', async () => {
  const answer = await service.get('/v2.0', key);
  expect(envelopeOf(answer).results).toMatchObject([{ version: '2.0', status: 'supported' }]);
  expect(envelopeOf(answer).meta).toMatchObject({ results_count: 1, api_version: '2.0' });
});
