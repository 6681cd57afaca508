import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic, envelopeOf } from '../../support/http/http.js';
import {
  affiliation,
  product,
  recurringPayment,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import {
  expectWrongMethod,
  operationsIn,
  wrongMethods,
  type PathMethods,
} from '../../support/http/methods.js';
import { operationsOf } from '../../support/oracles/operations.js';
import { TestService } from '../../support/servers/service.js';

const READ = ['GET', 'HEAD'];
const WRITE = [...READ, 'PUT'];

const RECURRING = '/v2.0/recurring_payment';
const SUMMARIES = '/v2.0/transactions/summaries';
const FEEDS = ['/v2.0/latest-transactions', '/v2.0/latest-affiliates-transactions'];
const PATHS_OF_2_0: readonly PathMethods[] = [
  {
    operation: '/v2.0/products/{product_id}/affiliates/{affiliate_id}',
    path: '/v2.0/products/10/affiliates/1',
    methods: READ,
  },
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

const RELATIONSHIP = '/v2.1/affiliates/{affiliate_id}/products/{product_id}';
const STATISTICS = '/v2.1/affiliatestats/{affiliate_id}/products/{product_id}';
const DETAILS = '/v2.1/transaction/details';
const NAMES = '/v2.1/products/names';
const PATHS_OF_2_1: readonly PathMethods[] = [
  { operation: RELATIONSHIP, path: '/v2.1/affiliates/1/products/10', methods: WRITE },
  { operation: STATISTICS, path: '/v2.1/affiliatestats/1/products/10', methods: READ },
  { operation: NAMES, path: NAMES, methods: READ },
  { operation: `${DETAILS}/{paykey}`, path: `${DETAILS}/one`, methods: READ },
];

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start({}, []);
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

describe.each([
  ['2.0', PATHS_OF_2_0],
  ['2.1', PATHS_OF_2_1],
] as const)('Version %s', (version, paths) => {
  it('the table of paths has all its operations', async () => {
    expect(operationsIn(paths)).toEqual(await operationsOf(service, version, key));
  });

  describe('an unsupported method is 4050 with the methods in Allow', () => {
    it.each(wrongMethods(paths))('$method $path', async (row) => {
      await expectWrongMethod(service, key, row);
    });
  });

  describe.each(paths)('$path', ({ path }) => {
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

    it('is 4040 in another letter case, and with a longer path', async () => {
      const shouted = path.replace(/[a-z]+/g, (word, at) => (at > 1 ? word.toUpperCase() : word));
      expectFailure(await service.get(shouted, key), 4040, version);
      expectFailure(await service.get(`${path}/more/and/more`, key), 4040, version);
    });
  });

  it('describes itself at its own path as supported', async () => {
    const answer = await service.get(`/v${version}`, key);
    expect(envelopeOf(answer).results).toMatchObject([{ version, status: 'supported' }]);
    expect(envelopeOf(answer).meta).toMatchObject({ results_count: 1, api_version: version });
  });
});
