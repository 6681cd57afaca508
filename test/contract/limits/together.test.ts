import { Agent } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { freePort } from '../../../scripts/throwaway-mysql.mjs';
import { LimitStore } from '../../../src/platform/limits/store/limit-store.js';
import { WaitingRequests } from '../../../src/platform/limits/waiting-requests.js';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { makeApiKey } from '../../../src/modules/accounts/applications/key-cipher.js';
import { basic, send } from '../../support/http/http.js';
import { user } from '../../support/builders/ledger-records.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';
import { isKeyLookUp, StatementLog } from '../../support/sql/statements.js';
import type { TestLedger } from '../../support/builders/test-ledger.js';
import { ThrowawayRedis } from '../../support/servers/throwaway-redis.js';
import { within } from '../../support/processes/within.js';
import { workersLedger } from '../../support/builders/workers-ledger.js';

const SECOND = 1_000;
const HOUR = 3_600_000;

interface Timed {
  readonly status: number;
  readonly ms: number;
}

/**
 * Sends requests to these ports in turn, all at once.
 * @returns the answers in the order of their arrival
 */
async function askAll(ports: readonly number[], count: number, key: string): Promise<Timed[]> {
  const agent = new Agent();
  const begun = performance.now();
  const asked = Array.from({ length: count }, async (_, number) => {
    const port = ports[number % ports.length] ?? 0;
    const { status } = await send(port, { path: '/v3.0', headers: basic(key) }, agent);
    return { status, ms: performance.now() - begun };
  });
  return (await Promise.all(asked)).sort((one, other) => one.ms - other.ms);
}

/** Expects that no request is rejected, and that every window has at most `requests` answers. */
function expectInWindows(answers: readonly Timed[], requests: number, windowMs: number): void {
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  for (const [index, { ms }] of answers.entries()) {
    expect(ms).toBeGreaterThanOrEqual(Math.floor(index / requests) * windowMs);
  }
}

describe('instances on one Redis', () => {
  let redis: ThrowawayRedis;
  const instances: TestService[] = [];
  beforeAll(async () => {
    redis = await ThrowawayRedis.start();
    const settings = {
      REDIS_URL: redis.url,
      THROTTLE_LIMITS: '40/2s',
      THROTTLE_WAIT: '10',
      THROTTLE_FAILED_KEYS: '20/1h',
    };
    const first = await TestService.start(settings);
    instances.push(first);
    await first.import([user(1)]);
    while (instances.length < 3) instances.push(await first.beside(settings));
    await within(10 * SECOND, async () => {
      const key = await first.key(1);
      for (const instance of instances) await instance.get('/v3.0', key);
      expect(instances.every(({ app }) => app.get(LimitStore).isShared)).toBe(true);
    });
  });
  afterAll(async () => {
    for (const instance of instances.reverse()) await instance.stop();
    await redis.end();
  });
  const at = (place: number): TestService => {
    const instance = instances[place];
    if (instance === undefined) throw new Error('there is no such instance');
    return instance;
  };
  const storeAt = (place: number) => at(place).app.get(LimitStore);

  it('let requests wait, and have no more than the limit in a window together', async () => {
    const key = await at(0).key(1);
    const ports = instances.map(({ port }) => port);
    expectInWindows(await askAll(ports, 120, key), 40, 2 * SECOND);
  });

  it('count in all windows or in none, and tell when a place comes up, whichever is asked', async () => {
    const take = (place: number, longest: number) => {
      const windows = [
        { requests: 2, seconds: 3_600 },
        { requests: longest, seconds: 36_000 },
      ];
      return storeAt(place).take({ name: 'places', windows, count: 1 });
    };
    const asked = [];
    for (let place = 0; place < 4; place += 1) asked.push(await take(place % 3, 3));
    asked.push(await take(0, 2));
    const hours = asked.map(({ waitMs }) => Math.round(waitMs / HOUR));
    expect(hours).toEqual([0, 0, 1, 1, 10]);
    expect(asked.map(({ allowed }) => allowed)).toEqual([true, true, false, false, false]);
    const left = asked.map(({ states }) => states.map(({ remaining }) => remaining));
    expect(left).toEqual([
      [1, 2],
      [0, 1],
      [0, 1],
      [0, 1],
      [0, 0],
    ]);
  });

  it('prolong no window by asking', async () => {
    const windows = [{ requests: 5, seconds: 3_600 }];
    const take = async () =>
      (await storeAt(0).take({ name: 'prolonged', windows, count: 1 })).states[0]?.resetMs;
    expect(await take()).toBe(HOUR);
    const begun = performance.now();
    let passed = 0;
    await until('a tenth of a second', () => {
      passed = performance.now() - begun;
      return passed >= 100;
    });
    // Redis counts whole milliseconds.
    for (let asked = 0; asked < 3; asked += 1) {
      expect(await take()).toBeLessThanOrEqual(HOUR - Math.floor(passed) + 1);
    }
  });

  it('count nothing for a client that hangs up while it waits', async () => {
    const agent = new Agent();
    const windows = [{ requests: 1, seconds: 6 }];
    const applications = at(0).app.get(ApiApplicationsService);
    const { application, key } = await applications.createApplication(1, 'limited', null);
    const name = `user ${application.user_id} > application ${application.id}`;
    await applications.setLimits(application.id, windows);
    await within(5 * SECOND, async () => {
      const { headers } = await at(1).get('/v3.0', key);
      expect(headers['x-ratelimit-limit']).toBe('1');
    });
    const waits = send(at(1).port, { path: '/v3.0', headers: basic(key) }, agent).catch(() => null);
    const room = at(1).app.get(WaitingRequests).ofApplications;
    await until('one that waits', () => room.waiting === 1);
    expect((await storeAt(2).take({ name, windows, count: 1 })).allowed).toBe(false);
    agent.destroy();
    expect(await waits).toBeNull();
    await until(
      'its place',
      async () => (await storeAt(2).take({ name, windows, count: 1 })).allowed,
    );
    expect((await storeAt(0).take({ name, windows, count: 0 })).states).toMatchObject([
      { remaining: 0 },
    ]);
  });

  it('look up no more wrong keys than they may, whichever counted them', async () => {
    const wrong = (place: number) =>
      at(place).send({ path: '/v3.0', headers: basic(makeApiKey()) });
    const statuses = [];
    for (let asked = 0; asked < 21; asked += 1) statuses.push((await wrong(0)).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    const log = await StatementLog.of(at(1));
    const begun = performance.now();
    const sent = await log.allDuring(async () => {
      const answers = await Promise.all(Array.from({ length: 200 }, () => wrong(1)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    });
    const seconds = Math.floor((performance.now() - begun) / SECOND);
    const lookUps = sent.filter(isKeyLookUp).length;
    expect(lookUps).toBeGreaterThan(0);
    expect(lookUps).toBeLessThanOrEqual(10 * (seconds + 2));
    expect((await at(2).get('/v3.0', await at(2).key(1))).status).toBe(200);
  });
});

describe('the workers of one service', () => {
  let ledger: TestLedger;
  let key: string;
  beforeEach(async () => {
    ({ ledger, key } = await workersLedger());
  });
  afterEach(async () => {
    await endAll();
    await ledger.drop();
  });

  async function start(workers: number, env: Record<string, string>) {
    const management = await freePort();
    const settings = { THROTTLE_WAIT: '10', MANAGEMENT_PORT: String(management), ...env };
    const service = await RunningService.start(ledger, workers, settings);
    const waiting = async () => {
      const text = await (await fetch(`http://127.0.0.1:${management}/metrics`)).text();
      return Number(/limit_waiting\{limit="key"\} (\d+)/.exec(text)?.[1]);
    };
    return { service, waiting };
  }

  it('let requests wait together, count wrong keys together, and answer who waits at a stop', async () => {
    const env = { THROTTLE_LIMITS: '20/2s', THROTTLE_FAILED_KEYS: '20/1h' };
    // The last of the requests that wait at the stop need up to 10 s.
    const { service, waiting } = await start(3, { ...env, SHUTDOWN_GRACE: '20' });
    expectInWindows(await askAll([service.port], 60, key), 20, 2 * SECOND);
    const wrong = Array.from({ length: 100 }, () =>
      send(service.port, { path: '/v3.0', headers: basic(makeApiKey()) }, new Agent()),
    );
    const statuses = (await Promise.all(wrong)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    // The first key has used a part of the present window. A busy machine needs seconds until a
    // count of those that wait arrives, so that some must wait for several windows.
    const asked = askAll([service.port], 100, await ledger.key(1));
    await until('some that wait', async () => (await waiting()) > 0);
    process.kill(service.pid, 'SIGTERM');
    expectInWindows(await asked, 20, 2 * SECOND);
    expect((await service.ended).status).toBe(0);
  });

  it.each([1, 2])(
    'turn away, with %i of them, who would wait too long at a stop',
    async (workers) => {
      const { service, waiting } = await start(workers, {
        THROTTLE_LIMITS: '1/10s',
        SHUTDOWN_GRACE: '3',
      });
      const ask = () => send(service.port, { path: '/v3.0', headers: basic(key) }, new Agent());
      expect((await ask()).status).toBe(200);
      const asked = ask();
      await until('one that waits', async () => (await waiting()) === 1);
      process.kill(service.pid, 'SIGTERM');
      const { status, headers } = await asked;
      expect([status, headers['x-ratelimit-limit']]).toEqual([429, '1']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect((await service.ended).status).toBe(0);
    },
  );
});
