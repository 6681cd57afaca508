import { Agent } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { LimitStore } from '../../../src/platform/limits/store/limit-store.js';
import { parseLimitWindows } from '../../../src/platform/limits/limit-windows.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { basic, send, type Answer } from '../../support/http/http.js';
import { user } from '../../support/builders/ledger-records.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';

const SECOND = 1_000;

let service: TestService;
let agent: Agent;
afterEach(async () => {
  agent.destroy();
  await service.stop();
});

async function started(limits: string, wait = '10'): Promise<string> {
  agent = new Agent();
  service = await TestService.start({ THROTTLE_LIMITS: limits, THROTTLE_WAIT: wait });
  await service.import([user(1), user(2)]);
  return service.key(1);
}

/**
 * Sends a request on a connection that `agent.destroy()` breaks. A broken request results in null.
 */
const ask = (key: string, path = '/v3.0'): Promise<Answer | null> =>
  send(service.port, { path, headers: basic(key) }, agent).catch(() => null);

async function metric(name: string, label: string): Promise<number> {
  const text = await service.app.get(Metrics).registry.metrics();
  const line = text
    .split('\n')
    .find((found) => found.startsWith(`vendor_reporting_${name}{${label}`));
  return Number(line?.split(' ').at(-1) ?? 0);
}

const waiting = (count: number) =>
  until(`${count} that wait`, async () => (await metric('limit_waiting', 'limit="key"')) === count);

/** Uses up the present window of an application. */
function useUp(application: number, limits: string, of = 1): void {
  const windows = parseLimitWindows(limits) ?? [];
  const store = service.app.get(LimitStore);
  for (let times = 0; times < (windows[0]?.requests ?? 0); times += 1) {
    void store.take({ name: `user ${of} > application ${application}`, windows, count: 1 });
  }
}

describe('a request over the limit of its application', () => {
  it('waits for the window in which its place is, and no window has more than its limit', async () => {
    const key = await started('3/3s,1000/1h');
    const begun = performance.now();
    const asked = Array.from({ length: 9 }, async () => {
      const answer = await ask(key);
      return { answer, ms: performance.now() - begun };
    });
    const answers = (await Promise.all(asked)).sort((one, other) => one.ms - other.ms);
    expect(answers.map(({ answer }) => answer?.status)).toEqual(answers.map(() => 200));
    for (const [index, { ms }] of answers.entries()) {
      expect(ms).toBeGreaterThanOrEqual(Math.floor(index / 3) * 3 * SECOND);
    }
    for (const { answer } of answers.slice(-3)) {
      const [, left, reset] =
        /^"3s";r=(\d);t=(\d), "1h";r=991;/.exec(String(answer?.headers.ratelimit)) ?? [];
      expect(left).toBe('0');
      expect(['1', '2', '3']).toContain(reset);
    }
    expect(await metric('limit_waits_total', 'outcome="let_in"')).toBe(6);
    expect(await metric('limit_wait_seconds_count', 'limit="key"')).toBe(6);
    expect(await metric('limit_wait_seconds_sum', 'limit="key"')).toBeGreaterThan(9);
  });

  it('is refused at once where its place comes up later, with a Retry-After that counts who waits', async () => {
    const key = await started('1/10s');
    expect((await ask(key))?.status).toBe(200);
    const waits = ask(key);
    await waiting(1);
    const refused = await service.get('/v2.1', key);
    expectFailure(refused, 4290, '2.1');
    const seconds = Number(refused.headers['retry-after']);
    expect([seconds > 10, seconds <= 20]).toEqual([true, true]);
    expect(refused.headers['x-ratelimit-reset']).toBe(String(seconds));
    agent.destroy();
    expect(await waits).toBeNull();
  });

  it('is refused at once where THROTTLE_WAIT is 0', async () => {
    const key = await started('1/1s', '0');
    const asked = await Promise.all(Array.from({ length: 20 }, () => ask(key)));
    expect(asked.some((answer) => answer?.status === 429)).toBe(true);
    expect(await metric('limit_wait_seconds_count', '')).toBe(0);
  });

  it('frees its place at once where its client goes away, pipelined or not, and uses up nothing', async () => {
    const key = await started('1/10s');
    expect((await ask(key))?.status).toBe(200);
    for (const path of ['/v3.0', '/v2.1', '/v2.0']) {
      const waits = ask(key, path);
      await waiting(1);
      expect((await service.get('/v3.0', key)).status).toBe(429);
      agent.destroy();
      expect(await waits).toBeNull();
      await waiting(0);
    }
    expect(await metric('limit_waits_total', 'outcome="left"')).toBe(3);
    const last = await ask(key);
    expect([last?.status, last?.headers['x-ratelimit-remaining']]).toEqual([200, '0']);
  });

  it('is one of 100 of its user at most, while others are let in and wait for themselves', async () => {
    const limits = '60/10s';
    const first = await started(limits);
    const keys = [first, await service.key(1), await service.key(2)];
    for (const application of [1, 2]) useUp(application, limits);
    const asked = keys.slice(0, 2).flatMap((key) => Array.from({ length: 60 }, () => ask(key)));
    await until('the refusals', async () => {
      const full = await metric('limit_queue_full_total', 'queue="user"');
      return full === 20;
    });
    await waiting(100);
    expect((await service.get('/v3.0', keys[2] ?? '')).status).toBe(200);
    useUp(3, limits, 2);
    const others = ask(keys[2] ?? '');
    await waiting(101);
    agent.destroy();
    const answers = await Promise.all(asked);
    expect(answers.filter((answer) => answer?.status === 429)).toHaveLength(20);
    expect(answers.filter((answer) => answer === null)).toHaveLength(100);
    const refused = answers.find((answer) => answer !== null);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused?.headers['x-ratelimit-limit']).toBe('60');
    expect(await others).toBeNull();
    await waiting(0);
  });

  it('gets nothing for a key that was revoked while it waited', async () => {
    const key = await started('1/6s');
    expect((await ask(key))?.status).toBe(200);
    const waits = ask(key);
    await waiting(1);
    await service.app.get(ApiApplicationsService).revokeApplication(1);
    expect((await waits)?.status).toBe(401);
  });
});
