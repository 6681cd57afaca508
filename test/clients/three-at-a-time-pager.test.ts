import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { FlakyProxy } from '../support/servers/flaky-proxy.js';
import { product, transaction, user } from '../support/builders/ledger-records.js';
import { endAll, RunningService } from '../support/servers/running-service.js';
import { TestLedger } from '../support/builders/test-ledger.js';
import { walkThreeAtATime, type Walk } from './three-at-a-time-pager.js';

const PAGES = 60;
const PATH = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01&page_size=1';
const LATENCIES = [0, 10, 25, 100];
const IDS = Array.from({ length: PAGES }, (_, number) => `PA-${number}`);

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([user(1), product(1, 1), ...IDS.map((id) => transaction(id, 1))]);
});
afterEach(endAll);
afterAll(() => ledger.drop());

/** @param latency the delay of each request and each answer, in milliseconds */
async function walk(service: RunningService, key: string, latency: number): Promise<Walk> {
  const network = await FlakyProxy.to(service.port);
  try {
    network.delayMs = latency;
    return await walkThreeAtATime(network.port, key, PATH, PAGES);
  } finally {
    await network.close();
  }
}

it('gets all 60 pages with the default settings, whatever the latency', async () => {
  const keys: string[] = [];
  while (keys.length < LATENCIES.length) keys.push(await ledger.key(1));
  // An empty value counts as not set, so the default replaces the value of the tests.
  const service = await RunningService.start(ledger, 1, { THROTTLE_LIMITS: '' });
  for (const [index, latency] of LATENCIES.entries()) {
    const { transactionIds, pages, refused } = await walk(service, keys[index] ?? '', latency);
    expect([latency, pages, refused]).toEqual([latency, PAGES, 0]);
    expect([...transactionIds].sort()).toEqual([...IDS].sort());
  }
});

it('would silently lose pages if it were rejected', async () => {
  const key = await ledger.key(1);
  const settings = { THROTTLE_LIMITS: '50/1h' };
  const { pages, refused } = await walk(await RunningService.start(ledger, 1, settings), key, 0);
  expect(pages).toBe(50);
  expect(refused).toBeGreaterThanOrEqual(3);
});
