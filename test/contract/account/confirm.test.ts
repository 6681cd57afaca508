/** What asks for the password again in a session that is older than 10 minutes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SessionsService } from '../../../src/modules/accounts/sessions/sessions.service.js';
import { idIn, KEY, make } from '../../support/browser/application-pages.js';
import type { Answer } from '../../support/http/http.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { ageSessionsOf } from '../../support/sql/session-age.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';

const ANN = 1;

let service: TestService;
let ledger: TestLedger;
let ann: Visitor;
let path: string;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(ANN), user(2)]);
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});
beforeEach(async () => {
  ann = await Visitor.signedIn(service, ANN);
  path = await make(ann, { name: 'Bookkeeping <1>' });
});

/** What was done to the application, as the audit log has it. */
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
    expect(await done()).toEqual(['key.create']);
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
    expect(await done()).toEqual(['key.create', 'key.revoke']);
  });

  it('does everything else as before, and does not find applications of others', async () => {
    await ageSessionsOf(ANN, 11, ledger);
    expect((await ann.post(`${path}/rename`, { name: 'Other' })).status).toBe(303);
    expect((await ann.post(`${path}/rotate`, { overlap: '1h' })).status).toBe(303);
    const bob = await Visitor.signedIn(service, 2);
    await bob.get('/account/applications');
    await ageSessionsOf(2, 11, ledger);
    for (const kind of ['key', 'revoke']) {
      expect((await bob.post(`${path}/${kind}`)).status).toBe(404);
      expect((await bob.post(`${path}/${kind}`, { password: PASSWORD })).status).toBe(404);
    }
  });

  it('allows as many attempts as a sign-in', async () => {
    const limited = await service.beside({ THROTTLE_SIGN_INS: '3/1h' });
    try {
      ann = await Visitor.signedIn(limited, ANN);
      await ann.get(path);
      await ageSessionsOf(ANN, 11, ledger);
      // Who is only asked has not tried.
      for (let asked = 0; asked < 4; asked += 1) expectAsked(await ann.post(`${path}/key`), 'key');
      const tryWith = async (password: string) =>
        (await ann.post(`${path}/key`, { password })).status;
      expect([await tryWith('one'), await tryWith('two')]).toEqual([400, 400]);
      expect(await tryWith(PASSWORD)).toBe(429);
      expect(await done()).toEqual(['key.create']);
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
    await ann.follow(await ann.post('/account/security/password', fields));
    expect((await ann.post(`${path}/key`)).text).toMatch(KEY);
  });

  it('that ended meanwhile does not come back', async () => {
    const before = await ledger.rows('SELECT session_hash FROM sessions');
    await service.app.get(SessionsService).change('it is gone', '{}');
    expect(await ledger.rows('SELECT session_hash FROM sessions')).toEqual(before);
  });
});
