/** Actions that require the password again in a session older than 10 minutes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SessionsService } from '../../../src/modules/accounts/sessions/sessions.service.js';
import { pagesRouter } from '../../../src/platform/pages/serve-pages.js';
import { UpstreamSecrets } from '../../../src/modules/mirror/upstreams/upstream-secrets.js';
import { UpstreamsRepository } from '../../../src/modules/mirror/upstreams/upstreams.repository.js';
import { idIn, KEY, make, PATH } from '../../support/browser/application-pages.js';
import { postRoutesOf } from '../../support/browser/page-routes.js';
import type { Answer } from '../../support/http/http.js';
import { product, recurringPayment, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { ageSessionsOf } from '../../support/sql/session-age.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';

const ANN = 1;

const [WEBHOOKS, UPSTREAM] = ['/account/webhooks', '/account/upstream'];
const SECURITY = '/account/security';
/**
 * The name resolves without a name server to an address that is not public, so nothing is sent or
 * read.
 */
const HOOK = 'https://localhost/hook';
const MIRROR = {
  url: HOOK,
  key: 'a_key_of_a_mirror',
  every: '10',
  service: '',
  processor: '',
  unchecked: 'on',
};

/** Forms that end one or more sessions. */
const ENDING = /sign-|sessions|forgot-password|\/password\//;
/** Forms that need no confirmation, or have a password field of their own. */
const FREE = [
  '/account/affiliates/ID/terms',
  '/account/security/notices/dismiss',
  '/account/security/password',
  '/account/security/two-factor',
  '/account/security/two-factor/confirm',
  '/account/security/two-factor/off',
  '/account/security/two-factor/recovery-codes',
  '/account/upstream/full',
  '/account/upstream/run',
  '/account/webhooks/ID/test',
];

/** The page of a new application shows its key. */
const NEW = ['key.create', 'key.show'];

let service: TestService;
let ledger: TestLedger;
let ann: Visitor;
let path: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(ANN), user(2), product(10, ANN), recurringPayment('PRE-1', 10)]);
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});
beforeEach(async () => {
  await ledger.run('DELETE FROM upstreams');
  ann = await Visitor.signedIn(service, ANN);
  path = await make(ann, { name: 'Bookkeeping <1>' });
});

/** Returns everything that keeps working after a session has ended. */
function whatStays(): Promise<object> {
  return Promise.all([
    ledger.rows('SELECT * FROM api_applications'),
    ledger.rows('SELECT * FROM api_keys'),
    ledger.rows('SELECT id, url, state, secret, number FROM webhook_endpoints'),
    ledger.rows('SELECT id, url, state, secret, token FROM upstreams'),
    ledger.rows('SELECT pre_key, status FROM recurring_payments'),
  ]);
}

async function locationOf(answer: Promise<Answer>): Promise<string> {
  return String((await answer).headers.location).split('?')[0] ?? '';
}

/** Returns the hidden fields that a page submits again, except the token. */
function hiddenIn({ text }: Answer): Record<string, string> {
  const fields = text.matchAll(/<input type="hidden" name="(\w+)" value(?:="([^"]*)")?/g);
  const all = Array.from(fields, ([, name = '', value = '']) => [name, plainText(value)] as const);
  return Object.fromEntries(all.filter(([name]) => name !== 'csrf_token'));
}

function plainText(html: string): string {
  return html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}

/** Returns the actions on the application from the audit log. */
async function done(): Promise<unknown[]> {
  const rows = await ledger.rows(
    `SELECT action FROM audit_log WHERE application_id = ${idIn(path)} ORDER BY id`,
  );
  return rows.map(({ action }) => action);
}

function expectAsked(answer: Answer, kind: 'key' | 'revoke'): void {
  expect(answer.text).toContain('<h1>Enter your password</h1>');
  expect(answer.text).toContain(`<form method="post" action="${path}/${kind}">`);
  expect(answer.text).toMatch(
    /<label for="field-password">Password<\/label><input id="field-password" name="password"[^>]* autofocus/,
  );
  expect(answer.text).toContain('Bookkeeping &lt;1>');
  expect(answer.text).toContain(`<a href="${path}">Cancel</a>`);
  expect(answer.text).not.toMatch(KEY);
}

describe('a session in which the password was entered 11 minutes ago', () => {
  it('shows no key until it is entered again, and then needs none for 10 minutes', async () => {
    await ageSessionsOf(ANN, 11, ledger);
    const asked = await ann.post(`${path}/key`);
    expect(asked.status).toBe(200);
    expectAsked(asked, 'key');
    expect(asked.text).not.toContain('aria-invalid');
    const wrong = await ann.post(`${path}/key`, { password: `${PASSWORD}!` });
    expect(wrong.status).toBe(400);
    expectAsked(wrong, 'key');
    expect(wrong.text).toContain('aria-invalid="true" aria-describedby="field-password-problem');
    expect(wrong.text).toContain(
      '<p class="field-problem" id="field-password-problem">Wrong password.</p>',
    );
    expectAsked(await ann.post(`${path}/key`), 'key');
    expect(await done()).toEqual(NEW);
    expect((await ann.post(`${path}/key`, { password: PASSWORD })).text).toMatch(KEY);
    expect((await ann.post(`${path}/key`)).text).toMatch(KEY);
    await ann.follow(await ann.post(`${path}/revoke`));
    expect(await done()).toContain('key.revoke');
  });

  it('revokes nothing until it is entered again', async () => {
    await ageSessionsOf(ANN, 11, ledger);
    expectAsked(await ann.post(`${path}/revoke`), 'revoke');
    expectAsked(await ann.post(`${path}/revoke`, { password: 'wrong' }), 'revoke');
    expect((await ann.get(path)).text).toContain('<span class="badge active">');
    const page = await ann.follow(await ann.post(`${path}/revoke`, { password: PASSWORD }));
    expect(page.text).toContain('The application was revoked.');
    expect(await done()).toEqual([...NEW, 'key.revoke']);
  });

  it('finds no applications of others', async () => {
    const bob = await Visitor.signedIn(service, 2);
    await bob.get('/account/applications');
    await ageSessionsOf(2, 11, ledger);
    for (const kind of ['key', 'revoke', 'change']) {
      expect((await bob.post(`${path}/${kind}`)).status).toBe(404);
      expect((await bob.post(`${path}/${kind}`, { password: PASSWORD })).status).toBe(404);
    }
    // The session is fresh now, and the form is not valid.
    expect((await bob.post(`${path}/change`, { name: '' })).status).toBe(404);
    const webhook = await locationOf(ann.post(WEBHOOKS, { url: HOOK, from: 'now' }));
    expect((await bob.post(`${webhook}/change`, { url: '' })).status).toBe(404);
  });

  it('changes nothing that outlives it, on any page', async () => {
    const webhook = await locationOf(ann.post(WEBHOOKS, { url: HOOK, from: 'now' }));
    await ann.get(UPSTREAM);
    await locationOf(ann.post(UPSTREAM, MIRROR));
    await ann.get(path);
    await ageSessionsOf(ANN, 11, ledger);
    const ids = { applications: idIn(path), webhooks: idIn(webhook) };
    const before = await whatStays();
    const free: string[] = [];
    for (const route of postRoutesOf(pagesRouter(service.app), 'ID')) {
      if (!route.isOfPost || ENDING.test(route.path)) continue;
      const [, part = ''] = /^\/account\/(\w+)/.exec(route.path) ?? [];
      const id = Object.entries(ids).find(([name]) => name === part)?.[1] ?? 'PRE-1';
      const { text } = await ann.post(`${route.path.replace('ID', id)}?email=one@example.test`, {
        name: 'Kept',
        access: 'full',
        from: 'now',
        overlap: '0',
        ...MIRROR,
        addresses: '::1',
        expires: '',
      });
      if (!text.includes('<h1>Enter your password</h1>')) free.push(route.path);
    }
    expect(free.toSorted()).toEqual(FREE);
    expect(await whatStays()).toEqual(before);
  });

  it('keeps what was entered while the password is asked for', async () => {
    await ann.get(PATH);
    await ageSessionsOf(ANN, 11, ledger);
    const entered = { name: '"<Kept> & שלום', access: 'masked', expires: '', addresses: '::1' };
    const asked = await ann.post(PATH, entered);
    expect(asked.text).toContain(`<form method="post" action="${PATH}">`);
    expect(hiddenIn(asked)).toEqual(entered);
    const wrong = await ann.post(PATH, { ...hiddenIn(asked), password: 'wrong' });
    expect([wrong.status, hiddenIn(wrong)]).toEqual([400, entered]);
    // The token of the form is checked here, as on every page.
    const forged = { ...hiddenIn(wrong), password: PASSWORD, csrf_token: 'forged' };
    expect((await ann.post(PATH, forged)).status).toBe(403);
    const made = await ann.follow(await ann.post(PATH, { ...hiddenIn(wrong), password: PASSWORD }));
    expect(made.text).toContain('<dt>Allowed addresses</dt><dd>::1</dd>');
    expect(made.text).toContain('Read only, without personal data: ');
    expect(made.text).toContain('<bdi>&quot;&lt;Kept> &amp; שלום</bdi>');
  });

  it('says what is wrong with a form before it asks', async () => {
    await ann.get(PATH);
    await ageSessionsOf(ANN, 11, ledger);
    const { status, text } = await ann.post(PATH, { name: ' ', access: 'full' });
    expect([status, text.includes('Enter your password')]).toEqual([400, false]);
  });

  it('shows no key of a mirror, and adds the mirror with it', async () => {
    await ann.get(UPSTREAM);
    await ageSessionsOf(ANN, 11, ledger);
    const asked = await ann.post(UPSTREAM, MIRROR);
    expect(asked.text).not.toContain(MIRROR.key);
    const { key: sealed, ...others } = hiddenIn(asked);
    expect({ ...others, key: MIRROR.key }).toEqual(MIRROR);
    // A value that was encrypted for one session cannot be used in another.
    const bob = await Visitor.signedIn(service, 2);
    await bob.get(UPSTREAM);
    const stolen = await bob.post(UPSTREAM, { ...MIRROR, key: String(sealed) });
    expect(stolen.text).toContain('This form has expired. Enter it again.');
    const again = await ann.post(UPSTREAM, { ...hiddenIn(asked), password: 'wrong' });
    const added = await ann.post(UPSTREAM, { ...hiddenIn(again), password: PASSWORD });
    expect((await ann.follow(added)).text).toContain('The other service is connected.');
    const upstream = await service.app.get(UpstreamsRepository).ofVendor(ANN);
    expect(upstream && service.app.get(UpstreamSecrets).keyOf(upstream)).toBe(MIRROR.key);
  });

  it('allows as many attempts as a sign-in', async () => {
    const limited = await service.beside({ THROTTLE_SIGN_INS: '3/1h' });
    try {
      ann = await Visitor.signedIn(limited, ANN);
      await ann.get(path);
      await ageSessionsOf(ANN, 11, ledger);
      // A request for confirmation does not count as an attempt.
      for (let asked = 0; asked < 4; asked += 1) expectAsked(await ann.post(`${path}/key`), 'key');
      const tryWith = async (password: string) =>
        (await ann.post(`${path}/key`, { password })).status;
      for (const wrong of ['one', 'two', 'three']) expect(await tryWith(wrong)).toBe(400);
      expect(await tryWith(PASSWORD)).toBe(429);
      expect(await done()).toEqual(NEW);
    } finally {
      await limited.app.close();
    }
  });
});

describe('a session', () => {
  it.each([
    [0, true],
    [9, true],
    [11, false],
    [null, false],
  ])('in which the password was entered %p minutes ago: %p', async (minutes, isShown) => {
    await ageSessionsOf(ANN, minutes, ledger);
    const answer = await ann.post(`${path}/key`);
    expect([answer.status, KEY.test(answer.text)]).toEqual([200, isShown]);
  });

  it('is fresh after a change of the password', async () => {
    await ageSessionsOf(ANN, 11, ledger);
    const fields = { password: PASSWORD, new_password: `${PASSWORD}, again` };
    await ann.follow(await ann.post(`${SECURITY}/password`, fields));
    expect((await ann.post(`${path}/key`)).text).toMatch(KEY);
  });

  it('that ended meanwhile does not come back', async () => {
    const before = await ledger.rows('SELECT session_hash FROM sessions');
    await service.app.get(SessionsService).change('it is gone', '{}');
    expect(await ledger.rows('SELECT session_hash FROM sessions')).toEqual(before);
  });
});

describe('what was made in the last 24 hours', () => {
  /** Returns the rows of the table: the name, and the path of the form that ends the item. */
  function listed({ text }: Answer): string[][] {
    const [, table = ''] = text.split('<h2 id="recent-title">New keys in the last 24 hours</h2>');
    const [rows = ''] = table.split('</section>');
    const found = rows.matchAll(
      /<tr role="row"><th[^>]*><div[^>]*><a[^>]*>([^<]*)<.*?action="([^"]*)"/g,
    );
    return Array.from(found, ([, name = '', end = '']) => [plainText(name), end]);
  }

  const makeAll = async () => {
    await ledger.run('DELETE FROM webhook_endpoints');
    const webhook = await locationOf(ann.post(WEBHOOKS, { url: HOOK, from: 'now' }));
    await locationOf(ann.post(UPSTREAM, MIRROR));
    const old = await make(ann, { name: 'Rotated' });
    const yesterday = new Date(Date.now() - 25 * 3_600_000).toISOString().slice(0, 19);
    const made = `'${yesterday.replace('T', ' ')}'`;
    for (const table of ['api_applications', 'api_keys', 'webhook_endpoints', 'upstreams']) {
      await ledger.run(`UPDATE ${table} SET created = ${made}`);
    }
    return { webhook, old };
  };

  it('is listed after a new password and after a sign-out everywhere, and ended there', async () => {
    const { webhook, old } = await makeAll();
    expect(listed(await ann.get(SECURITY))).toEqual([]);
    await ledger.run("UPDATE webhook_endpoints SET created = '9999-12-31 00:00:03'");
    await ledger.run("UPDATE upstreams SET created = '9999-12-31 00:00:02'");
    await ann.follow(await ann.post(`${old}/rotate`, { overlap: '0' }));
    const fields = { password: PASSWORD, new_password: `${PASSWORD}, again` };
    const changed = await ann.follow(await ann.post(`${SECURITY}/password`, fields));
    const all = [
      ['Rotated', `${old}/revoke`],
      [HOOK, `${webhook}/remove`],
      [HOOK, `${UPSTREAM}/remove`],
    ];
    expect(listed(changed)).toEqual(all);
    const left = await ann.post(`${SECURITY}/sign-out-everywhere`);
    const signIn = await ann.follow(left);
    const fieldsOfSignIn = { ...hiddenIn(signIn), email: 'user1@example.test' };
    const { new_password: password } = fields;
    const back = await ann.follow(
      await ann.post('/account/sign-in', { ...fieldsOfSignIn, password }),
    );
    expect(back.text).toContain('You were signed out everywhere.');
    expect(listed(back)).toEqual(all);
    await ageSessionsOf(ANN, 11, ledger);
    for (const [, end = ''] of all) {
      const { next = '' } = hiddenIn({
        ...back,
        text: back.text.split(`action="${end}"`)[1] ?? '',
      });
      const asked = await ann.post(end, { next });
      const ended = asked.text.includes('<h1>Enter your password</h1>')
        ? await ann.post(end, { ...hiddenIn(asked), password })
        : asked;
      expect((await ann.follow(ended)).text).toContain('It was ended, and no longer works.');
    }
    expect(listed(await ann.get(SECURITY))).toEqual([]);
  });

  it('is not listed for others', async () => {
    await locationOf(ann.post(UPSTREAM, MIRROR));
    const bob = await Visitor.signedIn(service, 2);
    expect(listed(await ann.get(SECURITY))).not.toEqual([]);
    expect(listed(await bob.get(SECURITY))).toEqual([]);
  });
});
