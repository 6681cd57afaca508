/** Limits that stop guessing of two-factor codes. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { CODE, codeOf, turnOn, type SetUp } from '../../support/browser/two-factor.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { user } from '../../support/builders/ledger-records.js';
import type { Answer } from '../../support/http/http.js';
import { TestService } from '../../support/servers/service.js';

const ANN = 1;
const GUESSES = 1_000;
/** A busy machine has a connection to the database for each of them in time. */
const AT_ONCE = 20;
/** The default limits for codes, without those for sign-ins and pages. */
const LIMITS = { THROTTLE_CODES: '5/1m,20/1h,50/1d', TRUST_PROXY: '1' };

let service: TestService;
let setUp: SetUp;
beforeAll(async () => {
  service = await TestService.start(LIMITS);
  await service.import([user(ANN)]);
});
afterAll(() => service.stop());

/**
 * Returns a function that guesses codes in the browser of a person who knows the password. Each
 * guess comes from another address.
 */
async function guesser(): Promise<(code: string) => Promise<Answer>> {
  const visitor = new Visitor(service);
  await visitor.signIn('user1@example.test');
  await visitor.get(CODE);
  const cookies = ['session', 'forms'].map((name) => `${name}=${String(visitor.cookie(name))}`);
  let guessed = 0;
  return (code) => {
    guessed += 1;
    return service.send({
      method: 'POST',
      path: CODE,
      headers: {
        Cookie: cookies.join('; '),
        Accept: 'text/html',
        'X-Forwarded-For': `203.${guessed >> 8}.${guessed & 255}.7`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ csrf_token: visitor.token, code }).toString(),
    });
  };
}

describe('THROTTLE_CODES', () => {
  it('refuses 1,000 guesses from as many addresses, until the password is new', async () => {
    setUp = await turnOn(await Visitor.signedIn(service, ANN));
    // Setup uses one of the five codes, but counts towards the previous password.
    const guess = await guesser();
    const guesses = Array.from({ length: GUESSES }, (_, at) => String(at).padStart(6, '7'));
    const right = codeOf(setUp.secret);
    const wrong = guesses.filter((code) => code !== right);
    const answers: Answer[] = [];
    while (wrong.length > 0) {
      answers.push(...(await Promise.all(wrong.splice(0, AT_ONCE).map(guess))));
    }
    const looked = answers.filter(({ status }) => status === 401);
    expect(looked).toHaveLength(5);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.text).toMatch(/Too many codes were tried\. Wait \d+ s\./);
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0);
    // No browser can use the right code any more, nor a recovery code.
    expect((await guess(right)).status).toBe(429);
    const next = await guesser();
    expect((await next(right)).status).toBe(429);
    // The person who caused the lock does not know the new password.
    await service.app.get(SignInService).setPassword(ANN, PASSWORD);
    const owner = await guesser();
    expect((await owner(codeOf(setUp.secret))).status).toBe(303);
  });

  it('counts nothing without the password, so nobody else can lock the account', async () => {
    const stranger = new Visitor(service);
    await stranger.get('/account/sign-in');
    for (let tried = 0; tried < 60; tried += 1) {
      expect((await stranger.post(CODE, { code: '000000' })).status).toBe(401);
    }
    const owner = await guesser();
    expect((await owner('000000')).status).toBe(401);
  });
});

describe('THROTTLE_SIGN_INS', () => {
  it('limits the codes of an address, over all accounts', async () => {
    const limited = await service.beside({
      ...LIMITS,
      THROTTLE_CODES: 'off',
      THROTTLE_SIGN_INS: '4/1h',
    });
    try {
      const visitor = new Visitor(limited, { 'X-Forwarded-For': '198.51.100.7' });
      await visitor.signIn('user1@example.test');
      await visitor.get(CODE);
      const statuses = [];
      for (let tried = 0; tried < 6; tried += 1) {
        statuses.push((await visitor.post(CODE, { code: '000000' })).status);
      }
      expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
    } finally {
      await limited.app.close();
    }
  });
});
