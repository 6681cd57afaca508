/** Two-factor sign-in: its steps, and the pages that it protects. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { pagesRouter } from '../../../src/platform/pages/serve-pages.js';
import { pagePathsOf, postRoutesOf } from '../../support/browser/page-routes.js';
import {
  afterPassword,
  CODE,
  codeOf,
  forgetSteps,
  inOneStep,
  SET_UP,
  turnOn,
  type SetUp,
  isSignedIn,
  plain,
} from '../../support/browser/two-factor.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';
import { ageSessionsOf } from '../../support/sql/session-age.js';

const SECURITY = '/account/security';
const HOME = '/account/reports';
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

const PASSWORD_LINK = '/account/password/:token';

describe('signing in with it', () => {
  let setUp: SetUp;
  beforeEach(async () => {
    setUp = await turnOn(owner);
  });

  it('asks for the code after the password, and leads to the requested page', async () => {
    const visitor = await afterPassword(service, email, '/account/applications?x=1');
    const page = await visitor.get(`${CODE}?next=%2Faccount%2Fapplications%3Fx%3D1`);
    expect(page.text).toMatch(/<input[^>]* name="code"[^>]* inputmode="numeric"/);
    expect(page.text).toMatch(/<input[^>]* name="code"[^>]* autocomplete="one-time-code"/);
    const before = visitor.cookie('session');
    const fields = { code: codeOf(setUp.secret), next: '/account/applications?x=1' };
    const answer = await visitor.post(CODE, fields);
    expect([answer.status, answer.headers.location]).toEqual([303, '/account/applications?x=1']);
    expect(visitor.cookie('session')).not.toBe(before);
    expect(await isSignedIn(visitor)).toBe(true);
    expect((await visitor.get(CODE)).headers.location).toBe(HOME);
    const thief = new Visitor(service);
    thief.setCookie('session', String(before));
    expect((await thief.get(SECURITY)).headers.location).toContain('/account/sign-in?');
  });

  it('leads to no other site', async () => {
    const visitor = await afterPassword(service, email);
    const fields = { code: codeOf(setUp.secret), next: 'https://evil.example/' };
    expect((await visitor.post(CODE, fields)).headers.location).toBe(HOME);
  });

  it('opens no page and takes no form before the code', async () => {
    const visitor = await afterPassword(service, email);
    const router = pagesRouter(service.app);
    // A link that sets a password leads to the sign-in, and from there to the code.
    const open = new Set(['/account/sign-in', CODE, '/account/sign-out', PASSWORD_LINK]);
    const paths = pagePathsOf(router, '1').filter((path) => path.startsWith('/account'));
    expect(paths.length).toBeGreaterThan(20);
    for (const path of paths.filter((each) => !open.has(each))) {
      const { status, headers } = await visitor.get(path);
      const location = `${CODE}?next=${encodeURIComponent(path)}`;
      expect({ path, status, location: headers.location }).toEqual({ path, status: 303, location });
    }
    const forms = postRoutesOf(router, '1').filter(
      ({ path, isOfPost }) => isOfPost && path.startsWith('/account') && !open.has(path),
    );
    expect(forms.length).toBeGreaterThan(20);
    for (const { path } of forms) {
      await visitor.get(CODE);
      const { status, headers } = await visitor.post(path, { password: PASSWORD });
      expect({ path, status, location: headers.location }).toEqual({
        path,
        status: 303,
        location: CODE,
      });
    }
    expect((await visitor.get('/account/sign-in')).text).not.toContain('Sign out');
  });

  it('does not tell whether the account has it, unless the password is right', async () => {
    const told = new Set<string>();
    for (const each of [email, 'user40@example.test', 'nobody@example.test']) {
      const { status, text } = await new Visitor(service).signIn(each, 'wrong');
      told.add(`${status} ${text.replace(/value="[^"]*"/g, '')}`);
    }
    expect(told.size).toBe(1);
  });

  it('takes a code in the digits of any script, with spaces or dashes', async () => {
    const inDigitsFrom = (zero: number, code: string) =>
      code.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
    const [arabicIndic, persian, fullWidth, devanagari] = [0x660, 0x6f0, 0xff10, 0x966];
    const forms: ((code: string) => string)[] = [
      ...[arabicIndic, persian, fullWidth, devanagari].map(
        (zero) => (code: string) => inDigitsFrom(zero, code),
      ),
      (code) => ` ${code.slice(0, 3)}\u2013${code.slice(3)}\u00a0`,
      (code) => `\u200e${code.replaceAll(/\B/g, '-')}\u200e`,
    ];
    for (const form of forms) {
      await forgetSteps(ledger);
      const code = form(codeOf(setUp.secret));
      const answer = await (await afterPassword(service, email)).post(CODE, { code });
      expect([code, answer.status]).toEqual([code, 303]);
    }
    const [recovery = ''] = setUp.recoveryCodes;
    const code = inDigitsFrom(fullWidth, recovery).replaceAll('-', '\u2014');
    expect((await (await afterPassword(service, email)).post(CODE, { code })).status).toBe(303);
  });

  it('takes the code of the step before and after, each once', async () => {
    const answerTo = async (steps: number) => {
      const visitor = await afterPassword(service, email);
      const { status, text } = await visitor.post(CODE, { code: codeOf(setUp.secret, steps) });
      return [steps, status, text.includes('Wrong code, or it was used before.')];
    };
    const answers = await inOneStep(async () => {
      await forgetSteps(ledger);
      const given = [];
      // A time step before a used one is no longer accepted.
      for (const steps of [-1, -1, 0, 0, 1, 1, -1]) given.push(await answerTo(steps));
      return given;
    });
    expect(answers).toEqual([
      [-1, 303, false],
      [-1, 401, true],
      [0, 303, false],
      [0, 401, true],
      [1, 303, false],
      [1, 401, true],
      [-1, 401, true],
    ]);
  });

  it('takes no other code', async () => {
    await forgetSteps(ledger);
    const visitor = await afterPassword(service, email);
    for (const code of ['', WRONG, codeOf(setUp.secret, -4), codeOf(setUp.secret, 4), PASSWORD]) {
      expect((await visitor.post(CODE, { code })).status).toBe(401);
    }
    expect(await isSignedIn(visitor)).toBe(false);
    expect((await visitor.post(CODE, { code: codeOf(setUp.secret) })).status).toBe(303);
  });

  it('takes a code only once on two instances at the same time', async () => {
    const beside = await service.beside();
    try {
      await forgetSteps(ledger);
      const visitors = [];
      for (const at of [service, beside, service, beside])
        visitors.push(await afterPassword(at, email));
      const code = codeOf(setUp.secret);
      const answers = await Promise.all(visitors.map((visitor) => visitor.post(CODE, { code })));
      expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401, 401]);
    } finally {
      await beside.app.close();
    }
  });

  it('takes each recovery code once, however it is typed', async () => {
    const [one = '', two = '', three = ''] = setUp.recoveryCodes;
    for (const typed of [one, ` ${two.toUpperCase().replaceAll('-', ' ')} `, plain(three)]) {
      const visitor = await afterPassword(service, email);
      expect((await visitor.post(CODE, { recovery_code: typed })).status).toBe(303);
      const again = await (
        await afterPassword(service, email)
      ).post(CODE, { recovery_code: typed });
      expect(again.status).toBe(401);
      expect(again.text).toMatch(/<details open[^>]*>/);
      expect(again.text).toContain('Wrong recovery code, or it was used before.');
    }
    const visitor = await afterPassword(service, email);
    for (const wrong of ['0000-0000-0000-0000', '', 'x'.repeat(5_000), one.slice(0, -1)]) {
      expect((await visitor.post(CODE, { recovery_code: wrong })).status).toBe(401);
    }
    expect((await owner.get(SECURITY)).text).toContain('7 of 10 recovery codes are left.');
    expect(await audited()).toEqual([
      'two_factor.on',
      ...Array.from({ length: 3 }, () => 'two_factor.recovery-code'),
    ]);
  });

  it('takes recovery codes after KEY_ENCRYPTION_SECRET was lost, and says so', async () => {
    const changed = await service.beside({ KEY_ENCRYPTION_SECRET: 'x'.repeat(40) });
    try {
      const visitor = await afterPassword(changed, email);
      const refused = await visitor.post(CODE, { code: codeOf(setUp.secret) });
      expect([refused.status, refused.text.includes('Use a recovery code')]).toEqual([401, true]);
      const [first = '', second = ''] = setUp.recoveryCodes;
      expect((await visitor.post(CODE, { recovery_code: first })).status).toBe(303);
      await visitor.get(SET_UP);
      const off = (off_code: string) =>
        visitor.post(`${SET_UP}/off`, { off_password: PASSWORD, off_code });
      const kept = await off(codeOf(setUp.secret, 1));
      expect([kept.status, kept.text.includes('Use a recovery code')]).toEqual([400, true]);
      expect((await off(second)).status).toBe(303);
    } finally {
      await changed.app.close();
    }
  });

  it('takes no recovery code of another user', async () => {
    const [code = ''] = setUp.recoveryCodes;
    user_id += 1;
    email = `user${user_id}@example.test`;
    await turnOn(await Visitor.signedIn(service, user_id));
    expect(
      (await (await afterPassword(service, email)).post(CODE, { recovery_code: code })).status,
    ).toBe(401);
  });

  it('is to be finished within 5 minutes, in the same browser', async () => {
    const visitor = await afterPassword(service, email);
    const code = codeOf(setUp.secret);
    const elsewhere = new Visitor(service);
    await elsewhere.get('/account/sign-in');
    expect((await elsewhere.post(CODE, { code })).text).toContain('Sign in again');
    await ageSessionsOf(user_id, 6, ledger);
    expect((await visitor.get(CODE)).headers.location).toBe('/account/sign-in');
    const late = await visitor.post(CODE, { code });
    expect([late.status, late.text.includes('Sign in again')]).toEqual([401, true]);
    const next = await afterPassword(service, email);
    await ageSessionsOf(user_id, 4, ledger);
    expect((await next.post(CODE, { code })).status).toBe(303);
  });

  it('is to be begun again after another password was set', async () => {
    const visitor = await afterPassword(service, email);
    await service.app.get(SignInService).setPassword(user_id, PASSWORD);
    const answer = await visitor.post(CODE, { code: codeOf(setUp.secret) });
    expect(answer.status).not.toBe(303);
    expect(await isSignedIn(visitor)).toBe(false);
    // The second step is still required after a new password.
    await afterPassword(service, email);
  });

  it('does not concern keys, and stays given when the password is changed', async () => {
    const beside = await service.beside();
    const { status } = await beside.get('/v3.0', await beside.key(user_id));
    expect(status).toBe(200);
    await beside.app.close();
    await owner.get(SECURITY);
    const fields = { password: PASSWORD, new_password: `${PASSWORD}, again` };
    await owner.follow(await owner.post('/account/security/password', fields));
    expect(await isSignedIn(owner)).toBe(true);
  });
});
