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
import { eachOf, holds, sampled } from '../../support/random/properties.js';
import { RandomPairs } from '../../support/random/seed.js';
import { DocumentedRequests } from '../../support/oracles/open-api.js';
import { resultOf, resultsOf } from '../../support/http/results.js';
import { TestService } from '../../support/servers/service.js';

const WAVES = 700;
/** Size of a wave, whose requests are sent together over kept-alive connections. */
const WAVE = 20;
const IN_FLIGHT = 8;
/** Number of generated requests of an operation, at least one of which must succeed. */
const TRIES = 300;

const [VENDOR, AFFILIATE, OTHER, SUSPENDED] = [1, 3, 2, 4];
const SALES = ['PA-1', 'PA/2?', 'pa-1', '__proto__'];
const KNOWN = {
  transaction_id: [...SALES, 'of-other'],
  paykey: [...SALES, 'of-other', ''],
  preKey: ['PRE-1', 'PRE/2', 'PRE-of-other'],
  affiliate_id: ['3', '1', '99'],
  product_id: ['10', '11', '20', '99'],
  start_date: ['2025-01-01', '2025-06-01'],
  end_date: ['2025-06-01', '2025-12-31'],
  page_size: ['1', '50', '200'],
  page_index: ['0', '1', '2147483647'],
  approval_status: ['INSTANT', 'DELAYED', 'DENIED'],
  status: ['CANCEL'],
  custom_commission: ['0', '75', '100'],
  custom_payment_1st_payout: ['0', '12'],
  custom_payment_trial_payout: ['3'],
  custom_sales_page_url: ['https://sales.example/a?b=c'],
  affiliate_verification_email: [`user${AFFILIATE}@example.test`],
};
const LEDGER = [
  ...[VENDOR, OTHER, AFFILIATE].map((id) => user(id)),
  user(SUSPENDED, { status: 'suspended' }),
  product(10, VENDOR),
  product(11, VENDOR),
  product(20, OTHER),
  affiliation(AFFILIATE, 10),
  clicks(AFFILIATE, 10),
  recurringPayment('PRE-1', 10),
  recurringPayment('PRE/2', 11),
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
/** Number of successes of each operation, and of each other outcome. */
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

/** @returns the faults of the answer, each with its request */
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

it('each operation succeeds for some generated request', async () => {
  const endless = operations.map((operation) =>
    fc.infiniteStream(generatedRequest([operation], REQUESTED, keys)),
  );
  const [requests = []] = sampled(fc.tuple(...endless), 1);
  const faults: string[] = [];
  for (const [place, { method, path }] of operations.entries()) {
    const name = `${method} ${path}`;
    for (const request of requests[place]?.take(TRIES) ?? []) {
      faults.push(...(await faultsAfter(request)));
      if (met.has(name)) break;
    }
    expect(met.has(name)).toBe(true);
  }
  expect(faults).toEqual([]);
});

it('generated requests, valid and invalid ones, are answered as documented', async () => {
  met.clear();
  const wave = fc.array(generatedRequest(operations, REQUESTED, keys), {
    minLength: WAVE / 2,
    maxLength: WAVE,
    size: 'max',
  });
  let sent = 0;
  await holds(
    fc.asyncProperty(wave, async (requests) => {
      const faults: string[] = [];
      await eachOf(requests, IN_FLIGHT, async (generated) => {
        faults.push(...(await faultsAfter(generated)));
      });
      sent += requests.length;
      expect(faults).toEqual([]);
    }),
    { numRuns: WAVES, atLeast: 10 },
  );
  const codes = ['400', '401', '403', '404', '405'];
  expect(codes.filter((code) => (met.get(code) ?? 0) < sent / 200)).toEqual([]);
});

it('bodies of every shape are answered as documented by every operation', async () => {
  const [key = ''] = keys;
  const faults: string[] = [];
  const pairs = new RandomPairs();
  expect(HOSTILE_BODIES.length).toBeGreaterThan(100);
  // Only these operations read a body.
  const writing = operations.filter(({ method }) => method === 'PUT');
  const reading = operations.filter(({ method }) => method !== 'PUT');
  const chosen = [...pairs.of(HOSTILE_BODIES, writing), ...pairs.of(HOSTILE_BODIES, reading)];
  await eachOf(chosen, IN_FLIGHT, async ([{ name, headers, bytes }, { method, path }]) => {
    const request = {
      method,
      path: path.replace(/\{(\w+)\}/g, (_, part: string) =>
        encodeURIComponent(REQUESTED.values[part]?.[0] ?? ''),
      ),
      headers: { ...headers, ...basic(key) },
      body: bytes,
    };
    faults.push(...(await faultsAfter(request)).map((fault) => `${name}: ${fault}`));
  });
  expect(faults).toEqual([]);
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
