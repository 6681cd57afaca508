/**
 * The operations on webhook endpoints (docs/webhooks.md). deliveries.test.ts covers the deliveries.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ACCESSES, type Access } from '../../../src/api/access/principal.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { product, user } from '../../support/builders/ledger-records.js';
import { basic, type Answer } from '../../support/http/http.js';
import { expectSuccess } from '../../support/http/results.js';
import { expectFailure } from '../../support/oracles/failure.js';
import { auditLinesOf, LOGGED, messageOf } from '../../support/sql/audit-log.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';

const VERSION = 'ledger-1';
const PATH = '/ledger/v1/webhooks';
/** The name resolves without a name server to an address that is not public, so nothing is sent. */
const URL = 'https://localhost/hook';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;

let service: TestService;
let ledger: TestLedger;
let audit: string[];
const keys = new Map<Access | 'other' | 'suspended', string>();

beforeAll(async () => {
  service = await TestService.start(LOGGED);
  audit = auditLinesOf(service);
  await service.import([user(1), user(2), user(3), product(10, 1)]);
  for (const access of ACCESSES) {
    keys.set(access, await (access === 'source' ? service.sourceKey(1) : service.key(1, access)));
  }
  keys.set('other', await service.key(2));
  ledger = TestLedger.on(service.database);
});
afterEach(() => ledger.run('DELETE FROM webhook_endpoints'));
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

function ask(
  method: string,
  path: string,
  body?: unknown,
  who: Access | 'other' = 'full',
): Promise<Answer> {
  return service.send({
    method,
    path: PATH + path,
    headers: {
      ...basic(keys.get(who) ?? ''),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function create(body: object = { url: URL }) {
  const [created = {}] = expectSuccess(await ask('POST', '', body), VERSION);
  return created;
}

async function rowOf(id: unknown) {
  const [row = {}] = await ledger.rows(`SELECT * FROM webhook_endpoints WHERE id = ${String(id)}`);
  return row;
}

describe('an endpoint', () => {
  it('is created, listed, read, changed, rotated, replayed and deleted', async () => {
    const { secret, ...shown } = await create();
    expect(secret).toMatch(SECRET);
    expect(shown).toEqual({
      id: expect.any(Number),
      url: URL,
      state: 'active',
      cursor: expect.any(String),
      max_bytes: 92_160,
      kinds: null,
      reasons: null,
      product_ids: null,
      failures: 0,
      problem: null,
      failing: null,
      next_try: expect.any(String),
      created: expect.any(String),
      last_taken: null,
    });
    const one = `/${String(shown.id)}`;
    expect(expectSuccess(await ask('GET', ''), VERSION)).toEqual([shown]);
    expect(expectSuccess(await ask('GET', one), VERSION)).toEqual([shown]);
    expect(expectSuccess(await ask('GET', `${one}/secret`), VERSION)).toEqual([
      { ...shown, secret },
    ]);
    const paused = { url: `${URL}/2`, state: 'paused' };
    expect(expectSuccess(await ask('PATCH', one, paused), VERSION)).toMatchObject([
      { ...paused, next_try: null },
    ]);
    const [rotated] = expectSuccess(await ask('POST', `${one}/rotate`), VERSION);
    expect(rotated?.secret).toMatch(SECRET);
    expect(rotated?.secret).not.toBe(secret);
    const replayed = await ask('POST', `${one}/replay`, { from: '1999-01-01' });
    expect(expectSuccess(replayed, VERSION)).toMatchObject([{ cursor: '0', state: 'paused' }]);
    expect(expectSuccess(await ask('DELETE', one), VERSION)).toMatchObject([{ id: shown.id }]);
    expectFailure(await ask('GET', one), 4040, VERSION);
    expect(expectSuccess(await ask('GET', ''), VERSION)).toEqual([]);
  });

  it('has the size that it is given', async () => {
    const { id, max_bytes } = await create({ url: URL, max_bytes: 1_048_576 });
    expect(max_bytes).toBe(1_048_576);
    audit.length = 0;
    const one = `/${String(id)}`;
    const changed = await ask('PATCH', one, { max_bytes: '1024' });
    expect(expectSuccess(changed, VERSION)).toMatchObject([{ max_bytes: 1_024 }]);
    expect(expectSuccess(await ask('PATCH', one, { max_bytes: null }), VERSION)).toMatchObject([
      { max_bytes: 1_024 },
    ]);
    const [entry, ...others] = audit.map(messageOf);
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      action: 'webhook.max_bytes',
      before: { max_bytes: 1_048_576 },
      after: { max_bytes: 1_024 },
    });
  });

  it('that an instance of the version before creates has the default size', async () => {
    const columns = Object.keys(await rowOf((await create()).id));
    const names = columns.filter((name) => name !== 'id' && name !== 'max_bytes');
    await ledger.run(
      `INSERT INTO webhook_endpoints (${names.join(', ')}) SELECT ${names.join(', ')} FROM webhook_endpoints`,
    );
    const sizes = expectSuccess(await ask('GET', ''), VERSION).map(({ max_bytes }) => max_bytes);
    expect(sizes).toEqual([92_160, 92_160]);
  });

  it('begins where it is told to', async () => {
    expect(await create({ url: URL, from: 'now' })).not.toMatchObject({ cursor: '0' });
    const far = '9999-12-31';
    const { id } = await create({ url: URL, from: null });
    const [before] = expectSuccess(await ask('GET', `/${String(id)}`), VERSION);
    const [later] = expectSuccess(
      await ask('POST', `/${String(id)}/replay`, { from: far }),
      VERSION,
    );
    expect(later?.cursor).toBe(before?.cursor);
  });

  it('is told to the audit log, without its secret', async () => {
    audit.length = 0;
    const { id, secret } = await create();
    // Everything is one change, so nothing is sent to the new URL before the endpoint is paused.
    await ask('PATCH', `/${String(id)}`, { url: `${URL}/3`, state: 'paused' });
    await ask('POST', `/${String(id)}/rotate`);
    await ask('POST', `/${String(id)}/replay`, {});
    await ask('DELETE', `/${String(id)}`);
    expect(audit.map((line) => messageOf(line).action)).toEqual([
      'webhook.create',
      'webhook.paused',
      'webhook.rotate',
      'webhook.replay',
      'webhook.delete',
    ]);
    expect(audit.join('')).toContain(URL);
    expect(audit.join('')).not.toMatch(/whsec_/);
    expect(audit.join('')).not.toContain(String(secret).slice('whsec_'.length));
  });

  it('has a secret that is encrypted where it is stored', async () => {
    const { secret } = await create();
    const [row = {}] = await ledger.rows('SELECT secret FROM webhook_endpoints');
    expect(String(row.secret)).not.toContain(String(secret).slice('whsec_'.length));
    expect(String(row.secret)).not.toContain('whsec_');
  });
});

it('a delivery that fails is named, and skipped', async () => {
  const { id } = await create({ url: URL, from: 'beginning' });
  const one = `/${String(id)}`;
  let failing: unknown = null;
  await until('the failure', async () => {
    failing = expectSuccess(await ask('GET', one), VERSION)[0]?.failing;
    return failing !== null;
  });
  const [listed] = expectSuccess(await ask('GET', ''), VERSION);
  expect(listed).toMatchObject({ failing, cursor: '0' });
  const { webhook_id } = (listed?.failing ?? {}) as { webhook_id?: string };
  const [skipped] = expectSuccess(await ask('POST', `${one}/skip`, { webhook_id }), VERSION);
  expect(skipped).toMatchObject({ failing: null, problem: null, skipped: failing });
  expect(skipped?.cursor).not.toBe('0');
  expectFailure(await ask('POST', `${one}/skip`, { webhook_id }), 4001, VERSION);
});

it('a vendor has at most 10, also if they are created at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 14 }, () => ask('POST', '', { url: URL })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  const refused = answers.filter(({ status }) => status !== 200);
  for (const answer of refused) {
    expect(expectFailure(answer, 4001, VERSION)).toBe('You have 10 endpoints already.');
  }
  expect(expectSuccess(await ask('GET', ''), VERSION)).toHaveLength(10);
  expect(expectSuccess(await ask('GET', '', undefined, 'other'), VERSION)).toEqual([]);
});

describe('access', () => {
  const CALLS: readonly [method: string, path: string, body: object | undefined][] = [
    ['GET', '', undefined],
    ['POST', '', { url: URL }],
    ['GET', '/1', undefined],
    ['GET', '/1/secret', undefined],
    ['PATCH', '/1', { state: 'paused' }],
    ['POST', '/1/rotate', undefined],
    ['POST', '/1/test', undefined],
    ['POST', '/1/replay', {}],
    ['POST', '/1/skip', { webhook_id: 'msg_x' }],
    ['DELETE', '/1', undefined],
  ];

  it.each(CALLS)('%s %s is for full access alone', async (method, path, body) => {
    for (const who of ['read', 'masked', 'source'] as const) {
      expectFailure(await ask(method, path, body, who), 4030, VERSION);
    }
  });

  it.each(CALLS.filter(([, path]) => path !== ''))(
    '%s %s of another vendor is as if it were not there',
    async (method, path, body) => {
      const { id } = await create();
      const foreign = await ask(method, path.replace('1', String(id)), body, 'other');
      const unknown = await ask(method, path.replace('1', '987654321'), body, 'other');
      expectFailure(foreign, 4040, VERSION);
      expect(foreign.text).toBe(unknown.text);
      expect(expectSuccess(await ask('GET', `/${String(id)}`), VERSION)).toHaveLength(1);
    },
  );

  it.each(['/0', '/01', '/-1', '/1.5', '/x', '/9007199254740993', '/1%20'])(
    'GET %s names none',
    async (path) => {
      expectFailure(await ask('GET', path), 4040, VERSION);
    },
  );
});

describe('what cannot be', () => {
  it.each([
    [{}, 'url'],
    [{ url: null }, 'url'],
    [{ url: 7 }, 'url'],
    [{ url: '' }, 'url'],
    [{ url: 'shop.example' }, 'https://'],
    [{ url: 'http://shop.example/' }, 'https://'],
    [{ url: 'https://127.0.0.1/' }, 'not public'],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, 'not public'],
    [{ url: 'https://shop.example:22/' }, 'port'],
    [{ url: 'https://ada:pw@shop.example/' }, 'password'],
    [{ url: `https://shop.example/${'x'.repeat(2_048)}` }, '2048'],
    [{ url: URL, from: 'later' }, 'from'],
    [{ url: URL, from: 0 }, 'from'],
    [{ url: URL, max_bytes: 1_023 }, 'max_bytes must be an integer from 1024 to 1048576'],
    [{ url: URL, max_bytes: 1_048_577 }, 'max_bytes'],
    [{ url: URL, max_bytes: 92_160.5 }, 'max_bytes'],
    [{ url: URL, max_bytes: '90 KiB' }, 'max_bytes'],
  ])('POST %j', async (body, told) => {
    expect(expectFailure(await ask('POST', '', body), 4001, VERSION)).toContain(told);
    expect(expectSuccess(await ask('GET', ''), VERSION)).toEqual([]);
  });

  it('is told at once, all of it', async () => {
    const { id } = await create();
    const url = 'https://127.0.0.1/';
    const notPublic = 'url must not have an address that is not public';
    const refused = [
      await ask('POST', '', { url, from: 'later' }),
      await ask('PATCH', `/${String(id)}`, { url, state: 'gone' }),
    ];
    expect(refused.map((answer) => expectFailure(answer, 4001, VERSION))).toEqual([
      `${notPublic}; from must be one of now, beginning.`,
      `${notPublic}; state must be one of active, paused.`,
    ]);
  });

  it.each([
    ['PATCH', '', { state: 'gone' }, 'state'],
    ['PATCH', '', { url: 'https://10.0.0.1/' }, 'not public'],
    ['PATCH', '', { url: URL, state: 'away' }, 'state'],
    ['PATCH', '', { url: `${URL}/2`, max_bytes: 0 }, 'max_bytes'],
    ['POST', '/replay', { from: '2025-02-30' }, 'from'],
    ['POST', '/replay', { from: 7 }, 'from'],
    ['POST', '/skip', {}, 'webhook_id must be a string'],
    ['POST', '/skip', { webhook_id: 7 }, 'webhook_id'],
    ['POST', '/skip', { webhook_id: 'msg_x' }, 'No delivery of this endpoint is failing.'],
  ])('%s %s %j', async (method, path, body, told) => {
    const { id } = await create();
    const before = expectSuccess(await ask('GET', ''), VERSION);
    const refused = await ask(method, `/${String(id)}${path}`, body);
    expect(expectFailure(refused, 4001, VERSION)).toContain(told);
    expect(expectSuccess(await ask('GET', ''), VERSION)).toEqual(before);
  });
});

it('a test says why nothing was received', async () => {
  const { id } = await create();
  const [told] = expectSuccess(await ask('POST', `/${String(id)}/test`), VERSION);
  expect(told).toEqual({
    sent: expect.any(String),
    duration_ms: expect.any(Number),
    status: null,
    problem: 'the address is not public',
    answer: null,
  });
});
