/**
 * THROTTLE_SIGN_INS limits how often a password can be guessed, and prevents lock-outs by others.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordsService } from '../../../src/modules/accounts/passwords/passwords.service.js';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';

const [ANN, BOB, CARL, DORA] = [1, 2, 3, 4];
const SECURITY = '/account/security';
const PUBLIC_URL = 'https://reports.example.test';

const ALL_SIGN_INS = 30;

let service: TestService;
let addresses = 0;
beforeAll(async () => {
  const total = { THROTTLE_ALL_SIGN_INS: `${ALL_SIGN_INS}/1h` };
  service = await TestService.start({
    THROTTLE_SIGN_INS: '3/1h',
    TRUST_PROXY: '1',
    PUBLIC_URL,
    ...total,
  });
  await service.import([ANN, BOB, CARL, DORA].map((id) => user(id)));
  for (const id of [ANN, BOB, DORA]) await service.app.get(SignInService).setPassword(id, PASSWORD);
});
afterAll(() => service.stop());

/** Returns a browser with an address that no other browser has. */
function somewhere(): Visitor {
  addresses += 1;
  return new Visitor(service, { 'X-Forwarded-For': `203.0.${addresses}.1` });
}

const emailOf = (id: number) => `user${id}@example.test`;

/** Uses up the attempts with an e-mail, each from another address. */
async function guessAt(email: string): Promise<void> {
  for (let tried = 0; tried < 3; tried += 1) await somewhere().signIn(email, 'wrong');
  const refused = await somewhere().signIn(email);
  expect(refused.status).toBe(429);
  expect(refused.text).toMatch(/Too many sign-in attempts\. Wait \d+ s\./);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000);
}

it('answers 429 to an address, whatever the e-mail', async () => {
  const visitor = somewhere();
  for (const name of ['nobody1', 'nobody2', 'nobody3']) {
    expect((await visitor.signIn(`${name}@example.test`, 'wrong')).status).toBe(401);
  }
  expect((await visitor.signIn('nobody4@example.test', 'wrong')).status).toBe(429);
});

it('answers 429 with an e-mail, in any letter case, whether or not somebody has it', async () => {
  await guessAt(emailOf(DORA));
  // Even the right password is not checked, since the answer would confirm a guess.
  expect((await somewhere().signIn(emailOf(DORA).toUpperCase())).status).toBe(429);
  await guessAt('nobody@example.test');
});

describe('a user whose e-mail others try', () => {
  it('signs in where the user did before, and nobody else does with that cookie', async () => {
    const own = somewhere();
    expect((await own.signIn(emailOf(ANN))).status).toBe(303);
    await own.get(SECURITY);
    await own.post('/account/sign-out');
    await guessAt(emailOf(ANN));
    const moved = somewhere();
    moved.setCookie('known', String(own.cookie('known')));
    expect((await moved.signIn(emailOf(ANN))).status).toBe(303);
    // This browser can guess no more often than others.
    await moved.get(SECURITY);
    await moved.post('/account/sign-out');
    expect((await moved.signIn(emailOf(ANN), 'wrong')).status).toBe(401);
    await guessAt(emailOf(BOB));
    const [id = '', mac = ''] = String(own.cookie('known')).split('.');
    const other = somewhere();
    for (const forged of [`${id}.${mac}`, `${id}x.${mac}`, id, '.', `.${mac}`, 'j:{"a":1}']) {
      other.setCookie('known', forged);
      expect((await other.signIn(emailOf(BOB))).status).toBe(429);
    }
    expect((await somewhere().signIn(emailOf(ANN))).status).toBe(429);
  });

  it('signs in after setting a password with a link', async () => {
    const { link } = await service.app.get(PasswordsService).invite(CARL);
    await guessAt(emailOf(CARL));
    const visitor = somewhere();
    await visitor.get(link.slice(PUBLIC_URL.length));
    const answer = await visitor.post(link.slice(PUBLIC_URL.length), { new_password: PASSWORD });
    expect(String(answer.headers['set-cookie'])).toMatch(
      /known=[\w-]{22}\.[\w-]{43}; Max-Age=7776000; Path=\/; Expires=[^;]*; HttpOnly; SameSite=Lax/,
    );
    expect((await visitor.signIn(emailOf(CARL))).status).toBe(303);
  });

  it('changes the password in an open session, and signs in while too many others do', async () => {
    const { link } = await service.app.get(PasswordsService).invite(DORA);
    const visitor = somewhere();
    await visitor.get(link.slice(PUBLIC_URL.length));
    await visitor.post(link.slice(PUBLIC_URL.length), { new_password: PASSWORD });
    await visitor.signIn(emailOf(DORA));
    await visitor.get(SECURITY);
    const changed = `${PASSWORD}, too`;
    const fields = { password: PASSWORD, new_password: changed };
    expect((await visitor.post(`${SECURITY}/password`, fields)).status).toBe(303);
    await visitor.get(SECURITY);
    await visitor.post('/account/sign-out');
    const statuses = new Set<number>();
    for (let tried = 0; !statuses.has(429) && tried < ALL_SIGN_INS; tried += 1) {
      statuses.add((await somewhere().signIn(`nobody${tried}@example.test`, 'wrong')).status);
    }
    expect([...statuses]).toEqual([401, 429]);
    const known = somewhere();
    known.setCookie('known', String(visitor.cookie('known')));
    expect((await known.signIn(emailOf(DORA), changed)).status).toBe(303);
  });
});
