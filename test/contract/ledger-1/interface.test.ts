import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCESSES, type Access } from '../../../src/api/access/principal.js';
import { transaction, product, user } from '../../support/builders/ledger-records.js';
import { basic, envelopeOf, type Answer } from '../../support/http/http.js';
import { exchange, head } from '../../support/http/raw-http.js';
import { RECORDS, sendRecords, verdictsIn } from '../../support/http/records.js';
import { resultOf } from '../../support/http/results.js';
import { expectCommonHeaders, expectFailure } from '../../support/oracles/failure.js';
import { VENDOR_VERSIONS } from '../../support/oracles/operations.js';
import { TestService } from '../../support/servers/service.js';

const VERSION = 'ledger-1';
const OPERATIONS = [
  ...['catalogue', 'unpaid', 'renewals', 'cohorts'].map((report) => ({
    method: 'GET',
    path: `/ledger/v1/figures/${report}`,
  })),
  { method: 'GET', path: '/ledger/v1/earnings/tracking' },
  { method: 'GET', path: '/ledger/v1/changes' },
  { method: 'GET', path: '/ledger/v1/relationships' },
  { method: 'GET', path: '/ledger/v1/affiliates' },
  { method: 'GET', path: '/ledger/v1/recurring_payments' },
  { method: 'GET', path: '/ledger/v1/transactions' },
  { method: 'GET', path: '/ledger/v1/figures' },
  { method: 'GET', path: '/ledger/v1/customers' },
  { method: 'GET', path: '/ledger/v1/earnings' },
  { method: 'POST', path: RECORDS },
  ...['ndjson', 'csv', 'parquet'].map((format) => ({
    method: 'GET',
    path: `/ledger/v1/transactions.${format}`,
  })),
  ...[
    ['GET', '/webhooks'],
    ['POST', '/webhooks'],
    ['GET', '/activity'],
    ['GET', '/webhooks/{id}/secret'],
    ['POST', '/webhooks/{id}/rotate'],
    ['POST', '/webhooks/{id}/test'],
    ['POST', '/webhooks/{id}/replay'],
    ['POST', '/webhooks/{id}/skip'],
    ['POST', '/upstreams/{id}/notify/{token}'],
    ['GET', '/upstreams/{id}/notify/{token}'],
    ['GET', '/webhooks/{id}'],
    ['PATCH', '/webhooks/{id}'],
    ['DELETE', '/webhooks/{id}'],
  ].map(([method, path]) => ({ method, path: `/ledger/v1${path}` })),
];

let service: TestService;
const keys = new Map<Access, string>();
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), product(10, 1)]);
  for (const access of ACCESSES) {
    const isSource = access === 'source';
    keys.set(access, await (isSource ? service.sourceKey(1) : service.key(1, access)));
  }
});
afterAll(() => service.stop());

function keyOf(access: Access): string {
  return keys.get(access) ?? '';
}

function ask(method: string, path: string, key?: string): Promise<Answer> {
  return service.send({ method, path, headers: key === undefined ? {} : basic(key) });
}

describe('GET /ledger/v1', () => {
  it.each(ACCESSES)('lists the operations for a key of %s access', async (access) => {
    const described = await resultOf(service, '/ledger/v1', keyOf(access));
    expect(described).toEqual({ version: VERSION, status: 'current', operations: OPERATIONS });
  });

  it('answers HEAD, and slashes at the end', async () => {
    const { text, headers, status } = await ask('HEAD', '/ledger/v1//', keyOf('source'));
    expect([status, text, headers['x-api-version']]).toEqual([200, '', VERSION]);
  });

  it.each(VENDOR_VERSIONS)('is not listed by version %s', async (version) => {
    const { operations } = await resultOf(service, `/v${version}`, keyOf('full'));
    expect(JSON.stringify(operations)).not.toContain('ledger');
  });
});

describe('POST /ledger/v1/records by access', () => {
  it('is for a source', async () => {
    const answer = await sendRecords(service, keyOf('source'), [transaction('T', 10)]);
    expect(verdictsIn(answer)).toEqual(['inserted']);
  });

  it.each(['full', 'read', 'masked'] as const)('is 4030 with %s access', async (access) => {
    const answer = await sendRecords(service, keyOf(access), [transaction('T', 10)]);
    expect(expectFailure(answer, 4030, VERSION)).toContain('source');
  });

  it.each(VENDOR_VERSIONS)('a source reads nothing of version %s', async (version) => {
    expectFailure(await ask('GET', `/v${version}`, keyOf('source')), 4030, version);
  });
});

describe('an error of the ledger interface names its version', () => {
  it.each([
    ['no key', 'POST', RECORDS, undefined, 4010],
    ['a wrong key', 'POST', RECORDS, 'wrong', 4011],
    ['no key for an unknown path', 'GET', '/ledger/v9/nothing', undefined, 4010],
  ] as const)('%s', async (_, method, path, key, code) => {
    expectFailure(await ask(method, path, key), code, VERSION);
  });

  it.each(['/ledger', '/ledger/v2', '/ledger/v1/nothing', '/ledger/v1/records/1'])(
    'the unknown path %s',
    async (path) => {
      expectFailure(await ask('GET', path, keyOf('full')), 4040, VERSION);
    },
  );

  it('another method', async () => {
    const answer = await ask('GET', RECORDS, keyOf('source'));
    expectFailure(answer, 4050, VERSION);
    expect(answer.headers.allow).toBe('POST');
  });

  it('malformed percent-encoding', async () => {
    expectFailure(await ask('POST', `${RECORDS}?%`, keyOf('source')), 4000, VERSION);
  });

  it('no HTTP', async () => {
    const lines = [`POST ${RECORDS} HTTP/1.1`, 'Host: x', 'Content-Length: x'];
    const [answer, ...more] = await exchange(service.port, head(...lines), ['POST']);
    expect(more).toEqual([]);
    if (answer === undefined) throw new Error('there was no answer');
    expect(envelopeOf(answer).meta).toMatchObject({ api_version: VERSION });
    expectCommonHeaders(answer, VERSION);
  });
});

it('names query parameters that it ignores', async () => {
  const answer = await sendRecords(service, keyOf('source'), [], '?atomic=false&atmic=true');
  expect(answer.headers['x-ignored-parameters']).toBe('atmic');
});
