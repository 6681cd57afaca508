/**
 * docker/haproxy.cfg without a ready instance; `npm run test:cluster` tests it with several ready
 * ones.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findProgram } from '../../scripts/find-program.mjs';
import { freePort } from '../../scripts/throwaway-mysql.mjs';
import { expectFailure } from '../support/oracles/failure.js';
import { basic, send } from '../support/http/http.js';
import { user } from '../support/builders/ledger-records.js';
import { OwnDatabase } from '../support/servers/own-database.js';
import { endAll, RunningService, until } from '../support/servers/running-service.js';
import { TestLedger } from '../support/builders/test-ledger.js';
import { ThrowawayHaproxy } from '../support/servers/throwaway-haproxy.js';

const onHaproxy = findProgram(['haproxy']) === null ? describe.skip : describe;

onHaproxy('The balancer', () => {
  let database: OwnDatabase;
  let balancer: ThrowawayHaproxy;
  let key: string;
  let instance: RunningService;
  /** Time of the two checks after which the balancer stops using an instance that is not ready. */
  const LEFT_MS = 2 * 500;

  const ports = { service: 0, management: 0 };
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-haproxy-'));

  beforeAll(async () => {
    database = await OwnDatabase.start();
    const { url } = database;
    const ledger = TestLedger.on({ url, folder, drop: () => Promise.resolve() });
    await ledger.mustImport([user(1)]);
    key = await ledger.key(1);
    Object.assign(ports, { service: await freePort(), management: await freePort() });
    instance = await RunningService.start(ledger, 1, {
      PORT: String(ports.service),
      MANAGEMENT_PORT: String(ports.management),
    });
    const nobody = { service: await freePort(), management: await freePort() };
    balancer = await ThrowawayHaproxy.start([ports, nobody, nobody]);
  });
  afterAll(async () => {
    await balancer.kill();
    await endAll();
    await database.end();
    rmSync(folder, { recursive: true });
  });

  const ask = (port: number) => send(port, { path: '/v3.0', headers: basic(key) });

  it('sends requests to an instance even if none is ready, and immediately when one is', async () => {
    expect((await ask(balancer.port)).status).toBe(200);
    database.network.fail();
    await until('it is not ready', async () => {
      const { status } = await send(ports.management, { path: '/health/ready' });
      return status === 503;
    });
    await wait(2 * LEFT_MS);
    const answer = await ask(balancer.port);
    expectFailure(answer, 5000, '3.0');
    // The answer comes from the instance.
    expect(answer.headers['x-process']).toBe(String(instance.pid));
    database.network.isRefused = false;
    await until('the instance', async () => (await ask(ports.service)).status === 200);
    expect((await ask(balancer.port)).status).toBe(200);
  });

  it('answers in the envelope if no instance runs', async () => {
    await instance.kill();
    const answer = await ask(balancer.port);
    expectFailure(answer, 5000, '3.0');
    expect(answer.headers).toMatchObject({ 'retry-after': '2', 'x-api-version': '3.0' });
  });
});
