import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/http.js';
import { user } from '../support/ledger-records.js';
import { TestService } from '../support/service.js';
import { TestLedger } from '../support/test-ledger.js';
import { HOSTILE } from '../support/hostile-texts.js';
import { Visitor } from '../support/visitor.js';

const PATH = '/account/applications';
const KEY = /value="(vra_[0-9A-Za-z]{42})"/;
const DAY_MS = 86_400_000;

let service: TestService;
let ann: Visitor;
let bob: Visitor;
beforeAll(async () => {
  service = await TestService.start({ THROTTLE_LIMITS: '20/1s,600/1m' });
  await service.import([user(1), user(2)]);
  ann = await Visitor.signedIn(service, 1);
  bob = await Visitor.signedIn(service, 2);
});
afterAll(() => service.stop());

function dayIn(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
}

/** Makes an application. @returns its path */
async function make(visitor: Visitor, fields: Record<string, string>): Promise<string> {
  await visitor.get(PATH);
  const made = await visitor.post(PATH, { expires: '', addresses: '', ...fields });
  const page = await visitor.follow(made);
  expect(page.text).toContain('The API application is made.');
  return String(made.headers.location).split('?')[0] ?? '';
}

async function keyOf(visitor: Visitor, path: string): Promise<string> {
  return KEY.exec((await visitor.post(`${path}/key`)).text)?.[1] ?? 'no key';
}

async function statusWith(key: string): Promise<number> {
  return (await service.get('/v3.0', key)).status;
}

/** Revocations hold on every instance within 2 seconds. */
async function untilRefused(key: string): Promise<void> {
  const end = Date.now() + 2_000;
  while ((await statusWith(key)) !== 401) expect(Date.now()).toBeLessThan(end);
}

describe('an API application', () => {
  it('is made, shows its key only when asked, and the key works', async () => {
    const path = await make(ann, { name: 'Nightly bookkeeping' });
    const page = await ann.get(path);
    expect(page.text).toContain('Nightly bookkeeping');
    expect(page.text).not.toMatch(KEY);
    expect(page.text).toContain('<dd>never</dd>');
    const key = await keyOf(ann, path);
    expect(await statusWith(key)).toBe(200);
    expect(await keyOf(ann, path)).toBe(key);
    expect((await ann.get(PATH)).text).toContain('Nightly bookkeeping');
    const used = await ann.get(path);
    expect(used.text).toMatch(/Last used<\/dt><dd><time/);
  });

  it('rotates with an overlap, in which both keys work, and without', async () => {
    const path = await make(ann, { name: 'Rotated' });
    const first = await keyOf(ann, path);
    await ann.follow(await ann.post(`${path}/rotate`, { overlap: '24h' }));
    const second = await keyOf(ann, path);
    expect(second).not.toBe(first);
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);
    const page = await ann.follow(await ann.post(`${path}/rotate`, { overlap: '0' }));
    expect(page.text).toContain('The key is rotated.');
    await untilRefused(second);
    expect(await statusWith(await keyOf(ann, path))).toBe(200);
    expect((await ann.post(`${path}/rotate`, { overlap: '99y' })).status).toBe(400);
  });

  it('is revoked for good: its keys are refused, and nothing of it can be changed any more', async () => {
    const path = await make(ann, { name: 'Revoked' });
    const key = await keyOf(ann, path);
    const page = await ann.follow(await ann.post(`${path}/revoke`));
    expect(page.text).toContain('<span class="badge revoked">revoked</span>');
    expect(page.text).not.toContain('Show the key');
    await untilRefused(key);
    expect(await keyOf(ann, path)).toBe('no key');
    expect((await ann.post(`${path}/rotate`, { overlap: '0' })).status).toBe(404);
  });

  it('has a name, a last day and addresses that can be changed', async () => {
    const path = await make(ann, { name: 'Before', expires: dayIn(3), addresses: '203.0.113.7' });
    const key = await keyOf(ann, path);
    expect(await statusWith(key)).toBe(403);
    await ann.follow(await ann.post(`${path}/addresses`, { addresses: '127.0.0.1\n::1' }));
    await ann.follow(await ann.post(`${path}/rename`, { name: 'After' }));
    const page = await ann.follow(await ann.post(`${path}/expiry`, { expires: '' }));
    for (const told of ['<h1>After', '<dd>127.0.0.1, ::1</dd>', 'Expires</dt><dd>never</dd>']) {
      expect(page.text).toContain(told);
    }
    const end = Date.now() + 2_000;
    while ((await statusWith(key)) !== 200) expect(Date.now()).toBeLessThan(end);
  });

  it('tells its own limits, or those of all', async () => {
    const path = await make(ann, { name: 'Limited' });
    expect((await ann.get(path)).text).toContain('<dd>20 requests in 1s, 600 requests in 1m</dd>');
    const look = TestLedger.on(service.database);
    await look.cli(['limits', 'set', String(path.split('/').pop()), '5/1s']);
    await look.close();
    expect((await ann.get(path)).text).toContain('<dd>5 requests in 1s</dd>');
  });

  it.each([
    ['name', { name: ' ' }, 'The name must have 1 to 255 characters.'],
    ['name', { name: 'x'.repeat(256) }, 'The name must have 1 to 255 characters.'],
    ['expires', { name: 'a', expires: '2025-02-30' }, 'The last day must be a date'],
    ['expires', { name: 'a', expires: dayIn(-1) }, 'must not lie in the past'],
    ['addresses', { name: 'a', addresses: 'everywhere' }, 'An address is like'],
    ['addresses', { name: 'a', addresses: '10.0.0.0/99' }, 'An address is like'],
  ])('is not made with a wrong %s, and what was typed stays', async (_field, fields, problem) => {
    await ann.get(PATH);
    const answer = await ann.post(PATH, { ...fields });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(problem);
    expect(answer.text).toContain(`name="name" value="${fields.name}"`);
  });

  it('stands in the audit log with who changed it, the showing of its key included', async () => {
    const path = await make(bob, { name: 'Audited' });
    const key = await keyOf(bob, path);
    await bob.post(`${path}/rotate`, { overlap: '1h' });
    await bob.post(`${path}/revoke`);
    const look = TestLedger.on(service.database);
    const entries = await look.rows(
      `SELECT action, user_id, state_before, state_after FROM audit_log
       WHERE application_id = ${String(path.split('/').pop())} ORDER BY id`,
    );
    await look.close();
    expect(entries.map(({ action }) => action)).toEqual([
      ...['key.create', 'key.show', 'key.rotate', 'key.revoke'],
    ]);
    expect(new Set(entries.map(({ user_id }) => Number(user_id)))).toEqual(new Set([2]));
    expect(JSON.stringify(entries)).not.toContain(key);
  });
});

describe("another user's application", () => {
  it('is answered as one that does not exist, whatever is asked of it', async () => {
    const path = await make(ann, { name: 'Ann’s own' });
    const key = await keyOf(ann, path);
    await bob.get(PATH);
    const ask = async (id: string): Promise<Answer[]> => [
      await bob.get(`${PATH}/${id}`),
      await bob.post(`${PATH}/${id}/key`),
      await bob.post(`${PATH}/${id}/rotate`, { overlap: '0' }),
      await bob.post(`${PATH}/${id}/rename`, { name: 'Bob’s' }),
      await bob.post(`${PATH}/${id}/expiry`, { expires: dayIn(1) }),
      await bob.post(`${PATH}/${id}/addresses`, { addresses: '127.0.0.1' }),
      await bob.post(`${PATH}/${id}/revoke`),
    ];
    const foreign = await ask(String(path.split('/').pop()));
    const unknown = await ask('999999');
    for (const [index, answer] of foreign.entries()) {
      expect(answer.status).toBe(404);
      expect(answer.text).toBe(unknown[index]?.text);
    }
    for (const id of ['0', '-1', '1e3', '%D9%A3', 'x', '99999999999999999999', '%00']) {
      expect((await bob.get(`${PATH}/${id}`)).status).toBe(404);
    }
    expect((await bob.get(PATH)).text).not.toContain('Ann’s own');
    expect(await statusWith(key)).toBe(200);
    expect((await ann.get(path)).text).toContain('<h1>Ann’s own');
  });
});

describe('a form', () => {
  const foreignTokens = (own: string): Record<string, string>[] => [
    { csrf_token: '' },
    { csrf_token: 'forged' },
    { csrf_token: `${own}0` },
    { csrf_token: bob.token },
  ];

  it('without the token of this browser is refused, and changes nothing', async () => {
    const path = await make(ann, { name: 'Forged' });
    const key = await keyOf(ann, path);
    await bob.get(PATH);
    for (const fields of foreignTokens(ann.token)) {
      for (const action of [`${path}/revoke`, `${path}/key`, PATH, '/account/sign-out']) {
        const answer = await ann.post(action, { name: 'Forged, too', ...fields });
        expect(answer.status).toBe(403);
        expect(answer.text).toContain('This form is too old.');
        expect(answer.text).not.toMatch(KEY);
      }
    }
    expect(await statusWith(key)).toBe(200);
    expect((await ann.get(PATH)).text).not.toContain('Forged, too');
  });

  it('without the cookie of its token is refused, at the sign-in, too', async () => {
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    const stranger = new Visitor(service);
    stranger.token = visitor.token;
    const fields = { email: 'user1@example.test', password: 'wrong' };
    expect((await stranger.post('/account/sign-in', fields)).status).toBe(403);
    expect((await visitor.post('/account/sign-in', fields)).status).toBe(401);
  });

  it('of a visitor who is not signed in leads to the sign-in', async () => {
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    const answer = await visitor.post(PATH, { name: 'Nobody’s' });
    expect(answer).toMatchObject({ status: 303, headers: { location: '/account/sign-in' } });
  });
});

describe('a hostile name', () => {
  it('shows as the text that it is', async () => {
    const markup = Object.values(HOSTILE)
      .flat()
      .filter((text) => /[<>"'&]/.test(text) && text.trim() === text && text.length < 200);
    expect(markup.length).toBeGreaterThan(10);
    for (const name of markup) {
      const { status, text } = await ann.get(await make(ann, { name }));
      expect(status).toBe(200);
      const shown = /<h1>([^<]*) <span class="badge active">/.exec(text)?.[1] ?? '';
      expect(unescaped(shown)).toBe(name);
    }
  });
});

function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
