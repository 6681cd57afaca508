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

const VERSION = '2.0';
const LEDGERS = 60;
const LATEST = '/v2.0/latest-transactions';
const AFFILIATE_LATEST = '/v2.0/latest-affiliates-transactions';
const RECURRING = '/v2.0/recurring_payment';

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await TestService.start({}, []);
  await service.import([user(1)]);
  key = await service.key(1);
});
afterAll(() => service.stop());

it('every operation of 2.0 has a schema, and no schema is without one', async () => {
  const operations = await operationsOf(service, VERSION, key);
  const schemas = new AnswerSchemas(VERSION).operations();
  expect(schemas.sort()).toEqual([`GET /v${VERSION}`, ...operations].sort());
});

it('every answer of 2.0 over random ledgers is as its schema says', async () => {
  const property = new SchemaProperty(service, VERSION, (ids): Call[] => [
    { operation: 'GET /v2.0', path: '/v2.0' },
    {
      operation: 'GET /v2.0/products/{product_id}/affiliates/{affiliate_id}',
      path: `/v2.0/products/${ids.product}/affiliates/${ids.affiliate}`,
    },
    { operation: `GET ${RECURRING}/{preKey}`, path: `${RECURRING}/${ids.preKey}` },
    {
      operation: `PUT ${RECURRING}/{preKey}`,
      path: `${RECURRING}/${ids.preKey}`,
      body: { status: 'CANCEL' },
    },
    { operation: `GET ${RECURRING}/{preKey}`, path: `${RECURRING}/${ids.preKey}` },
    { operation: `GET ${LATEST}/{paykey}`, path: LATEST },
    { operation: `GET ${AFFILIATE_LATEST}/{paykey}`, path: AFFILIATE_LATEST, asAffiliate: true },
    ...ids.transactions.flatMap((id) => [
      {
        operation: 'GET /v2.0/transactions/summaries/{paykey}',
        path: `/v2.0/transactions/summaries/${id}`,
      },
      { operation: `GET ${LATEST}/{paykey}`, path: `${LATEST}/${id}` },
    ]),
  ]);
  await holds(
    fc.asyncProperty(randomLedger, (ledger) => property.check(ledger)),
    { numRuns: LEDGERS, atLeast: 10 },
  );
  expect([...property.answered].sort()).toEqual(new AnswerSchemas(VERSION).operations().sort());
});

it.each(['/v2.0/transactions/summaries/none', '/v2.0/products/x/affiliates/1', '/v2.0/nowhere'])(
  'a failure is as its schema says: %s',
  async (path) => {
    const body = envelopeOf(await service.get(path, key));
    expect(new AnswerSchemas(VERSION).faults('failure', body)).toEqual([]);
  },
);
