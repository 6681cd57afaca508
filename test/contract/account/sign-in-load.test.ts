/** Many sign-ins at once: each takes a core for a while, and none may take it from the others. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { basic, type Answer } from '../../support/http/http.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';

const LIST = '/v3.0/transactions?start_date=2025-06-01&end_date=2025-06-01';
const SIGN_IN = '/account/sign-in';
const SIGN_INS = 60;

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

/** Tries to sign in, each time from another address and with another e-mail. */
async function signInsAt(at: TestService): Promise<(email?: string) => Promise<Answer>> {
  const visitor = new Visitor(at);
  await visitor.get(SIGN_IN);
  const Cookie = `forms=${String(visitor.cookie('forms'))}`;
  let tried = 0;
  return (email) => {
    tried += 1;
    const fields = { csrf_token: visitor.token, email: email ?? `nobody${tried}@example.test` };
    return at.send({
      ...{ method: 'POST', path: SIGN_IN },
      headers: {
        ...{ Cookie, 'X-Forwarded-For': `203.0.${tried >> 8}.${tried & 255}` },
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
    // By then, all are there.
    await Promise.race(all);
    const before = answered;
    const page = await service.send({
      path: LIST,
      headers: { ...basic(key), 'Accept-Encoding': 'gzip' },
    });
    expect(page).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip' } });
    expect(answered - before).toBeLessThan(SIGN_INS / 4);
    // Some may be refused on a slow machine, where they waited for too long.
    for (const status of await Promise.all(all)) expect([401, 429]).toContain(status);
  });
});

describe('THROTTLE_ALL_SIGN_INS', () => {
  it('limits all addresses and e-mails together, including password changes', async () => {
    const limited = await service.beside({ THROTTLE_ALL_SIGN_INS: '3/1h', TRUST_PROXY: '1' });
    try {
      const visitor = new Visitor(limited);
      expect((await visitor.signIn('user1@example.test')).status).toBe(303);
      const change = () => visitor.post('/account/security/password', { password: 'wrong' });
      await visitor.get('/account/security');
      expect((await change()).status).toBe(400);
      const signIn = await signInsAt(limited);
      expect((await signIn()).status).toBe(401);
      const refused = [await signIn(), await signIn('user1@example.test'), await change()];
      for (const answer of refused) {
        expect(answer.status).toBe(429);
        expect(answer.text).toMatch(/Too many people are signing in\. Wait \d+ s\./);
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(3_000);
      }
      // Who is signed in is not touched.
      expect((await visitor.get('/account/security')).status).toBe(200);
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
