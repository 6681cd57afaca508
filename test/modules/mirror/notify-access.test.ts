/** Notifications of upstreams: access, limits, and secrecy of their tokens. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { addUpstream } from '../../support/builders/upstream.js';
import { basic, send, type Answer } from '../../support/http/http.js';
import { authorizations, notify, notifyOf } from '../../support/http/notify.js';
import { faultsOf } from '../../support/oracles/answer-check.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { HOSTILE } from '../../../testing/src/hostile/hostile-texts.js';
import { many } from '../../support/servers/limited-service.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';

const VERSION = 'ledger-1';
const TEMPLATE = '/ledger/v1/upstreams/{id}/notify/{token}';
const MOST_PER_SECOND = 50;

let service: TestService;
let ledger: TestLedger;
let path: string;
let other: string;
let token: string;
let key: string;
beforeAll(async () => {
  // The service trusts one proxy, so that a test can send from any address.
  service = await TestService.start({ TRUST_PROXY: '1', THROTTLE_FAILED_KEYS: '1000/1h' });
  await service.import([user(1), user(2), user(3, { status: 'suspended' })]);
  ledger = TestLedger.on(service.database);
  [path, other] = [await addUpstream(service, 1), await addUpstream(service, 2)];
  token = tokenIn(path);
  key = await service.key(1);
});
afterEach(() => ledger.run('DELETE FROM upstream_reads'));
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

function tokenIn(address: string): string {
  return address.slice(address.lastIndexOf('/') + 1);
}

function pathOf(id: string, of: string): string {
  return `/ledger/v1/upstreams/${id}/notify/${of}`;
}

async function expectNothingWaits(): Promise<void> {
  expect(await ledger.rows('SELECT record_key FROM upstream_reads')).toEqual([]);
}

// This block comes first: passport is shared by all services of a process, and uses the newest one.
describe('a key', () => {
  it('is ignored, whatever it is', async () => {
    const keys = [...authorizations(key), ...authorizations(await service.key(3))];
    for (const [name, headers = {}] of keys) {
      const sent = { headers: { ...headers, 'X-Request-Id': 'the-same' }, body: '{}' };
      expect([name, (await notify(service, { path, ...sent })).status]).toEqual([name, 200]);
      const wrong = await notify(service, { path: pathOf('1', 'x'), ...sent });
      expectFailure(wrong, 4040, VERSION);
      expect(wrong.headers).not.toHaveProperty('ratelimit');
    }
  });

  it('is needed for every other method, as everywhere', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await service.send({ method, path, headers: basic(key) });
      const allowed = [method, 405, 'POST, GET, HEAD'];
      expect([method, answer.status, answer.headers.allow]).toEqual(allowed);
      expect((await service.send({ method, path })).status).toBe(401);
    }
    expectFailure(await service.put(path, key, {}), 4050, VERSION);
  });

  it('is needed for paths around it', async () => {
    for (const around of ['', '/1', '/1/notify', `/1/notify/${token}/more`]) {
      const answer = await service.send({ method: 'POST', path: `/ledger/v1/upstreams${around}` });
      expectFailure(answer, 4010, VERSION);
    }
  });
});

describe('a check of the address', () => {
  it.each(['GET', 'HEAD'])(
    'by %s is answered as a notification, and starts nothing',
    async (method) => {
      const before = await ledger.rows('SELECT * FROM upstreams');
      const right = await service.send({ method, path: `${path}?paykey=PA-1` });
      expect([right.status, right.headers['cache-control']]).toEqual([200, 'private, no-store']);
      const operation = 'GET /ledger/v1/upstreams/{id}/notify/{token}';
      if (method === 'GET') expect(faultsOf(right, operation, VERSION)).toEqual([]);
      for (const wrong of [
        pathOf('1', 'x'),
        pathOf('99', token),
        pathOf('2', token),
        pathOf('x', token),
      ]) {
        expect([wrong, (await service.send({ method, path: wrong })).status]).toEqual([wrong, 404]);
      }
      await expectNothingWaits();
      expect(await ledger.rows('SELECT * FROM upstreams')).toEqual(before);
    },
  );

  it('with a wrong token is answered as if there were no such upstream', async () => {
    expectFailure(await service.send({ method: 'GET', path: pathOf('1', 'x') }), 4040, VERSION);
  });

  it('has no parameter that can be invalid', async () => {
    const { text } = await service.send({ path: '/openapi/ledger-1.json' });
    const { paths } = JSON.parse(text) as { readonly paths: Record<string, { get?: object }> };
    const operation = JSON.stringify(paths[TEMPLATE]?.get);
    expect(operation).toContain('4040');
    expect(operation).not.toContain('4001');
  });
});

describe('a path that is none of an upstream', () => {
  /** Returns all parts of an answer that a client can see. */
  async function seen(address: string, from: TestService = service): Promise<object> {
    const headers = { 'X-Request-Id': 'the-same', 'Content-Type': 'application/json' };
    const body = JSON.stringify({ paykey: 'PA-1' });
    const answer = await notify(from, { path: address, headers, body });
    expectFailure(answer, 4040, VERSION);
    return { ...answer, headers: { ...answer.headers, date: '' } };
  }

  const ids = ['0', '3', '01', '1.0', '-1', '+1', '1e0', ' 1', '1 ', '0x1', 'x', '%00', '1%00'];
  const huge = ['2147483648', '9007199254740991', '9007199254740993', '9'.repeat(500)];
  it.each([...ids, ...huge])('is answered the same whatever its id is: %s', async (id) => {
    const unknown = await seen(pathOf('99', token));
    expect(await seen(pathOf(id.replaceAll(' ', '%20'), token))).toEqual(unknown);
    await expectNothingWaits();
  });

  it('is answered the same whatever its token is', async () => {
    const unknown = await seen(pathOf('99', token));
    const near = [token.slice(1), `${token}A`, token.toLowerCase(), `${token}%00`, `%20${token}`];
    const hostile = Object.values(HOSTILE).flat();
    const texts = hostile.filter((text) => text !== '').map((text) => text.toWellFormed());
    for (const wrong of [...near, ...texts.map(encodeURIComponent), tokenIn(other)]) {
      if (wrong === '.' || wrong === '..') continue;
      expect([wrong, await seen(pathOf('1', wrong))]).toEqual([wrong, unknown]);
    }
    await expectNothingWaits();
  });

  it('is also one whose token cannot be decrypted any more', async () => {
    const unknown = await seen(pathOf('99', token));
    const changed = { KEY_ENCRYPTION_SECRET: 'another secret, long enough for a check' };
    const beside = await service.beside(changed);
    try {
      expect(await seen(path, beside)).toEqual(unknown);
    } finally {
      await beside.stop();
    }
  });

  it('is 4000 if its percent-encoding is malformed', async () => {
    const answer = await notify(service, { path: `${path}%` });
    expect(expectFailure(answer, 4000, VERSION)).not.toContain(token);
  });
});

it('HTTPS is required as everywhere', async () => {
  const beside = await service.beside({ REQUIRE_HTTPS: 'on', TRUST_PROXY: '1' });
  try {
    expectFailure(await notifyOf(beside, path, { paykey: 'PA-1' }), 4031, VERSION);
    const headers = { 'X-Forwarded-Proto': 'https' };
    expect((await send(beside.port, { method: 'POST', path, headers })).status).toBe(200);
  } finally {
    await beside.stop();
  }
});

describe('the limits', () => {
  const from = (address: string, to: string, method = 'POST'): Promise<Answer> =>
    service.send({ method, path: to, headers: { 'X-Forwarded-For': address } });

  async function refusals(): Promise<number> {
    const text = await service.app.get(Metrics).registry.metrics();
    return Number(/limit_refusals_total\{limit="open"\} (\d+)/.exec(text)?.[1]);
  }

  /**
   * Sends many requests, and expects that each second stays within the limit and some are rejected.
   */
  async function expectLimited(ask: (index: number) => Promise<Answer>): Promise<void> {
    const before = await refusals();
    const begun = performance.now();
    const answers = await Promise.all(many(400, ask));
    const seconds = Math.floor((performance.now() - begun) / 1_000) + 2;
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.length - refused.length).toBeLessThanOrEqual(MOST_PER_SECOND * seconds);
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(MOST_PER_SECOND);
    for (const answer of refused) {
      expect(expectFailure(answer, 4290, VERSION)).toContain('Wait 1 s.');
      expect(answer.headers['retry-after']).toBe('1');
    }
    expect((await refusals()) - before).toBe(refused.length);
  }

  it('are 50 a second for an address, whichever paths it calls, and checks count', async () => {
    await expectLimited((index) =>
      from('192.0.2.1', pathOf('1', `wrong-${index}`), index % 2 === 0 ? 'POST' : 'GET'),
    );
  });

  it('are 50 a second for a path, from whichever addresses and however it is written', async () => {
    const escaped = token.replace(/./, (first) => `%${first.charCodeAt(0).toString(16)}`);
    const written = [path, pathOf('%31', token), pathOf('1', escaped), `${path}/`, `${path}?a=1`];
    await expectLimited((index) =>
      from(`198.51.${Math.floor(index / 200)}.${index % 200}`, written[index % 5] ?? ''),
    );
  });

  it('of a path are its own', async () => {
    const asked = many(60, (index) => from(`203.0.113.${index}`, path));
    expect((await from('192.0.2.2', other)).status).toBe(200);
    await Promise.all(asked);
  });

  it('of an address apply beside those of all its requests', async () => {
    const beside = await service.beside({ THROTTLE_ADDRESS_LIMITS: '1/1h' });
    try {
      const statuses = await Promise.all(
        many(2, () => beside.send({ method: 'POST', path })).map(
          async (each) => (await each).status,
        ),
      );
      expect(statuses.sort()).toEqual([200, 429]);
    } finally {
      await beside.stop();
    }
  });
});

describe('the token', () => {
  afterEach(endAll);

  it('is in no log and in no answer, also after an error', async () => {
    const settings = { NODE_ENV: 'production', REQUIRE_HTTPS: 'off', LOG_LEVEL: 'debug' };
    const running = await RunningService.start(ledger, 1, settings);
    const answers: Answer[] = [];
    const ask = async (method: string, to: string, body = '{"paykey":"PA-1"}') => {
      const headers = { 'Content-Length': String(body.length) };
      answers.push(await send(running.port, { method, path: to, headers, body }));
    };
    await ask('POST', path);
    await ask('POST', pathOf('99', token));
    await ask('POST', `${path}?${token}=${token}`);
    await ask('POST', `${path}%`);
    await ask('POST', path, 'a'.repeat(20_000));
    for (const method of ['PUT', 'GET']) await ask(method, path, '');
    await ledger.run('ALTER TABLE upstream_reads RENAME TO gone');
    await ask('POST', path);
    await ledger.run('ALTER TABLE gone RENAME TO upstream_reads');
    const statuses = [200, 404, 200, 400, 400, 401, 200, 500];
    expect(answers.map(({ status }) => status)).toEqual(statuses);
    const request = /"context":"Request"/;
    await until('the lines', () => running.lines(request).length === answers.length);
    expect(running.lines(request)[0]).toContain(`"operation":"${TEMPLATE}"`);
    const told = [...running.lines(/./), ...answers.map(({ text }) => text)].join('\n');
    expect(told).not.toContain(token);
    expect(told).not.toContain('PA-1');
  });
});
