import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordsService } from '../../../src/modules/accounts/passwords/passwords.service.js';
import type { Answer } from '../../support/http/http.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { user } from '../../support/builders/ledger-records.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { TestService } from '../../support/servers/service.js';

const PUBLIC_URL = 'https://reports.example.test';
const SIGN_IN = '/account/sign-in';
const [ANN, BOB, CARL, DORA, EVE, SUSPENDED, FAYE] = [1, 2, 3, 4, 5, 6, 7];
const NEW = 'a new password, quite long';

let service: TestService;
let ledger: TestLedger;
let links: PasswordsService;
beforeAll(async () => {
  service = await TestService.start({ PUBLIC_URL });
  const all = [ANN, BOB, CARL, DORA, EVE, FAYE].map((id) => user(id));
  await service.import([...all, user(SUSPENDED, { status: 'suspended' })]);
  links = service.app.get(PasswordsService);
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

/** @returns the path of a new link */
async function invited(user_id: number): Promise<string> {
  const { link } = await links.invite(user_id);
  expect(link).toMatch(/^https:\/\/reports\.example\.test\/account\/password\/[\w-]{43}$/);
  return link.slice(PUBLIC_URL.length);
}

async function set(path: string, new_password: string, visitor = new Visitor(service)) {
  // A link that has ended shows no form, so the browser first gets the token of another page.
  await visitor.get(SIGN_IN);
  await visitor.get(path);
  return visitor.post(path, { new_password });
}

const signsIn = async (user_id: number, password: string) =>
  (await new Visitor(service).signIn(`user${user_id}@example.test`, password)).status === 303;

function expectEnded(answer: Answer): void {
  expect(answer.status).toBe(404);
  expect(answer.text).toContain('<h1>This link does not work</h1>');
}

describe('the link of an invitation', () => {
  it('sets the password, once, and leads to the sign-in', async () => {
    const path = await invited(ANN);
    const visitor = new Visitor(service);
    const page = await visitor.get(path);
    expect(page).toMatchObject({ status: 200, headers: { 'referrer-policy': 'no-referrer' } });
    expect(page.text).toContain('value="user1@example.test"');
    const answer = await visitor.post(path, { new_password: NEW });
    expect(answer.headers.location).toBe(`${SIGN_IN}?done=password`);
    expect((await visitor.follow(answer)).text).toContain('Your password is set.');
    expect(await signsIn(ANN, NEW)).toBe(true);
    expectEnded(await visitor.get(path));
    expectEnded(await set(path, `${NEW} again`));
    expect(await signsIn(ANN, `${NEW} again`)).toBe(false);
  });

  it('is not used up by looking at it, nor by a password that is refused', async () => {
    const path = await invited(BOB);
    for (let looked = 0; looked < 3; looked += 1) {
      expect((await new Visitor(service).get(path)).status).toBe(200);
    }
    await service.send({ method: 'HEAD', path });
    const visitor = new Visitor(service);
    const answer = await set(path, 'short', visitor);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('The password must have 12 to 128 characters.');
    expect((await visitor.post(path, { new_password: NEW })).status).toBe(303);
    expect(await signsIn(BOB, NEW)).toBe(true);
  });

  it('works for one of two browsers that use it at the same time', async () => {
    const path = await invited(CARL);
    const beside = await service.beside({ PUBLIC_URL });
    try {
      const visitors = [service, beside, service, beside].map((at) => new Visitor(at));
      for (const visitor of visitors) await visitor.get(path);
      const passwords = visitors.map((_, index) => `${NEW} number ${index}`);
      const answers = await Promise.all(
        visitors.map((visitor, index) =>
          visitor.post(path, { new_password: passwords[index] ?? '' }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect([...statuses].sort()).toEqual([303, 404, 404, 404]);
      const set = passwords[statuses.indexOf(303)];
      for (const password of passwords) {
        expect([password, await signsIn(CARL, password)]).toEqual([password, password === set]);
      }
    } finally {
      await beside.app.close();
    }
  });

  it('ends with a later one, with a password that is set otherwise, and while its user is suspended', async () => {
    const first = await invited(DORA);
    const second = await invited(DORA);
    expectEnded(await new Visitor(service).get(first));
    expect((await new Visitor(service).get(second)).status).toBe(200);
    await service.import([user(DORA, { status: 'suspended' })]);
    expectEnded(await set(second, NEW));
    await service.import([user(DORA)]);
    await Visitor.signedIn(service, DORA);
    expectEnded(await set(second, NEW));
    expect(await signsIn(DORA, PASSWORD)).toBe(true);
  });

  it('ends after 24 hours', async () => {
    const path = await invited(EVE);
    const [{ expires }] = (await ledger.rows(
      `SELECT expires FROM password_links WHERE user_id = ${EVE}`,
    )) as [{ expires: string }];
    const hours = (Date.parse(`${expires.replace(' ', 'T')}Z`) - Date.now()) / 3_600_000;
    expect(Math.round(hours * 10) / 10).toBe(24);
    await ledger.run(`UPDATE password_links SET expires = created WHERE user_id = ${EVE}`);
    expectEnded(await set(path, NEW));
    expect(await signsIn(EVE, NEW)).toBe(false);
  });

  it('is the same page, byte for byte, if it is wrong, used, late, or no link at all', async () => {
    const path = await invited(EVE);
    const used = await invited(EVE);
    await set(used, NEW);
    const pages = new Set<string>();
    const never = `/account/password/${'A'.repeat(43)}`;
    for (const each of [path, used, never, '/account/password/x', '/account/password/%00']) {
      const answer = await new Visitor(service).get(each);
      expectEnded(answer);
      pages.add(answer.text);
    }
    expect(pages.size).toBe(1);
  });

  it('ends all sessions of the user, and that of the browser', async () => {
    const open = await Visitor.signedIn(service, BOB);
    const other = await Visitor.signedIn(service, ANN);
    await other.get('/account/security');
    await set(await invited(BOB), NEW, other);
    expect((await open.get('/account/security')).status).toBe(303);
    expect((await other.get('/account/security')).status).toBe(303);
  });

  it('needs the token of the form', async () => {
    const path = await invited(BOB);
    const visitor = new Visitor(service);
    await visitor.get(path);
    const forged = { csrf_token: 'forged', new_password: `${NEW} forged` };
    expect((await visitor.post(path, forged)).status).toBe(403);
    expect(await signsIn(BOB, `${NEW} forged`)).toBe(false);
  });

  it('says the same whatever host a request names', async () => {
    const answer = await service.send({
      path: await invited(BOB),
      headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' },
    });
    expect(answer.text).not.toContain('evil.example');
  });

  it('keeps the e-mail that it was made for', async () => {
    const path = await invited(FAYE);
    await service.import([user(FAYE, { email: 'somebody.else@example.test' })]);
    expect((await new Visitor(service).get(path)).text).toContain('value="user7@example.test"');
    await set(path, NEW);
    expect(await signsIn(FAYE, NEW)).toBe(true);
    const other = await new Visitor(service).signIn('somebody.else@example.test', NEW);
    expect(other.status).toBe(401);
  });

  it('is in no table: neither the token nor the password, also in the audit log', async () => {
    const path = await invited(FAYE);
    const token = path.split('/').at(-1) ?? '';
    const used = await invited(ANN);
    await set(used, NEW);
    const everything = await ledger.everything();
    for (const secret of [token, used.split('/').at(-1) ?? '', NEW]) {
      expect(everything).not.toContain(secret);
    }
    const entries = (await ledger.rows(
      `SELECT user_id, action, subject, state_after FROM audit_log WHERE subject = 'user ${ANN}' ORDER BY id DESC`,
    )) as { user_id: number; action: string; state_after: string }[];
    expect(entries.slice(0, 2)).toMatchObject([
      { user_id: ANN, action: 'password.set', state_after: '{"link":"invitation"}' },
      { user_id: 0, action: 'user.invite' },
    ]);
  });

  it('is not made for a user who is suspended', async () => {
    await expect(links.invite(SUSPENDED)).rejects.toThrow('User 6 is suspended.');
  });
});

describe('1,000 guesses of a link', () => {
  it('are refused after a few, and do not block the sign-in', async () => {
    const limited = await service.beside({ PUBLIC_URL, THROTTLE_SIGN_INS: '10/1h' });
    try {
      const counts = new Map<number, number>();
      const visitor = new Visitor(limited);
      await visitor.get(SIGN_IN);
      for (let guess = 0; guess < 1_000; guess += 1) {
        const path = `/account/password/${String(guess).padStart(43, 'A')}`;
        const { status } =
          guess % 2 === 0
            ? await visitor.get(path)
            : await visitor.post(path, { new_password: NEW });
        counts.set(status, (counts.get(status) ?? 0) + 1);
      }
      expect(Object.fromEntries(counts)).toEqual({ 404: 10, 429: 990 });
      expect((await new Visitor(limited).get(await invited(BOB))).status).toBe(429);
      expect((await new Visitor(limited).signIn('user1@example.test', NEW)).status).toBe(303);
    } finally {
      await limited.app.close();
    }
  });
});

describe('without SMTP_URL', () => {
  it('nobody can ask for a link, and the pages say whom to ask', async () => {
    const visitor = new Visitor(service);
    expect((await visitor.get('/account/forgot-password')).status).toBe(404);
    const page = await visitor.get(SIGN_IN);
    expect(page.text).toContain('Ask the operator of this service.');
    expect(page.text).not.toContain('forgot-password');
    const posted = await visitor.post('/account/forgot-password', { email: 'user1@example.test' });
    expect(posted.status).toBe(404);
  });
});
