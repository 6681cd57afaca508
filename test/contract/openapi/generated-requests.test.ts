import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { faultsOf, faultsOfHead } from '../../support/oracles/answer-check.js';
import { generatedRequest, type Generated } from '../../support/random/generated-requests.js';
import { HOSTILE_BODIES } from '../../support/random/hostile-bodies.js';
import { basic } from '../../support/http/http.js';
import {
  affiliation,
  clicks,
  product,
  recurringPayment,
  refund,
  transaction,
  user,
} from '../../support/builders/ledger-records.js';
import { templateOf, VENDOR_VERSIONS, type Operation } from '../../support/oracles/operations.js';
import { eachOf, holds, seed } from '../../support/random/properties.js';
import { DocumentedRequests } from '../../support/oracles/open-api.js';
import { resultOf, resultsOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';

const REQUESTS = 10_000;
/** Requests that are sent together, over connections that stay open. */
const WAVE = 20;
const IN_FLIGHT = 8;
/** No failure is worth more time than this to make it smaller. */
const SHRINKING_MS = 30_000;

const [VENDOR, AFFILIATE, OTHER, SUSPENDED] = [1, 3, 2, 4];
const SALES = ['PA-1', 'PA/2?', 'pa-1', '__proto__'];
const KNOWN = {
  ...{ transaction_id: [...SALES, 'of-other'], paykey: [...SALES, 'of-other', ''] },
  ...{ preKey: ['PRE-1', 'PRE/2', 'PRE-of-other'], affiliate_id: ['3', '1', '99'] },
  product_id: ['10', '11', '20', '99'],
  ...{ start_date: ['2025-01-01', '2025-06-01'], end_date: ['2025-06-01', '2025-12-31'] },
  ...{ page_size: ['1', '50', '200'], page_index: ['0', '1', '2147483647'] },
  ...{ approval_status: ['INSTANT', 'DELAYED', 'DENIED'], status: ['CANCEL'] },
  ...{ custom_commission: ['0', '75', '100'], custom_payment_1st_payout: ['0', '12'] },
  ...{ custom_payment_trial_payout: ['3'], custom_sales_page_url: ['https://sales.example/a?b=c'] },
  affiliate_verification_email: [`user${AFFILIATE}@example.test`],
};
const LEDGER = [
  ...[VENDOR, OTHER, AFFILIATE].map((id) => user(id)),
  user(SUSPENDED, { status: 'suspended' }),
  ...[product(10, VENDOR), product(11, VENDOR), product(20, OTHER)],
  affiliation(AFFILIATE, 10),
  clicks(AFFILIATE, 10),
  ...[recurringPayment('PRE-1', 10), recurringPayment('PRE/2', 11)],
  recurringPayment('PRE-of-other', 20),
  ...SALES.map((id, at) =>
    transaction(id, 10 + (at % 2), {
      affiliate_id: at % 2 === 0 ? AFFILIATE : null,
      ...(at === 0 ? {} : { status: 'refunded', refund: refund('2025-07-01T00:00:00Z') }),
    }),
  ),
  transaction('of-other', 20, { affiliate_id: VENDOR, sale_date: new Date().toISOString() }),
];

const REQUESTED = new DocumentedRequests(VENDOR_VERSIONS).with(KNOWN);

let service: TestService;
let operations: Operation[] = [];
let keys: string[];
/** How often each operation was answered by a success, and each other outcome was given. */
const met = new Map<string, number>();

beforeAll(async () => {
  service = await TestService.start();
  await service.import(LEDGER);
  keys = await Promise.all(
    [VENDOR, VENDOR, VENDOR, AFFILIATE, SUSPENDED].map((id) => service.key(id)),
  );
  const [key = ''] = keys;
  for (const version of VENDOR_VERSIONS) {
    const path = `/v${version}`;
    const told = (await resultOf(service, path, key)).operations as Operation[];
    operations = [...operations, ...told, { method: 'GET', path }];
  }
});
afterAll(() => service.stop());

/** @returns what is wrong with the answer, with the request that it is of */
async function faultsAfter(request: Generated): Promise<string[]> {
  const answer = await service.send(request);
  const { method, path } = request;
  const version = /^\/v(3\.0|2\.1|2\.0)(?:[/?]|$)/.exec(path)?.[1] ?? '3.0';
  const operation = `${method} ${templateOf(operations, path) ?? path}`;
  const isHead = method === 'HEAD';
  const outcome = answer.status === 200 ? operation : String(answer.status);
  met.set(outcome, (met.get(outcome) ?? 0) + 1);
  const faults = isHead ? faultsOfHead(answer, version) : faultsOf(answer, operation, version);
  return faults.map((fault) => `${fault}, after ${JSON.stringify(request)}`);
}

it(`${REQUESTS} generated requests are answered as documented (seed ${seed})`, async () => {
  const wave = fc.array(generatedRequest(operations, REQUESTED, keys), {
    ...{ minLength: 1, maxLength: WAVE, size: 'max' },
  });
  let sent = 0;
  while (sent < REQUESTS) {
    await holds(
      fc.asyncProperty(wave, async (requests) => {
        const faults: string[] = [];
        await eachOf(requests, IN_FLIGHT, async (generated) => {
          faults.push(...(await faultsAfter(generated)));
        });
        sent += requests.length;
        expect(faults).toEqual([]);
      }),
      { seed: seed + sent, numRuns: 200, interruptAfterTimeLimit: SHRINKING_MS },
    );
  }
});

it('bodies of every shape are answered as documented by every operation', async () => {
  const [key = ''] = keys;
  const faults: string[] = [];
  const requests = operations.flatMap(({ method, path }) =>
    HOSTILE_BODIES.map(({ name, headers, bytes }) => ({
      ...{ name, method, body: bytes, headers: { ...headers, ...basic(key) } },
      path: path.replace(/\{(\w+)\}/g, (_, part: string) =>
        encodeURIComponent(REQUESTED.values[part]?.[0] ?? ''),
      ),
    })),
  );
  expect(requests.length).toBeGreaterThan(operations.length * 100);
  await eachOf(requests, IN_FLIGHT, async ({ name, ...request }) => {
    faults.push(...(await faultsAfter(request)).map((fault) => `${name}: ${fault}`));
  });
  expect(faults).toEqual([]);
});

it('the requests were valid and invalid ones of every operation', () => {
  const names = operations.map(({ method, path }) => `${method} ${path}`);
  expect(names.filter((name) => !met.has(name))).toEqual([]);
  const codes = ['400', '401', '403', '404', '405'];
  expect(codes.filter((code) => (met.get(code) ?? 0) < REQUESTS / 200)).toEqual([]);
});

it('the service still answers a plain request correctly', async () => {
  const [key = ''] = keys;
  const path = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01';
  const ids = (await resultsOf(service, '/v2.0/latest-transactions', key)).map(
    (sale) => sale.transaction_id,
  );
  expect(ids).toEqual(SALES);
  const { meta, results } = await service.envelope(path, key);
  expect(meta).toMatchObject({ total_count: SALES.length, status: { code: 2000 } });
  expect(results.map((sale) => sale.transaction_id)).toEqual([...SALES].reverse());
});
