/**
 * Many sign-ins at once: each needs a core for a while, and other requests must still be served.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordsService } from '../../../src/modules/accounts/passwords/passwords.service.js';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { basic, type Answer } from '../../support/http/http.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';

const LIST = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01';
const SIGN_IN = '/account/sign-in';
const SIGN_INS = 60;
/** This is more than the number of sign-ins that may wait for a hash at a time. */
const FLOOD = 150;
const PUBLIC_URL = 'https://reports.example.test';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await TestService.start({ TRUST_PROXY: '1', PAGE_CACHE_MB: '0' });
  const sales = Array.from({ length: 20 }, (_, index) => transaction(`T${index}`, 10));
  await service.import([user(1), user(2), product(10, 1), ...sales]);
  await service.app.get(SignInService).setPassword(1, PASSWORD);
  key = await service.key(1);
});
afterAll(() => service.stop());

/**
 * Returns a function that tries to sign in, each time from another address and with another e-mail.
 */
async function signInsAt(
  at: TestService,
  addressOf = (tried: number) => `203.0.${tried >> 8}.${tried & 255}`,
): Promise<(email?: string) => Promise<Answer>> {
  const visitor = new Visitor(at);
  await visitor.get(SIGN_IN);
  const Cookie = `forms=${String(visitor.cookie('forms'))}`;
  let tried = 0;
  return (email) => {
    tried += 1;
    const fields = { csrf_token: visitor.token, email: email ?? `nobody${tried}@example.test` };
    return at.send({
      method: 'POST',
      path: SIGN_IN,
      headers: {
        Cookie,
        'X-Forwarded-For': addressOf(tried),
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ ...fields, password: PASSWORD }).toString(),
    });
  };
}

describe('many sign-ins at once', () => {
  it('do not delay compressed answers until they are done', async () => {
    const signIn = await signInsAt(service);
    let answered = 0;
    const all = Array.from({ length: SIGN_INS }, async () => {
      const { status } = await signIn();
      answered += 1;
      return status;
    });
    // The first answer shows that all requests have arrived.
    await Promise.race(all);
    const before = answered;
    const page = await service.send({
      path: LIST,
      headers: { ...basic(key), 'Accept-Encoding': 'gzip' },
    });
    expect(page).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } });
    expect(answered - before).toBeLessThan(SIGN_INS / 4);
    // On a slow machine, some sign-ins wait too long and are rejected.
    for (const status of await Promise.all(all)) expect([401, 429]).toContain(status);
  });
});

describe('a flood of sign-ins from many IPv6 networks', () => {
  it('keeps nobody who is signed in or has a link waiting, from the same networks neither', async () => {
    const settings = { THROTTLE_ALL_SIGN_INS: 'off', TRUST_PROXY: '1', PUBLIC_URL };
    const flooded = await service.beside({ ...settings, THROTTLE_SIGN_INS: '4/1h' });
    try {
      const own = { 'X-Forwarded-For': '2001:db8:0:1::1' };
      const ann = new Visitor(flooded, own);
      await ann.signIn('user1@example.test');
      await ann.get('/account/security');
      const { link } = await flooded.app.get(PasswordsService).invite(2);
      const signIn = await signInsAt(flooded, (tried) => `2001:db8:0:${tried.toString(16)}::1`);
      const flood = Array.from({ length: FLOOD }, async () => (await signIn()).status);
      // The first answer shows that all requests have arrived.
      await Promise.race(flood);
      const invited = new Visitor(flooded, { 'X-Forwarded-For': '2001:db8:0:2::1' });
      await invited.get(link.slice(PUBLIC_URL.length));
      const [set, changed] = await Promise.all([
        invited.post(link.slice(PUBLIC_URL.length), { new_password: PASSWORD }),
        ann.post('/account/security/password', { password: PASSWORD, new_password: PASSWORD }),
      ]);
      expect([set.status, changed.status]).toEqual([303, 303]);
      // A sign-in without a place in the queue, or with too long a wait, is rejected with 429.
      for (const status of await Promise.all(flood)) expect([401, 429]).toContain(status);
    } finally {
      await flooded.app.close();
    }
  });
});

describe('THROTTLE_ALL_SIGN_INS', () => {
  it('limits all addresses and e-mails together, but nobody who is signed in or has a link', async () => {
    const limited = await service.beside({
      THROTTLE_ALL_SIGN_INS: '3/1h',
      TRUST_PROXY: '1',
      PUBLIC_URL,
    });
    try {
      const visitor = new Visitor(limited);
      expect((await visitor.signIn('user1@example.test')).status).toBe(303);
      const signIn = await signInsAt(limited);
      expect([(await signIn()).status, (await signIn()).status]).toEqual([401, 401]);
      const refused = [await signIn(), await signIn('user1@example.test')];
      for (const answer of refused) {
        expect(answer.status).toBe(429);
        expect(answer.text).toMatch(/Too many people are signing in\. Wait \d+ s\./);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_000);
      }
      await visitor.get('/account/security');
      const fields = { password: PASSWORD, new_password: PASSWORD };
      expect((await visitor.post('/account/security/password', fields)).status).toBe(303);
      const { link } = await limited.app.get(PasswordsService).invite(2);
      const invited = new Visitor(limited, { 'X-Forwarded-For': '2001:db8::1' });
      await invited.get(link.slice(PUBLIC_URL.length));
      const set = await invited.post(link.slice(PUBLIC_URL.length), { new_password: PASSWORD });
      expect(set.status).toBe(303);
    } finally {
      await limited.app.close();
    }
  });

  it('is not used up by an address that is over its own limit', async () => {
    const limits = { THROTTLE_ALL_SIGN_INS: '3/1h', THROTTLE_SIGN_INS: '2/1h', TRUST_PROXY: '1' };
    const limited = await service.beside(limits);
    try {
      for (const [index, name] of ['one', 'two', 'three', 'four'].entries()) {
        const { status } = await new Visitor(limited).signIn(`${name}@example.test`);
        expect(status).toBe(index < 2 ? 401 : 429);
      }
      const signIn = await signInsAt(limited);
      expect([(await signIn()).status, (await signIn()).status]).toEqual([401, 429]);
    } finally {
      await limited.app.close();
    }
  });
});
