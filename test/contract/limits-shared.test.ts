import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { LimitStore } from '../../src/access/limits/limit-store.js';
import { makeApiKey } from '../../src/modules/accounts/api-key.js';
import { basic, type Answer } from '../support/http.js';
import { user } from '../support/ledger-records.js';
import { endAll, RunningService } from '../support/running-service.js';
import { TestLedger } from '../support/test-ledger.js';
import { TestService } from '../support/service.js';
import { ThrowawayRedis } from '../support/throwaway-redis.js';
import { within } from '../support/within.js';

const INSTANCES = 4;
const REDIS_LIMIT_MS = 10_000;

let redis: ThrowawayRedis;
beforeAll(async () => {
  redis = await ThrowawayRedis.start();
});
afterAll(() => redis.end());

describe('instances on one Redis', () => {
  let instances: TestService[] = [];
  let key: string;

  async function start(environment: Record<string, string>): Promise<void> {
    const settings = { ...environment, REDIS_URL: redis.url };
    const first = await TestService.start(settings);
    instances = [first];
    await first.import([user(1)]);
    key = await first.key(1);
    while (instances.length < INSTANCES) instances.push(await first.beside(settings));
    await countTogether(true);
  }

  async function countTogether(shared: boolean): Promise<void> {
    await within(REDIS_LIMIT_MS, async () => {
      // A request makes an instance notice.
      for (const instance of instances) await instance.get('/v3.0', key);
      expect(instances.map(({ app }) => app.get(LimitStore).isShared)).toEqual(
        instances.map(() => shared),
      );
    });
  }

  afterEach(async () => {
    for (const instance of instances.reverse()) await instance.stop();
  });

  /** Asks the instances one after another, without waiting for answers. @returns the statuses */
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

  it('allow exactly the limit together, under parallel load', async () => {
    await start({ THROTTLE_LIMITS: '1000000/1h,200/5s' });
    // The windows of the requests that waited for Redis are over then.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    expect(await allowed(800)).toBe(200);
  });

  it('cut wrong keys off together', async () => {
    await start({ THROTTLE_LIMITS: 'off', THROTTLE_FAILED_KEYS: '20/1h' });
    const statuses = await inTurns(100, (instance) =>
      instance.send({ path: '/v3.0', headers: basic(makeApiKey()) }),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(80);
  });

  it('count each for itself while Redis is away, and together when it is back', async () => {
    await start({ THROTTLE_LIMITS: '1000000/1h' });
    await redis.kill();
    const begun = performance.now();
    expect(await allowed(40)).toBe(40);
    expect(performance.now() - begun).toBeLessThan(2_000);
    await countTogether(false);
    await redis.start();
    await countTogether(true);
    redis.pause();
    try {
      expect(await allowed(40)).toBe(40);
    } finally {
      redis.resume();
    }
    await countTogether(true);
  });
});

describe('the workers of one service', () => {
  afterEach(endAll);

  it('allow exactly the limit together, without Redis', async () => {
    const ledger = await TestLedger.create();
    try {
      await ledger.mustImport([user(1)]);
      const key = await ledger.key(1);
      const service = await RunningService.start(ledger, 3, { THROTTLE_LIMITS: '100/1h' });
      const asked = Array.from({ length: 400 }, () =>
        fetch(`http://127.0.0.1:${service.port}/v3.0`, { headers: basic(key) }),
      );
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(100);
      expect(statuses.filter((status) => status === 429)).toHaveLength(300);
    } finally {
      await endAll();
      await ledger.drop();
    }
  });
});
