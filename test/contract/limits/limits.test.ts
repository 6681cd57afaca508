import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiApplicationsService } from '../../../src/modules/accounts/applications/api-applications.service.js';
import { runCli } from '../../support/processes/cli.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { letIn } from '../../support/oracles/let-in.js';
import { user } from '../../support/builders/ledger-records.js';
import { countOf, limitedService, many } from '../../support/servers/limited-service.js';
import type { TestService } from '../../support/servers/service.js';
import { within } from '../../support/processes/within.js';
import { statesOf } from '../../support/processes/gauges.js';

const SECOND = 1_000;

let service: TestService;
afterEach(() => service.stop());

async function started(environment: Record<string, string>): Promise<string> {
  const limited = await limitedService(environment);
  ({ service } = limited);
  return limited.key;
}

function becomes(status: number, key: string): Promise<void> {
  return within(2 * SECOND, async () => {
    expect((await service.get('/v3.0', key)).status).toBe(status);
  });
}

describe('the limits of a key', () => {
  it('allow exactly as many as they say, however many ask at once', async () => {
    const key = await started({ THROTTLE_LIMITS: '50/1h' });
    expect(
      await countOf(
        many(200, () => service.get('/v3.0', key)),
        200,
      ),
    ).toBe(50);
  });

  it('are one allowance over all operations, versions, methods, errors and keys of an application', async () => {
    const key = await started({ THROTTLE_LIMITS: '6/1h' });
    const { key: second } = await service.app.get(ApiApplicationsService).rotateKey(1, 3_600);
    const paths = ['/v3.0', '/v2.1', '/v2.0/latest-transactions', '/nowhere', '/v3.0/transactions'];
    for (const path of paths) expect((await service.get(path, key)).status).not.toBe(429);
    expect((await service.put('/v3.0', second, {})).status).toBe(405);
    expectFailure(await service.get('/v2.0', key), 4290, '2.0');
    expectFailure(await service.get('/v2.1', second), 4290, '2.1');
    expect((await service.get('/v3.0', await service.key(1))).status).toBe(200);
  });

  it('are told on every answer to a key, errors included, in both forms of the headers', async () => {
    const key = await started({ THROTTLE_LIMITS: '3/1h,100/1d' });
    const begun = performance.now();
    const told = [];
    for (const path of ['/v3.0', '/nowhere', '/v3.0/transactions', '/v3.0']) {
      const { status, headers } = await service.get(path, key);
      const { ratelimit = '', 'x-ratelimit-reset': reset } = headers;
      const ends = [reset, ...Array.from(String(ratelimit).matchAll(/t=(\d+)/g), ([, end]) => end)];
      const passed = Math.ceil((performance.now() - begun) / SECOND);
      for (const [index, end] of ends.entries()) {
        const length = index === 2 ? 86_400 : 3_600;
        expect(Number(end)).toBeLessThanOrEqual(length);
        expect(Number(end)).toBeGreaterThanOrEqual(length - passed);
      }
      told.push([
        status,
        headers['x-ratelimit-limit'],
        headers['x-ratelimit-remaining'],
        headers['ratelimit-policy'],
        String(ratelimit).replaceAll(/t=\d+/g, 't'),
      ]);
    }
    const policy = '"1h";q=3;w=3600, "1d";q=100;w=86400';
    expect(told).toEqual([
      [200, '3', '2', policy, '"1h";r=2;t, "1d";r=99;t'],
      [404, '3', '1', policy, '"1h";r=1;t, "1d";r=98;t'],
      [400, '3', '0', policy, '"1h";r=0;t, "1d";r=97;t'],
      [429, '3', '0', policy, '"1h";r=0;t, "1d";r=97;t'],
    ]);
  });

  it('refuse with a Retry-After that is true', async () => {
    const key = await started({ THROTTLE_LIMITS: '2/3s,1000/1h', THROTTLE_WAIT: '0' });
    await Promise.all(many(2, () => service.get('/v3.0', key)));
    const begunBy = performance.now();
    expectFailure(await service.get('/v3.0', key), 4290);
    const answer = await letIn(() => service.get('/v3.0', key), 3 * SECOND, begunBy);
    expect(answer.status).toBe(200);
  });

  it('let nobody lose anything by asking in vain', async () => {
    const key = await started({ THROTTLE_LIMITS: '2/2s,100/1h', THROTTLE_WAIT: '0' });
    const asked = many(20, () => service.get('/v3.0', key));
    // On a slow machine the requests may span more than one window of two seconds.
    const allowed = await countOf(asked, 200);
    expect(await countOf(asked, 429)).toBe(20 - allowed);
    const { headers } = await letIn(() => service.get('/v3.0', key), 2 * SECOND, Infinity);
    expect(headers.ratelimit).toContain(`"1h";r=${100 - allowed - 1};`);
  });

  it('hold on 304 and on a kept page as on any answer', async () => {
    const key = await started({ THROTTLE_LIMITS: '3/1h' });
    const path = '/v3.0/transactions?start_date=2025-01-01&end_date=2025-01-31';
    const { headers } = await service.get(path, key);
    const tag = { 'If-None-Match': String(headers.etag) };
    const unchanged = await service.get(path, key, tag);
    expect([unchanged.status, unchanged.headers['x-ratelimit-remaining']]).toEqual([304, '1']);
    await service.get(path, key);
    expectFailure(await service.get(path, key, tag), 4290);
  });

  it('can be set for one application by a command, and hold within 2 seconds', async () => {
    const key = await started({ THROTTLE_LIMITS: '2/1h' });
    const limits = (...args: string[]) =>
      runCli(service.database.url, ['limits', ...args], { env: { THROTTLE_LIMITS: '2/1h' } });
    await Promise.all(many(3, () => service.get('/v3.0', key)));
    expect((await limits('set', '1', '1000/1s,5/1h')).stdout).toBe('Application 1: 1000/1s,5/1h\n');
    await becomes(200, key);
    expect((await limits('show', '1')).stdout).toBe('Application 1: 1000/1s,5/1h\n');
    expect((await limits('clear', '1')).stdout).toBe(
      'Application 1: the default (THROTTLE_LIMITS): 2/1h\n',
    );
    await becomes(429, key);
    expect((await limits('set', '1', 'off')).status).toBe(0);
    await within(2 * SECOND, async () => {
      const { status, headers } = await service.get('/v3.0', key);
      expect([status, headers['x-ratelimit-limit']]).toEqual([200, undefined]);
    });
    expect(await limits('set', '1', '5/0s')).toMatchObject({ status: 1, stdout: '' });
    expect(await limits('set', '99', '5/1s')).toMatchObject({
      status: 1,
      stderr: 'There is no application 99.\n',
    });
  });

  it('are told to a suspended account, which uses none of them', async () => {
    const key = await started({ THROTTLE_LIMITS: '1/1h' });
    await service.import([{ ...user(1), status: 'suspended' }]);
    await becomes(403, key);
    const answer = await service.get('/v3.0', key);
    expectFailure(answer, 4030);
    expect(answer.headers['x-ratelimit-limit']).toBe('1');
  });

  it('are off where they are turned off, and say nothing then', async () => {
    const key = await started({ THROTTLE_LIMITS: 'off' });
    expect(
      await countOf(
        many(100, () => service.get('/v3.0', key)),
        200,
      ),
    ).toBe(100);
    const { headers } = await service.get('/v3.0', key);
    expect(Object.keys(headers).filter((name) => name.includes('ratelimit'))).toEqual([]);
  });
});

describe('the limits of an address', () => {
  it('hold before the key is looked at', async () => {
    const key = await started({ THROTTLE_ADDRESS_LIMITS: '5/1h' });
    expect(
      await countOf(
        many(5, () => service.send({ path: '/v3.0' })),
        401,
      ),
    ).toBe(5);
    const refused = await service.get('/v3.0', key);
    expectFailure(refused, 4290);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_500);
    const refusals = await statesOf(service, 'limit_refusals_total');
    expect(refusals).toMatchObject({ address: 1, failed_keys: 0 });
  });

  it('are those of the peer, whatever X-Forwarded-For says', async () => {
    const key = await started({ THROTTLE_ADDRESS_LIMITS: '5/1h' });
    const forged = (index: number) => ({ 'X-Forwarded-For': `203.0.113.${index}` });
    const asked = many(20, (index) => service.get('/v3.0', key, forged(index)));
    expect(await countOf(asked, 200)).toBe(5);
  });

  it('are those of the client that a trusted proxy names, the last it did not name itself', async () => {
    const key = await started({ THROTTLE_ADDRESS_LIMITS: '5/1h', TRUST_PROXY: '1' });
    const from = (list: string) => service.get('/v3.0', key, { 'X-Forwarded-For': list });
    const forged = many(20, (index) => from(`203.0.113.${index}, 198.51.100.1:${5_000 + index}`));
    expect(await countOf(forged, 200)).toBe(5);
    expect((await from('198.51.100.2')).status).toBe(200);
    const household = many(20, (index) => from(`2001:db8::${index}`));
    expect(await countOf(household, 200)).toBe(5);
  });
});
