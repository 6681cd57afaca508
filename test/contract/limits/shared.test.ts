import { Agent } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { Logger } from '@nestjs/common';
import { createClient } from '@redis/client';
import { LimitStore } from '../../../src/platform/limits/store/limit-store.js';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { makeApiKey } from '../../../src/modules/accounts/applications/key-cipher.js';
import { afterPassword, CODE, turnOn } from '../../support/browser/two-factor.js';
import { Visitor } from '../../support/browser/visitor.js';
import { FlakyProxy } from '../../support/servers/flaky-proxy.js';
import { basic, send, type Answer } from '../../support/http/http.js';
import { user } from '../../support/builders/ledger-records.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import type { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';
import { ThrowawayRedis } from '../../support/servers/throwaway-redis.js';
import { statesOf } from '../../support/processes/gauges.js';
import { stoppedFor } from '../../support/processes/stopped-for.js';
import { stopwatch } from '../../support/processes/stopwatch.js';
import { within } from '../../support/processes/within.js';
import { workersLedger } from '../../support/builders/workers-ledger.js';

const INSTANCES = 4;
const FORM = 'application/x-www-form-urlencoded';
const REDIS_LIMIT_MS = 10_000;
const TRIES = 5;
/** Turns of the event loop after which a client has sent its requests. */
const TURNS = 10;
/** Time that a request waits for a silent Redis. */
const SILENCE_MS = 250;

let redis: ThrowawayRedis;
beforeAll(async () => {
  redis = await ThrowawayRedis.start();
});
afterAll(() => redis.end());

const sharedBy = (instances: readonly TestService[]) =>
  instances.map(({ app }) => app.get(LimitStore).isShared);

describe('instances on one Redis', () => {
  let instances: TestService[] = [];
  const countedAlone = () =>
    instances.reduce((sum, { app }) => sum + app.get(LimitStore).counts.alone, 0);
  let first: TestService;
  let key: string;
  const applications = () => first.app.get(ApiApplicationsService);

  async function start(environment: Record<string, string>, url = redis.url): Promise<void> {
    const settings = { ...environment, REDIS_URL: url };
    first = await TestService.start(settings);
    instances = [first];
    await first.import([user(1)]);
    key = await first.key(1);
    while (instances.length < INSTANCES) instances.push(await first.beside(settings));
    await countTogether(true);
  }

  async function countTogether(shared: boolean): Promise<void> {
    await within(REDIS_LIMIT_MS, async () => {
      // An instance notices the change when it serves a request.
      for (const instance of instances) await instance.get('/v3.0', key);
      expect(sharedBy(instances)).toEqual(instances.map(() => shared));
    });
    const counting = { together: Number(shared), alone: Number(!shared) };
    expect(await statesOf(first, 'limit_stores')).toEqual(counting);
  }

  afterEach(async () => {
    for (const instance of instances.splice(0).reverse()) await instance.stop();
  });

  /**
   * Sends requests to the instances in turn, without waiting for answers.
   * @returns the statuses
   */
  async function inTurns(
    requests: number,
    ask: (instance: TestService) => Promise<Answer>,
  ): Promise<number[]> {
    const each = Math.ceil(requests / INSTANCES);
    const asked = Array.from({ length: each }, () => instances.map(ask)).flat();
    return (await Promise.all(asked)).map(({ status }) => status);
  }

  async function allowed(requests: number, ask = key): Promise<number> {
    const statuses = await inTurns(requests, (instance) => instance.get('/v3.0', ask));
    return statuses.filter((status) => status === 200).length;
  }

  /**
   * Sends four times as many requests as a new application may, in waves. No instance has seen or
   * counted the key before.
   */
  async function allowedOfUnusedKey(requests: number) {
    const { application, key: unused } = await applications().createApplication(1, 'limited', null);
    await applications().setLimits(application.id, [{ requests, seconds: 3_600 }]);
    const before = countedAlone();
    let number = 0;
    for (let wave = 0; wave < 4; wave += 1) number += await allowed(requests, unused);
    return { together: countedAlone() === before, number };
  }

  async function allowedInTime(): Promise<number> {
    const waited = stopwatch();
    const count = await allowed(40);
    expect(waited()).toBeLessThan(2_000);
    return count;
  }

  it('allow exactly the limit together, under parallel load', async () => {
    await start({ THROTTLE_LIMITS: '1000000/1h', THROTTLE_WAIT: '0' });
    let counted = await allowedOfUnusedKey(200);
    // On a busy machine Redis may answer too late, and an instance then counts alone.
    for (let tries = 1; !counted.together && tries < TRIES; tries += 1) {
      await countTogether(true);
      counted = await allowedOfUnusedKey(200);
    }
    expect(counted).toEqual({ together: true, number: 200 });
  });

  it('do so, too, where the answers of Redis wait for a process that is busy', async () => {
    await start({ THROTTLE_LIMITS: 'off' });
    redis.pause();
    const windows = [{ requests: 20, seconds: 3_600 }];
    const taken = Array.from({ length: 10 }, () =>
      instances.map(({ app }) =>
        Promise.resolve(app.get(LimitStore).take({ name: 'busy', windows, count: 1 })),
      ),
    ).flat();
    for (let turns = 0; turns < TURNS; turns += 1) await turn();
    redis.resume();
    const busyUntil = performance.now() + 3 * SILENCE_MS;
    while (performance.now() < busyUntil);
    expect((await Promise.all(taken)).filter(({ allowed }) => allowed)).toHaveLength(20);
  });

  it('do so, too, where the requests to Redis wait for a process that is busy', async () => {
    await start({ THROTTLE_LIMITS: 'off' });
    const windows = [{ requests: 20, seconds: 3_600 }];
    const countTwice = async (store: LimitStore) => {
      const request = {};
      await store.take({ name: 'first', windows, count: 0, request });
      return await store.take({ name: 'second', windows, count: 1, request });
    };
    redis.pause();
    const taken = Array.from({ length: 10 }, () =>
      instances.map(({ app }) => countTwice(app.get(LimitStore))),
    ).flat();
    const busyUntil = performance.now() + 3 * SILENCE_MS;
    while (performance.now() < busyUntil);
    for (let turns = 0; turns < TURNS; turns += 1) await turn();
    redis.resume();
    expect((await Promise.all(taken)).filter(({ allowed }) => allowed)).toHaveLength(20);
    expect(countedAlone()).toBe(0);
  });

  it('cut wrong keys off together', async () => {
    await start({ THROTTLE_LIMITS: 'off', THROTTLE_FAILED_KEYS: '20/1h' });
    const statuses = await inTurns(100, (instance) =>
      instance.send({ path: '/v3.0', headers: basic(makeApiKey()) }),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(80);
  });

  it('look at as many codes of a user as are allowed, together', async () => {
    await start({ THROTTLE_LIMITS: 'off', THROTTLE_CODES: '5/1h' });
    await turnOn(await Visitor.signedIn(first, 1));
    const guesser = await afterPassword(first, 'user1@example.test');
    const cookies = ['session', 'forms'].map((name) => `${name}=${String(guesser.cookie(name))}`);
    const headers = { Cookie: cookies.join('; '), 'Content-Type': FORM };
    const body = new URLSearchParams({ csrf_token: guesser.token, code: '000000' }).toString();
    const statuses = await inTurns(40, (instance) =>
      instance.send({ method: 'POST', path: CODE, headers, body }),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(35);
  });

  it('wait once for a Redis that is slow, however often a request is counted', async () => {
    const network = await FlakyProxy.to(redis.port);
    const admin = await createClient({ url: redis.url }).connect();
    const limits = { THROTTLE_LIMITS: '1000/1h', THROTTLE_ADDRESS_LIMITS: '1000/1h' };
    try {
      await start(limits, `redis://127.0.0.1:${network.port}`);
      // The key is unused, because a request with a used key is counted only twice.
      const unused = await first.key(1);
      // Each answer arrives in time, but two in a row exceed the wait by far.
      network.delayMs = (0.9 * SILENCE_MS) / 2;
      await admin.configResetStat();
      expect((await first.get('/v3.0', unused)).status).toBe(200);
      const statistics = await admin.info('commandstats');
      const counted = /cmdstat_evalsha:calls=(\d+)/.exec(statistics)?.[1];
      expect(['1', '2']).toContain(counted);
    } finally {
      admin.destroy();
      for (const instance of instances.splice(0).reverse()) await instance.stop();
      await network.close();
    }
  });

  it('count each for itself while Redis is away, and together when it is back', async () => {
    await start({ THROTTLE_LIMITS: '1000000/1h' });
    await redis.kill();
    expect(await allowedInTime()).toBe(40);
    await countTogether(false);
    await redis.start();
    await countTogether(true);
  });

  it('do so, too, while Redis is a replica, and say so once', async () => {
    const logged = jest.spyOn(Logger.prototype, 'warn');
    const admin = await createClient({ url: redis.url }).connect();
    try {
      await start({ THROTTLE_LIMITS: '1000000/1h' });
      await admin.sendCommand(['REPLICAOF', '127.0.0.1', '1']);
      expect(await allowedInTime()).toBe(40);
      await countTogether(false);
      for (let wrong = 0; wrong < 100; wrong += 1) await first.get('/v3.0', `wrong-${wrong}`);
      await countTogether(false);
      const lines = logged.mock.calls.map(([line]) => String(line));
      const told = lines.filter((line) => line.startsWith('Redis is unavailable (READONLY'));
      expect(told).toHaveLength(instances.length);
      await admin.sendCommand(['REPLICAOF', 'NO', 'ONE']);
      await countTogether(true);
    } finally {
      logged.mockRestore();
      admin.destroy();
    }
  });

  it('do so, too, while Redis is silent', async () => {
    await start({ THROTTLE_LIMITS: '1000000/1h' });
    redis.pause();
    try {
      expect(await allowedInTime()).toBe(40);
      expect(sharedBy(instances)).toEqual(instances.map(() => false));
      // From now on, no request waits for Redis.
      const waited = stopwatch();
      for (const instance of instances) await instance.get('/v3.0', key);
      expect(waited()).toBeLessThan(SILENCE_MS * instances.length);
    } finally {
      redis.resume();
    }
    await countTogether(true);
  });

  it('do so, too, while no network leads to Redis, and after it has forgotten them', async () => {
    const network = await FlakyProxy.to(redis.port);
    try {
      await start({ THROTTLE_LIMITS: '1000000/1h' }, `redis://127.0.0.1:${network.port}`);
      network.isCut = true;
      expect(await allowedInTime()).toBe(40);
      // A connection attempt at this time never gets an answer, either.
      const before = network.accepted;
      await until('a try to connect', () => network.accepted > before);
      network.isCut = false;
      await countTogether(true);
    } finally {
      for (const instance of instances.splice(0).reverse()) await instance.stop();
      await network.close();
    }
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

  it('allow exactly the limit together, without Redis', async () => {
    const service = await RunningService.start(ledger, 3, { THROTTLE_LIMITS: '100/1h' });
    const asked = Array.from({ length: 400 }, () =>
      fetch(`http://127.0.0.1:${service.port}/v3.0`, { headers: basic(key) }),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(300);
  });

  it('do so, too, where their primary takes its time', async () => {
    const service = await RunningService.start(ledger, 2, {
      THROTTLE_LIMITS: '20/1h',
      THROTTLE_FAILED_KEYS: 'off',
    });
    let agent = new Agent();
    const ask = (headers = {}) =>
      Promise.all(
        Array.from({ length: 40 }, () => send(service.port, { path: '/v3.0', headers }, agent)),
      );
    // The connections are kept alive, because the primary accepts them and assigns each to a
    // worker.
    await until('connections to both', async () => {
      agent.destroy();
      agent = new Agent({ keepAlive: true });
      return new Set((await ask()).map(({ headers }) => headers['x-process'])).size === 2;
    });
    const stopped = stoppedFor(2 * SILENCE_MS, [service.pid]);
    const asked = ask(basic(key));
    await stopped;
    const statuses = (await asked).map(({ status }) => status);
    agent.destroy();
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
  });
});
