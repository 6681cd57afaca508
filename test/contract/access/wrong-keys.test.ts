import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { makeApiKey } from '../../../src/modules/accounts/applications/key-cipher.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { letIn } from '../../support/oracles/let-in.js';
import { basic, type Answer } from '../../support/http/http.js';
import { countOf, limitedService, many } from '../../support/servers/limited-service.js';
import type { TestService } from '../../support/servers/service.js';
import { isKeyLookUp, StatementLog } from '../../support/sql/statements.js';
import { statesOf } from '../../support/processes/gauges.js';
import { within } from '../../support/processes/within.js';

const SECOND = 1_000;

let service: TestService;
afterEach(() => service.stop());

async function started(environment: Record<string, string>): Promise<string> {
  const limited = await limitedService(environment);
  ({ service } = limited);
  return limited.key;
}

describe('wrong keys', () => {
  const wrong = () => service.send({ path: '/v3.0', headers: basic(makeApiKey()) });

  const sendWith = (headers = {}) => service.send({ path: '/v3.0', headers });
  /**
   * Returns the largest number of look-ups that can begin within `ms`, wherever its seconds begin.
   */
  const mostLookUps = (ms: number) => 10 * (Math.floor(ms / SECOND) + 2);

  it('from one address are cut off at the limit, one after another', async () => {
    await started({ THROTTLE_FAILED_KEYS: '20/1h' });
    const statuses: number[] = [];
    for (let asked = 0; asked < 25; asked += 1) statuses.push((await wrong()).status);
    expect(statuses).toEqual(statuses.map((_, index) => (index < 20 ? 401 : 429)));
    const key = makeApiKey();
    const bad = ['not-a-key', `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`].map((text) =>
      basic(text),
    );
    for (const headers of [{}, ...bad, basic(key, 'y'), basic(''), { Authorization: 'Bearer a' }]) {
      const refused = await sendWith(headers);
      expectFailure(refused, 4290);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
    }
    const refusals = await statesOf(service, 'limit_refusals_total');
    expect(refusals).toMatchObject({ failed_keys: 5 + 4 + bad.length, key: 0, address: 0 });
  });

  it('shut nobody out who has a good one, at the same address', async () => {
    const used = await started({ THROTTLE_FAILED_KEYS: '5/1h' });
    expect((await service.get('/v3.0', used)).status).toBe(200);
    expect(await countOf(many(8, wrong), 401)).toBe(5);
    const fresh = await service.key(2);
    for (const key of [used, fresh]) expect((await service.get('/v3.0', key)).status).toBe(200);
    expect(await countOf(many(8, wrong), 429)).toBe(8);
    expect((await service.send({ path: '/docs' })).status).toBe(200);
  });

  it('are looked up 10 times a second beyond the limit, and nobody sees which were', async () => {
    const used = await started({ THROTTLE_FAILED_KEYS: '5/1h' });
    expect((await service.get('/v3.0', used)).status).toBe(200);
    await Promise.all(many(8, wrong));
    const log = await StatementLog.of(service);
    const answers: Answer[] = [];
    const begun = performance.now();
    const sent = await log.allDuring(async () => {
      answers.push(...(await Promise.all(many(150, wrong))));
    });
    const looked = sent.filter(isKeyLookUp).length;
    expect(looked).toBeGreaterThanOrEqual(10);
    expect(looked).toBeLessThanOrEqual(mostLookUps(performance.now() - begun));
    const seen = answers.map(({ status, headers, text }) => {
      const { date, 'x-request-id': id, 'retry-after': seconds, ...others } = headers;
      expect([typeof date, typeof id]).toEqual(['string', 'string']);
      expect(Number(seconds)).toBeGreaterThan(3_500);
      return JSON.stringify([status, others, text.replace(/Wait \d+ s/, '')]);
    });
    expect([...new Set(seen)]).toHaveLength(1);
  });

  it('do not take the look-ups of a key that was good before', async () => {
    const used = await started({ THROTTLE_FAILED_KEYS: '5/1h', THROTTLE_WAIT: '0' });
    expect((await service.get('/v3.0', used)).status).toBe(200);
    await Promise.all(many(8, wrong));
    const until = performance.now() + 1.5 * SECOND;
    while (performance.now() < until) {
      const asked = many(15, wrong);
      expect((await service.get('/v3.0', used)).status).toBe(200);
      await Promise.all(asked);
    }
    await service.app.get(ApiApplicationsService).revokeApplication(1);
    await within(2 * SECOND, async () => {
      expect((await service.get('/v3.0', used)).status).toBe(429);
    });
  });

  it('make a good one wait its turn, and come in', async () => {
    await started({ THROTTLE_FAILED_KEYS: '5/1h' });
    const keys: string[] = [];
    for (let made = 0; made < 15; made += 1) keys.push(await service.key(1));
    await Promise.all(many(8, wrong));
    const answers = keys.map((key) => service.get('/v3.0', key));
    expect(await countOf(answers, 200)).toBe(15);
  });

  it('are cut off so at once, too, and good keys beside them do not count', async () => {
    const key = await started({ THROTTLE_FAILED_KEYS: '20/1h' });
    expect(
      await countOf(
        many(50, () => service.get('/v3.0', key)),
        200,
      ),
    ).toBe(50);
    expect(await countOf(many(100, wrong), 401)).toBe(20);
  });

  it('and missing ones count alike, and the shut address is let in when its time is over', async () => {
    const key = await started({ THROTTLE_FAILED_KEYS: '2/3s' });
    expectFailure(await service.send({ path: '/v3.0' }), 4010);
    const begunBy = performance.now();
    expectFailure(await wrong(), 4011);
    expectFailure(await wrong(), 4290);
    expectFailure(await letIn(wrong, 3 * SECOND, begunBy), 4011);
    expect((await service.get('/v3.0', key)).status).toBe(200);
  });
});
