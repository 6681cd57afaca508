import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { freePort } from '../../../scripts/throwaway-mysql.mjs';
import { endAll, RunningService } from '../../support/servers/running-service.js';
import type { TestLedger } from '../../support/builders/test-ledger.js';
import { workersLedger } from '../../support/builders/workers-ledger.js';

let ledger: TestLedger;

beforeAll(async () => {
  ({ ledger } = await workersLedger());
});
afterEach(endAll);
afterAll(() => ledger.drop());

/** Returns the exit status of the image's health check, which runs every 10 s. */
function check(env: Record<string, string>): number | null {
  return spawnSync(process.execPath, ['docker/healthcheck.mjs'], { env }).status;
}

it.each(['127.0.0.1', '0.0.0.0', '::'])(
  'a container that listens on %s is healthy',
  async (host) => {
    const management = { MANAGEMENT_PORT: String(await freePort()), MANAGEMENT_HOST: host };
    await RunningService.start(ledger, 1, management);
    expect(check(management)).toBe(0);
  },
);

it('a container that does not answer is unhealthy', async () => {
  expect(check({ MANAGEMENT_PORT: String(await freePort()) })).toBe(1);
  expect(check({ MANAGEMENT_PORT: 'off' })).toBe(1);
});
