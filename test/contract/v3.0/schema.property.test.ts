import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { envelopeOf } from '../../support/http/http.js';
import { AnswerSchemas } from '../../support/oracles/json-schema.js';
import { product, refund, transaction, user } from '../../support/builders/ledger-records.js';
import { operationsOf } from '../../support/oracles/operations.js';
import { holds } from '../../support/random/properties.js';
import { randomLedger } from '../../support/random/random-records.js';
import { SchemaProperty, type Call } from '../../support/oracles/schema-property.js';
import { TestService } from '../../support/servers/service.js';

const VERSION = '3.0';
const LEDGERS = 60;
const LIST = '/v3.0/transactions';
const SINGLE = `GET ${LIST}/{transaction_id}`;
const ALL = 'start_date=2000-01-01&end_date=2101-12-31';

const schemas = new AnswerSchemas(VERSION);
let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start({}, []);
  await service.import([
    user(1),
    user(2, { display_name: 'Zoë' }),
    user(3),
    product(10, 1),
    transaction('bare', 10),
    transaction('of-an-affiliate', 10, { affiliate_id: 2 }),
    transaction('of-an-affiliate-without-a-name', 10, { affiliate_id: 3 }),
    transaction('refunded', 10, {
      status: 'refunded',
      affiliate_id: 2,
      refund: refund('2025-06-03T00:00:00Z', { affiliate_refund_impact: '-0.01' }),
    }),
  ]);
  key = await service.key(1);
});
afterAll(() => service.stop());

it('every operation of 3.0 has a schema, and no schema is without one', async () => {
  const operations = await operationsOf(service, VERSION, key);
  expect(schemas.operations().sort()).toEqual([`GET /v${VERSION}`, ...operations].sort());
});

it.each(['bare', 'of-an-affiliate', 'of-an-affiliate-without-a-name', 'refunded'])(
  'a transaction is as its schema says: %s',
  async (id) => {
    const body = await service.envelope(`${LIST}/${id}`, key);
    expect(body.results).toMatchObject([{ transaction_id: id }]);
    expect(schemas.faults(SINGLE, body)).toEqual([]);
  },
);

it.each(['page_size=2', 'page_size=2&page_index=1', 'page_size=200&page_index=2147483647'])(
  'a page of the list is as its schema says: %s',
  async (page) => {
    const body = await service.envelope(`${LIST}?${ALL}&${page}`, key);
    expect(body.meta.total_count).toBe(4);
    expect(schemas.faults(`GET ${LIST}`, body)).toEqual([]);
  },
);

it('a schema refuses what no transaction has', async () => {
  const body = await service.envelope(`${LIST}/refunded`, key);
  const [sale = {}] = body.results;
  const changed = [
    { ...sale, status: 'COMPLETED' },
    { ...sale, amount: 47 },
    { ...sale, affiliate: {} },
    { ...sale, extra: null },
    { ...sale, refund: { ...(sale.refund as object), seller_refund_impact: '40.00' } },
  ];
  for (const result of changed) {
    expect(schemas.faults(SINGLE, { ...body, results: [result] })).not.toEqual([]);
  }
});

it('every answer of 3.0 over random ledgers is as its schema says', async () => {
  const property = new SchemaProperty(service, VERSION, (ids): Call[] => [
    { operation: 'GET /v3.0', path: '/v3.0' },
    { operation: `GET ${LIST}`, path: `${LIST}?${ALL}` },
    ...ids.transactions.map((id) => ({ operation: SINGLE, path: `${LIST}/${id}` })),
  ]);
  await holds(
    fc.asyncProperty(randomLedger, (ledger) => property.check(ledger)),
    { numRuns: LEDGERS, atLeast: 10 },
  );
  expect([...property.answered].sort()).toEqual(schemas.operations().sort());
});

it.each([`${LIST}/none`, LIST, `${LIST}?${ALL}&page_size=0`, '/v3.0/nowhere', '/nowhere'])(
  'a failure is as its schema says: %s',
  async (path) => {
    const body = envelopeOf(await service.get(path, key));
    expect(schemas.faults('failure', body)).toEqual([]);
  },
);
