/** Two-factor sign-in: setup, turning it off, and recovery codes. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  afterPassword,
  CODE,
  codeOf,
  proposedTo,
  recoveryCodesIn,
  secretIn,
  SET_UP,
  turnOn,
  isSignedIn,
  plain,
} from '../../support/browser/two-factor.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';
import { ageSessionsOf } from '../../support/sql/session-age.js';

const SECURITY = '/account/security';
const WRONG = '000000';

let service: TestService;
let ledger: TestLedger;
let user_id = 0;
let email: string;
let owner: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  await service.import(Array.from({ length: 40 }, (_, index) => user(index + 1)));
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});
/** Each test has a user of its own. */
beforeEach(async () => {
  user_id += 1;
  email = `user${user_id}@example.test`;
  owner = await Visitor.signedIn(service, user_id);
});

async function audited(): Promise<unknown[]> {
  const rows = await ledger.rows(
    `SELECT action FROM audit_log WHERE subject = 'user ${user_id}' ORDER BY id`,
  );
  return rows.map(({ action }) => action).filter((action) => action !== 'password.set');
}

describe('setting up', () => {
  it('needs the current password, and shows the secret only while it is fresh', async () => {
    expect((await owner.get(SECURITY)).text).toContain('>Off</span>');
    const begin = await owner.get(SET_UP);
    expect([begin.status, secretIn(begin)]).toEqual([200, '']);
    for (const password of ['', 'wrong', `${PASSWORD}!`]) {
      const refused = await owner.post(SET_UP, { password });
      expect([refused.status, secretIn(refused)]).toEqual([400, '']);
      expect(refused.text).toContain('The current password is wrong.');
    }
    expect(await ledger.rows(`SELECT * FROM user_two_factor WHERE user_id = ${user_id}`)).toEqual(
      [],
    );
    const secret = await proposedTo(owner);
    const other = new Visitor(service);
    await other.signIn(email);
    expect(secretIn(await other.get(SET_UP))).toBe('');
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const page = await owner.get(SET_UP);
    expect(secretIn(page)).toBe(secret);
    expect(page.text).toMatch(/<svg class="qr-code" viewBox="0 0 \d+ \d+" role="img"/);
    expect(page.text).toContain(
      `otpauth://totp/Vendor%20Reporting%20API:user${user_id}%40example.test?secret=${secret}`,
    );
    await ageSessionsOf(user_id, 11, ledger);
    expect(secretIn(await owner.get(SET_UP))).toBe('');
    const late = await owner.post(`${SET_UP}/confirm`, { code: codeOf(secret) });
    expect([late.status, late.headers.location]).toEqual([303, SET_UP]);
    expect(secretIn(await owner.get(SET_UP))).toBe('');
  });

  it('counts once the code of the app is confirmed, and signs out all other browsers', async () => {
    const other = new Visitor(service);
    await other.signIn(email);
    const secret = await proposedTo(owner);
    for (const code of ['', WRONG, codeOf(secret, 4), codeOf(secret, -4), '12345', 'abcdef']) {
      const refused = await owner.post(`${SET_UP}/confirm`, { code });
      expect([refused.status, recoveryCodesIn(refused)]).toEqual([400, []]);
      expect(refused.text).toContain('Wrong or expired code.');
    }
    expect(await isSignedIn(other)).toBe(true);
    const code = codeOf(secret);
    const on = await owner.post(`${SET_UP}/confirm`, {
      code: ` ${code.slice(0, 3)} ${code.slice(3)}`,
    });
    const codes = recoveryCodesIn(on);
    expect(new Set(codes).size).toBe(10);
    const [, file = ''] = /download="recovery-codes.txt" href="data:.*?,(.*?)"/.exec(on.text) ?? [];
    expect(decodeURIComponent(file)).toBe(`${codes.join('\n')}\n`);
    for (const each of codes) expect(each).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-?){4}$/);
    expect([await isSignedIn(owner), await isSignedIn(other)]).toEqual([true, false]);
    // The page with the codes has forms of the new session.
    const { text } = await owner.get(SECURITY);
    expect(text).toContain('10 of 10 recovery codes are left.');
    for (const shown of [secret, ...codes]) expect(text).not.toContain(shown);
    expect(await audited()).toEqual(['two_factor.on']);
    // The code of the setup cannot be used to sign in.
    const visitor = await afterPassword(service, email);
    expect((await visitor.post(CODE, { code })).status).toBe(401);
  });

  it('gives a page with recovery codes whose own forms work', async () => {
    const secret = await proposedTo(owner);
    await owner.post(`${SET_UP}/confirm`, { code: codeOf(secret) });
    expect((await owner.post('/account/sign-out')).headers.location).toBe('/account/sign-in');
  });

  it('keeps neither the secret nor a code in readable form', async () => {
    const { secret, recoveryCodes } = await turnOn(owner);
    const everything = await ledger.everything();
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map(plain)]) {
      expect(everything).not.toContain(text);
    }
  });

  it('proposes another secret each time, and none while it is on', async () => {
    const [first, second] = [await proposedTo(owner), await proposedTo(owner)];
    expect(first).not.toBe(second);
    const answers = await owner.post(`${SET_UP}/confirm`, { code: codeOf(first) });
    expect(answers.status).toBe(400);
    expect((await owner.post(`${SET_UP}/confirm`, { code: codeOf(second) })).status).toBe(200);
    const page = await owner.follow(await owner.post(SET_UP, { password: PASSWORD }));
    expect([secretIn(page), page.text.includes('New recovery codes')]).toEqual(['', true]);
    const again = await owner.post(`${SET_UP}/confirm`, { code: codeOf(second, 1) });
    expect(recoveryCodesIn(again)).toEqual([]);
    expect(await audited()).toEqual(['two_factor.on']);
  });
});

describe('turning it off', () => {
  const off = (off_password: string, off_code: string) =>
    owner.post(`${SET_UP}/off`, { off_password, off_code });

  it('needs the password and a code', async () => {
    const { secret, recoveryCodes } = await turnOn(owner);
    await owner.get(SET_UP);
    const [recoveryCode = ''] = recoveryCodes;
    for (const [password, code] of [
      [PASSWORD, ''],
      [PASSWORD, WRONG],
      ['wrong', codeOf(secret)],
    ] as const) {
      expect((await off(password, code)).status).toBe(400);
    }
    await afterPassword(service, email);
    const page = await owner.follow(await off(PASSWORD, recoveryCode));
    expect(page.text).toContain('Two-factor sign-in is off.');
    expect(await audited()).toEqual([
      'two_factor.on',
      'two_factor.recovery-code',
      'two_factor.off',
    ]);
    const visitor = new Visitor(service);
    await visitor.signIn(email);
    expect(await isSignedIn(visitor)).toBe(true);
    expect(await ledger.rows(`SELECT * FROM recovery_codes WHERE user_id = ${user_id}`)).toEqual(
      [],
    );
  });

  it('does not open what waits for a code until the password is given again', async () => {
    const { secret } = await turnOn(owner);
    const waiting = await afterPassword(service, email);
    await owner.get(SET_UP);
    await owner.follow(await off(PASSWORD, codeOf(secret)));
    expect((await waiting.post(CODE, { code: codeOf(secret, 1) })).status).toBe(401);
    expect(await isSignedIn(waiting)).toBe(false);
    // Only sessions that signed in again are listed, and only their sign-ins cause a notice.
    const visitor = new Visitor(service);
    await visitor.signIn(email);
    const { text } = await owner.get(SECURITY);
    expect(text.match(/name="session"/g)).toHaveLength(1);
  });
});

describe('new recovery codes', () => {
  it('need the password and a code, and replace the earlier ones', async () => {
    const { secret, recoveryCodes } = await turnOn(owner);
    await owner.get(SET_UP);
    const renew = (password: string, code: string) =>
      owner.post(`${SET_UP}/recovery-codes`, { password, code });
    for (const [password, code] of [
      ['wrong', codeOf(secret)],
      [PASSWORD, ''],
      [PASSWORD, WRONG],
    ] as const) {
      const refused = await renew(password, code);
      expect([refused.status, recoveryCodesIn(refused)]).toEqual([400, []]);
    }
    const codes = recoveryCodesIn(await renew(PASSWORD, codeOf(secret)));
    expect(new Set([...codes, ...recoveryCodes]).size).toBe(20);
    const visitor = await afterPassword(service, email);
    expect((await visitor.post(CODE, { recovery_code: String(recoveryCodes[0]) })).status).toBe(
      401,
    );
    expect((await visitor.post(CODE, { recovery_code: String(codes[0]) })).status).toBe(303);
    expect(await audited()).toContain('two_factor.new-recovery-codes');
  });
});

describe('a sensitive action, 10 minutes after the sign-in', () => {
  const PATH = '/account/applications';
  const made = () => ledger.rows(`SELECT name FROM api_applications WHERE user_id = ${user_id}`);
  /** Requests a key, with the given answers to the confirmation. */
  const create = (told: { readonly password?: string; readonly code?: string } = {}) =>
    owner.post(PATH, { name: 'Kept', access: 'full', ...told });

  it('needs the password and a code, once', async () => {
    const { secret } = await turnOn(owner);
    await owner.get(PATH);
    await ageSessionsOf(user_id, 11, ledger);
    const asked = await create();
    expect(asked.text).toContain('<h1>Enter your password and a code</h1>');
    expect(asked.text).toContain('<input type="hidden" name="name" value="Kept"');
    const code = codeOf(secret);
    for (const told of [
      { password: PASSWORD },
      { password: PASSWORD, code: WRONG },
      { password: 'wrong', code },
      { code },
    ]) {
      expect((await create(told)).text).toContain('<h1>Enter your password and a code</h1>');
    }
    expect(await made()).toEqual([]);
    expect((await create({ password: PASSWORD, code })).status).toBe(303);
    expect((await create()).status).toBe(303);
    await ageSessionsOf(user_id, 11, ledger);
    // A code is accepted only once.
    expect((await create({ password: PASSWORD, code })).status).toBe(400);
    expect(await made()).toHaveLength(2);
  });

  it('needs a code after the password was given for something else', async () => {
    await turnOn(owner);
    await owner.get(PATH);
    await ageSessionsOf(user_id, 11, ledger);
    await owner.post(SET_UP, { password: PASSWORD });
    expect((await create()).text).toContain('Enter your password and a code');
    const fields = { password: PASSWORD, new_password: `${PASSWORD}, again` };
    await owner.follow(await owner.post(`${SECURITY}/password`, fields));
    expect((await create()).text).toContain('Enter your password and a code');
    expect(await made()).toEqual([]);
  });
});
