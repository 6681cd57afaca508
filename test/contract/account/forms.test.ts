import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { pagesRouter } from '../../../src/platform/pages/serve-pages.js';
import { idIn, KEY, make, PATH } from '../../support/browser/application-pages.js';
import { expectFailure } from '../../support/oracles/failure.js';
import type { Answer } from '../../support/http/http.js';
import { user } from '../../support/builders/ledger-records.js';
import { postRoutesOf } from '../../support/browser/page-routes.js';
import { TestService } from '../../support/servers/service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';

const REQUESTS = 'vendor_reporting_requests_total';

let service: TestService;
let look: TestLedger;
let ann: Visitor;
let bob: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), user(2)]);
  look = TestLedger.on(service.database);
  ann = await Visitor.signedIn(service, 1);
  bob = await Visitor.signedIn(service, 2);
});
afterAll(async () => {
  await look.close();
  await service.stop();
});

/** Returns everything that a form of the account can change. */
async function everythingToChange(): Promise<object> {
  const tables = ['api_applications', 'api_keys', 'audit_log', 'user_passwords'];
  const rows = tables.map((table) => look.rows(`SELECT * FROM ${table}`));
  const sessions = look.rows('SELECT session_hash, user_id FROM sessions ORDER BY session_hash');
  return Promise.all([...rows, sessions]);
}

function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Returns the tag of a field on a page. */
function fieldOf({ text }: Answer, name: string): string {
  return new RegExp(`<(?:input|select)[^>]* name="${name}"[^>]*>`).exec(text)?.[0] ?? 'no field';
}

/** Returns the problem that a page shows at a field. The field refers to it as its description. */
function problemAt(answer: Answer, name: string): string {
  const field = fieldOf(answer, name);
  expect(field).toMatch(/ aria-invalid(?:="true")?[ />]/);
  const id = / aria-describedby="([^" ]+)/.exec(field)?.[1] ?? 'no description';
  return new RegExp(`<p class="field-problem" id="${id}">([^<]*)</p>`).exec(answer.text)?.[1] ?? '';
}

describe('a field', () => {
  it.each([
    [
      'name',
      { name: ' ' },
      'The name must have 1 to 255 characters, without control characters, line breaks',
    ],
    [
      'name',
      { name: 'red \u001b[31m' },
      'The name must have 1 to 255 characters, without control characters, line breaks',
    ],
    [
      'name',
      { name: 'red \u202ekcalb' },
      'The name must have 1 to 255 characters, without control characters, line breaks',
    ],
    [
      'name',
      { name: 'x'.repeat(256) },
      'The name must have 1 to 255 characters, without control characters, line breaks',
    ],
    ['expires', { name: 'a', expires: '2025-02-30' }, 'The last day must be a date'],
    ['expires', { name: 'a', expires: dayIn(-1) }, 'must not be in the past'],
    ['addresses', { name: 'a', addresses: 'everywhere' }, '“everywhere” is not an address or a'],
    [
      'addresses',
      { name: 'a', addresses: '10.0.0.1, 10.0.0.0/99 ::1' },
      '“10.0.0.0/99” is not an address or a network. An address is like',
    ],
    ['addresses', { name: 'a', addresses: 'a,b,c,d,::1' }, '“a”, “b”, “c” and 1 more are not'],
    ['addresses', { name: 'a', addresses: 'x'.repeat(999) }, `“${'x'.repeat(60)}…” is not an`],
  ])('is not created with an invalid %s, and the input stays', async (field, fields, problem) => {
    await ann.get(PATH);
    const answer = await ann.post(PATH, { access: 'full', ...fields });
    expect(answer.status).toBe(400);
    expect(problemAt(answer, field)).toContain(problem);
    for (const [name, value] of Object.entries(fields)) {
      expect(fieldOf(answer, name)).toContain(`value="${value}"`);
    }
    expect(fieldOf(answer, field)).toContain('autofocus');
  });

  it('reports every invalid field at once and focuses the first', async () => {
    await ann.get(PATH);
    const wrong = { name: '', access: 'source', expires: 'soon', addresses: 'here' };
    const answer = await ann.post(PATH, wrong);
    expect(answer.text).toContain('Choose what the key may do.');
    expect(problemAt(answer, 'name')).toContain('1 to 255 characters');
    expect(problemAt(answer, 'expires')).toContain('“soon” is not one.');
    expect(problemAt(answer, 'addresses')).toContain('“here” is not an address');
    expect(answer.text.match(/ autofocus/g)).toHaveLength(1);
    expect(fieldOf(answer, 'name')).toContain('autofocus');
  });

  it.each([
    ['change', 'name', ' ', 'The name must have'],
    ['change', 'expires', '2025-02-30', '“2025-02-30” is not one.'],
    ['change', 'addresses', '127.0.0.1, 10.0.0.0/99', '“10.0.0.0/99” is not an address'],
    ['rotate', 'overlap', '99y', 'Choose how long'],
  ])(
    'explains an invalid %s at its field, and keeps the input',
    async (change, field, value, problem) => {
      const path = await make(ann, { name: 'Kept', addresses: '127.0.0.1' });
      const answer = await ann.post(`${path}/${change}`, { [field]: value });
      expect(answer.status).toBe(400);
      expect(problemAt(answer, field)).toContain(problem);
      expect(fieldOf(answer, field)).toContain('autofocus');
      if (field !== 'overlap') expect(fieldOf(answer, field)).toContain(`value="${value}"`);
      expect((await ann.get(path)).text).toContain('<dd>127.0.0.1</dd>');
    },
  );
});

describe('a form', () => {
  /**
   * Sends a form with every field of all pages. `token` is null for a form without a token field.
   */
  function postEverything(path: string, token: string | null): Promise<Answer> {
    ann.token = '';
    return ann.post(path, {
      name: 'Forged, too',
      access: 'read',
      expires: '',
      addresses: '',
      overlap: '0',
      next: '',
      email: 'user1@example.test',
      password: PASSWORD,
      new_password: `${PASSWORD}!`,
      ...(token === null ? {} : { csrf_token: token }),
    });
  }

  it('without the token of this browser is rejected on every route and changes nothing', async () => {
    const path = await make(ann, { name: 'Forged' });
    const ofPages = postRoutesOf(pagesRouter(service.app), idIn(path));
    const posts = ofPages.filter(({ isOfPost }) => isOfPost).map((route) => route.path);
    expect(posts).toEqual(
      expect.arrayContaining([PATH, `${path}/revoke`, '/account/security/sign-out-everywhere']),
    );
    await bob.get(PATH);
    const own = ann.token;
    const before = await everythingToChange();
    for (const token of ['', 'forged', `${own}0`, bob.token, null]) {
      for (const { path: action, isOfPost } of ofPages) {
        const { status, text } = await postEverything(action, token);
        if (isOfPost) expect({ action, status }).toEqual({ action, status: 403 });
        // The router or the guard of the keys rejects a path that has no form.
        else expect([401, 404, 405]).toContain(status);
        expect(text.includes('This form has expired.')).toBe(isOfPost);
        expect(text).not.toMatch(KEY);
      }
    }
    // Outside of the pages, a session grants no access, with or without a token.
    const express: Express = service.app.getHttpAdapter().getInstance();
    for (const { path: action } of postRoutesOf(express.router, '1')) {
      if (action.startsWith('/mcp')) {
        // Errors there are those of JSON-RPC.
        expect((await postEverything(action, own)).status).toBe(401);
        continue;
      }
      const version = action.startsWith('/ledger/') ? 'ledger-1' : '3.0';
      // Notifications of upstreams use a token of their own.
      const code = action.includes('/notify/') ? 4040 : 4010;
      expectFailure(await postEverything(action, own), code, version);
    }
    expect(await everythingToChange()).toEqual(before);
    ann.token = own;
    expect((await ann.get(PATH)).status).toBe(200);
  });

  it('without the cookie of its token is rejected, also at sign-in', async () => {
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    const stranger = new Visitor(service);
    stranger.token = visitor.token;
    const fields = { email: 'user1@example.test', password: 'wrong' };
    expect((await stranger.post('/account/sign-in', fields)).status).toBe(403);
    expect((await visitor.post('/account/sign-in', fields)).status).toBe(401);
  });

  it('of a visitor who is not signed in redirects to sign-in', async () => {
    const visitor = new Visitor(service);
    await visitor.get('/account/sign-in');
    const answer = await visitor.post(PATH, { name: 'Nobody’s' });
    expect(answer).toMatchObject({ status: 303, headers: { location: '/account/sign-in' } });
  });
});

describe("the user's password", () => {
  it('changes with the current one, signs out all other browsers, and is audited', async () => {
    await service.import([user(30)]);
    const visitor = await Visitor.signedIn(service, 30);
    const other = new Visitor(service);
    await other.signIn('user30@example.test');
    await visitor.get('/account/security');
    const change = (password: string, new_password: string) =>
      visitor.post('/account/security/password', { password, new_password });
    for (const [field, problem, answer] of [
      ['password', 'The current password is wrong.', await change('wrong', 'x'.repeat(20))],
      ['new_password', '12 to 128 characters', await change(PASSWORD, 'short')],
      ['new_password', 'too easy to guess', await change(PASSWORD, 'USER30@example.test')],
    ] as const) {
      expect(problemAt(answer, field)).toContain(problem);
      expect(fieldOf(answer, field)).toContain('autofocus');
      expect(answer.text).not.toContain(PASSWORD);
    }
    const page = await visitor.follow(await change(PASSWORD, 'a new and long password'));
    expect(page.text).toContain('Your password was changed.');
    expect((await other.get('/account/security')).status).toBe(303);
    expect((await new Visitor(service).signIn('user30@example.test')).status).toBe(401);
    const again = await new Visitor(service).signIn(
      'user30@example.test',
      'a new and long password',
    );
    expect(again.status).toBe(303);
    const entries = await look.rows(
      "SELECT user_id, subject FROM audit_log WHERE action = 'password.set' AND user_id = 30",
    );
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ subject: 'user 30' });
  });
});

describe('the log and the metrics', () => {
  /**
   * Returns how often each status was sent with each code, from the counter that has the same facts
   * as the log.
   */
  async function countsOf(operation: string): Promise<Record<string, number>> {
    const requests = await service.app.get(Metrics).registry.getSingleMetric(REQUESTS)?.get();
    const found = requests?.values.filter(({ labels }) => labels.operation === operation) ?? [];
    return Object.fromEntries(
      found.map(({ labels, value }) => [`${String(labels.status)} ${String(labels.code)}`, value]),
    );
  }

  it('have the internal code of each answer of a page', async () => {
    await service.import([user(3, { status: 'suspended' })]);
    await service.app.get(SignInService).setPassword(3, PASSWORD);
    const stranger = new Visitor(service);
    const before = await countsOf('/account/sign-in');
    expect((await stranger.signIn('user1@example.test', 'wrong')).status).toBe(401);
    expect((await stranger.signIn('user3@example.test')).status).toBe(403);
    expect((await stranger.post('/account/sign-in', { csrf_token: 'forged' })).status).toBe(403);
    expect((await stranger.signIn('user1@example.test')).status).toBe(303);
    const after = await countsOf('/account/sign-in');
    const added = Object.entries(after).map(([key, count]) => [key, count - (before[key] ?? 0)]);
    expect(Object.fromEntries(added)).toMatchObject({
      '401 4011': 1,
      '403 4030': 1,
      '403 4031': 1,
      '303 2000': 1,
    });
    expect(Object.keys(after)).not.toContain('401 2000');
    await ann.get(`${PATH}/999999`);
    await ann.post(PATH, { name: '' });
    await ann.post('/account/security/password', {});
    for (const [operation, expected] of [
      ['/account/applications', { '400 4001': expect.any(Number) as unknown }],
      ['/account/applications/{id}', { '404 4040': expect.any(Number) as unknown }],
      ['/account/security/password', { '400 4001': expect.any(Number) as unknown }],
    ] as const) {
      expect(await countsOf(operation)).toMatchObject(expected);
    }
    await service.send({ method: 'PUT', path: '/account/sign-in' });
    const refused = await countsOf('/account/sign-in');
    expect(Object.keys(refused)).toContain('405 4050');
    const all = (await service.app.get(Metrics).registry.getSingleMetric(REQUESTS)?.get())?.values;
    const wrong = all?.filter(
      ({ labels }) => Number(labels.status) >= 400 && Math.floor(Number(labels.code) / 1_000) < 4,
    );
    expect(wrong).toEqual([]);
  });
});
