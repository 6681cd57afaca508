import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { envelopeOf } from '../../support/http/http.js';
import { AnswerSchemas } from '../../support/oracles/json-schema.js';
import { user } from '../../support/builders/ledger-records.js';
import { operationsOf } from '../../support/oracles/operations.js';
import { holds } from '../../support/random/properties.js';
import { randomLedger } from '../../support/random/random-records.js';
import { SchemaProperty, type Call } from '../../support/oracles/schema-property.js';
import { TestService } from '../../support/servers/service.js';

const VERSION = '2.1';
const LEDGERS = 60;
const AFFILIATES = '/v2.1/affiliates/{affiliate_id}/products/{product_id}';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start({}, []);
  await service.import([user(1)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

it('every operation of 2.1 has a schema, and no schema is without one', async () => {
  const operations = await operationsOf(service, VERSION, key);
  const schemas = new AnswerSchemas(VERSION).operations();
  expect(schemas.sort()).toEqual([`GET /v${VERSION}`, ...operations].sort());
});

it('every answer of 2.1 over random ledgers is as its schema says', async () => {
  const property = new SchemaProperty(service, VERSION, (ids): Call[] => {
    const relationship = `${ids.affiliate}/products/${ids.product}`;
    return [
      { operation: 'GET /v2.1', path: '/v2.1' },
      { operation: 'GET /v2.1/products/names', path: '/v2.1/products/names' },
      {
        operation: 'GET /v2.1/affiliatestats/{affiliate_id}/products/{product_id}',
        path: `/v2.1/affiliatestats/${relationship}`,
      },
      { operation: `GET ${AFFILIATES}`, path: `/v2.1/affiliates/${relationship}` },
      {
        operation: `PUT ${AFFILIATES}`,
        path: `/v2.1/affiliates/${relationship}`,
        body: { approval_status: 'DELAYED', custom_commission: null },
      },
      ...ids.transactions.map((id) => ({
        operation: 'GET /v2.1/transaction/details/{paykey}',
        path: `/v2.1/transaction/details/${id}`,
      })),
    ];
  });
  await holds(
    fc.asyncProperty(randomLedger, (ledger) => property.check(ledger)),
    { numRuns: LEDGERS, atLeast: 10 },
  );
  expect([...property.answered].sort()).toEqual(new AnswerSchemas(VERSION).operations().sort());
});

it.each([
  '/v2.1/transaction/details/none',
  '/v2.1/affiliates/1/products/1',
  '/v2.1/affiliatestats/x/products/1',
  '/v2.1/nowhere',
])('a failure is as its schema says: %s', async (path) => {
  const body = envelopeOf(await service.get(path, key));
  expect(new AnswerSchemas(VERSION).faults('failure', body)).toEqual([]);
});
