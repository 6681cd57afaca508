import { hashSync } from '@node-rs/argon2';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { PasswordHashes } from '../../../src/modules/accounts/passwords/password-hashes.js';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { dialect } from '../../support/sql/test-database.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';

const [ANN, SUSPENDED, TWIN, OTHER_TWIN, WITHOUT_PASSWORD, IDA] = [1, 2, 3, 4, 5, 6];
const HOME = '/account/reports';
const SIGN_IN = '/account/sign-in';

/** Returns SQL for a time that is the given number of minutes before the value of a column. */
function earlier(column: string, minutes: number): string {
  return dialect === 'sqlite'
    ? `datetime(${column}, '-${minutes * 60} seconds')`
    : `${column} - INTERVAL ${minutes * 60} SECOND`;
}

let service: TestService;
let users: SignInService;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    user(ANN, { email: 'Ann@Example.test' }),
    user(SUSPENDED, { status: 'suspended' }),
    user(TWIN, { email: 'twins@example.test' }),
    user(OTHER_TWIN, { email: 'twins@example.test' }),
    user(WITHOUT_PASSWORD),
    user(IDA, { email: 'Ida@Bücher.example' }),
  ]);
  users = service.app.get(SignInService);
  for (const id of [ANN, SUSPENDED, TWIN, IDA]) await users.setPassword(id, PASSWORD);
  await users.setPassword(OTHER_TWIN, `${PASSWORD}, too`);
});
afterAll(() => service.stop());

describe('signing in', () => {
  it.each(['Ann@Example.test', 'ann@example.test', ' ANN@EXAMPLE.TEST '])(
    'accepts the e-mail %p in any letter case',
    async (email) => {
      const visitor = new Visitor(service);
      const answer = await visitor.signIn(email);
      expect(answer).toMatchObject({ status: 303, headers: { location: HOME } });
      expect((await visitor.get('/account/applications')).status).toBe(200);
    },
  );

  it.each(['ida@bücher.example', 'IDA@XN--BCHER-KVA.EXAMPLE', 'ida@bu\u0308cher.example'])(
    'accepts the e-mail %p of an international domain, and shows the readable form',
    async (email) => {
      const wrong = await new Visitor(service).signIn(email, 'wrong');
      expect(wrong.text.normalize('NFC')).toMatch(/ value="ida@bücher\.example"/i);
      const visitor = new Visitor(service);
      expect((await visitor.signIn(email)).status).toBe(303);
      expect((await visitor.get('/account/security')).text).toContain('as Ida@bücher.example.');
    },
  );

  it('compares passwords whatever composes their accents, also with hashes from before', async () => {
    const [composed, decomposed] = [
      'l\u00e9gende d\u2019\u00e9t\u00e9',
      'le\u0301gende d\u2019e\u0301te\u0301',
    ];
    const signsIn = async (password: string) =>
      (await new Visitor(service).signIn('ida@bücher.example', password)).status;
    const look = TestLedger.on(service.database);
    await users.setPassword(IDA, decomposed);
    expect([await signsIn(composed), await signsIn(decomposed)]).toEqual([303, 303]);
    for (const before of [composed, decomposed]) {
      const hash = hashSync(before);
      await look.run(`UPDATE user_passwords SET password_hash = '${hash}' WHERE user_id = ${IDA}`);
      expect([await signsIn(composed), await signsIn(decomposed)]).toEqual([303, 303]);
      expect(await signsIn('legende d\u2019ete')).toBe(401);
    }
    await look.close();
    await users.setPassword(IDA, PASSWORD);
  });

  it('does not distinguish an unknown e-mail from a wrong password', async () => {
    const told = new Set<string>();
    for (const email of ['ann@example.test', 'nobody@example.test', 'user5@example.test', '']) {
      const answer = await new Visitor(service).signIn(email, 'wrong');
      expect(answer.status).toBe(401);
      expect(answer.headers).not.toHaveProperty('www-authenticate');
      told.add(/<p class="notice problem"[^>]*>(.*?)<\/p>/.exec(answer.text)?.[1] ?? '');
    }
    expect([...told]).toEqual(['Wrong e-mail or password.']);
  });

  it('refuses a user who is suspended, once the password is right', async () => {
    const visitor = new Visitor(service);
    expect((await visitor.signIn('user2@example.test', 'wrong')).status).toBe(401);
    const answer = await visitor.signIn('user2@example.test');
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('This account is suspended.');
    expect((await visitor.get('/account/security')).status).toBe(303);
  });

  it('distinguishes two users with the same e-mail by their passwords', async () => {
    for (const [password, name] of [
      [PASSWORD, `User ${TWIN}`],
      [`${PASSWORD}, too`, `User ${OTHER_TWIN}`],
    ] as const) {
      const visitor = new Visitor(service);
      await visitor.signIn('twins@example.test', password);
      expect((await visitor.get('/account/security')).text).toContain(`>${name}<`);
    }
  });

  it('takes as many hashes for a shared e-mail, one of a single user, and an unknown one', async () => {
    const beside = await service.beside();
    try {
      const hashes = beside.app.get(PasswordHashes);
      const [made, compared] = [jest.spyOn(hashes, 'hashOf'), jest.spyOn(hashes, 'isPassword')];
      const counts = new Map<string, number>();
      for (const email of ['nobody', 'ann', 'user2', 'twins', 'user5']) {
        const before = made.mock.calls.length + compared.mock.calls.length;
        expect((await new Visitor(beside).signIn(`${email}@example.test`, 'wrong')).status).toBe(
          401,
        );
        counts.set(email, made.mock.calls.length + compared.mock.calls.length - before);
      }
      expect(new Set(counts.values())).toEqual(new Set([2]));
    } finally {
      await beside.app.close();
    }
  });

  it('finds a user by the current e-mail in the ledger', async () => {
    await service.import([user(WITHOUT_PASSWORD, { email: 'moved@example.test' })]);
    await users.setPassword(WITHOUT_PASSWORD, PASSWORD);
    expect((await new Visitor(service).signIn('user5@example.test')).status).toBe(401);
    expect((await new Visitor(service).signIn('moved@example.test')).status).toBe(303);
  });

  it('redirects to the requested page, and to no other site', async () => {
    const visitor = new Visitor(service);
    const asked = await visitor.get('/account/applications?x=1');
    expect(asked.headers.location).toBe('/account/sign-in?next=%2Faccount%2Fapplications%3Fx%3D1');
    const long = await visitor.get(`/account/applications?x=${'1'.repeat(1_000)}`);
    expect(long.headers.location).toBe('/account/sign-in');
    const page = await visitor.follow(asked);
    expect(page.text).toContain('name="next" value="/account/applications?x=1"');
    const goes = async (next: string) =>
      (await new Visitor(service).signIn('ann@example.test', PASSWORD, next)).headers.location;
    expect(await goes('/account/applications?x=1')).toBe('/account/applications?x=1');
    for (const next of [
      'https://evil.example/',
      '//evil.example',
      '/account\\evil',
      '/accounts',
      '/docs',
      '/account/../docs\\',
      'javascript:alert(1)',
      '\\\\evil.example',
      '',
    ]) {
      expect(await goes(next)).toBe(HOME);
    }
  });
});

describe('the session', () => {
  it('has a cookie that no script and no other site can use', async () => {
    const visitor = new Visitor(service);
    const { headers } = await visitor.signIn('ann@example.test');
    const cookie = headers['set-cookie']?.find((line) => line.startsWith('session='));
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('gets a new id at sign-in, so that a planted one is useless', async () => {
    const visitor = new Visitor(service);
    visitor.setCookie('session', 's%3Aplanted.by-somebody');
    await visitor.signIn('ann@example.test');
    expect(visitor.cookie('session')).not.toContain('planted');
    const before = visitor.cookie('session');
    await visitor.get('/account/security');
    const fields = { email: 'ann@example.test', password: PASSWORD };
    expect((await visitor.post(SIGN_IN, fields)).status).toBe(303);
    expect(visitor.cookie('session')).not.toBe(before);
    const thief = new Visitor(service);
    thief.setCookie('session', String(before));
    expect((await thief.get('/account/applications')).status).toBe(303);
  });

  it('is stored as a hash, and the password as argon2id', async () => {
    const visitor = await Visitor.signedIn(service, TWIN).catch(async () => {
      const twin = new Visitor(service);
      await twin.signIn('twins@example.test');
      return twin;
    });
    const id =
      decodeURIComponent(String(visitor.cookie('session')))
        .slice(2)
        .split('.')[0] ?? '';
    expect(id.length).toBeGreaterThan(20);
    const look = TestLedger.on(service.database);
    const everything = await look.everything();
    await look.close();
    expect(everything).not.toContain(id);
    expect(everything).not.toContain(PASSWORD);
    expect(everything).toContain('$argon2id$v=19$m=19456,');
  });

  it('ends at sign-out, and continues in other browsers until signed out everywhere', async () => {
    const [one, two, three] = [new Visitor(service), new Visitor(service), new Visitor(service)];
    for (const visitor of [one, two, three]) await visitor.signIn('ann@example.test');
    const signedIn = async (visitor: Visitor) =>
      (await visitor.get('/account/security')).status === 200;
    await one.get('/account/security');
    await one.post('/account/sign-out');
    expect([await signedIn(one), await signedIn(two), await signedIn(three)]).toEqual([
      false,
      true,
      true,
    ]);
    expect((await two.post('/account/security/sign-out-everywhere')).headers.location).toMatch(
      SIGN_IN,
    );
    expect([await signedIn(two), await signedIn(three)]).toEqual([false, false]);
  });

  it('ends if the user is suspended, or the operator sets another password', async () => {
    await service.import([user(20), user(21)]);
    const [suspended, reset] = [
      await Visitor.signedIn(service, 20),
      await Visitor.signedIn(service, 21),
    ];
    await service.import([user(20, { status: 'suspended' })]);
    expect((await suspended.get('/account/security')).status).toBe(303);
    await users.setPassword(21, `${PASSWORD} again`);
    expect((await reset.get('/account/security')).status).toBe(303);
  });

  it('is valid on another instance, and ends there too', async () => {
    const visitor = new Visitor(service);
    await visitor.signIn('ann@example.test');
    const beside = await service.beside();
    try {
      const there = new Visitor(beside);
      there.setCookie('session', String(visitor.cookie('session')));
      expect((await there.get('/account/security')).status).toBe(200);
      await there.post('/account/sign-out');
      expect((await visitor.get('/account/security')).status).toBe(303);
    } finally {
      await beside.app.close();
    }
  });

  it('is extended by two hours with each use, and ends without use', async () => {
    const look = TestLedger.on(service.database);
    await service.import([user(40)]);
    const used = await Visitor.signedIn(service, 40);
    const idle = new Visitor(service);
    await idle.signIn('user40@example.test');
    const moveOn = (minutes: number) =>
      look.run(`UPDATE sessions SET expires = ${earlier('expires', minutes)} WHERE user_id = 40`);
    const statusOf = async (visitor: Visitor) => (await visitor.get('/account/security')).status;
    // Moving the ends of both sessions closer has the effect of passing time.
    for (const minutes of [70, 49.5]) {
      await moveOn(minutes);
      expect(await statusOf(used)).toBe(200);
    }
    await moveOn(0.5);
    expect(await statusOf(used)).toBe(200);
    expect(await statusOf(idle)).toBe(303);
    // A session's end is written at most once a minute, so it is exact to one minute.
    await moveOn(119.5);
    expect(await statusOf(used)).toBe(303);
    await look.close();
  });

  it('ends by itself after two idle hours, and after a day in any case', async () => {
    const look = TestLedger.on(service.database);
    const end = async (change: string) => {
      const visitor = new Visitor(service);
      await visitor.signIn('ann@example.test');
      await look.run(`UPDATE sessions SET ${change} WHERE user_id = ${ANN}`);
      return (await visitor.get('/account/security')).status;
    };
    const hoursAgo = (hours: number) =>
      new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    expect(await end(`created = '${hoursAgo(23)}'`)).toBe(200);
    expect(await end(`created = '${hoursAgo(25)}'`)).toBe(303);
    expect(await end(`expires = '${hoursAgo(0)}'`)).toBe(303);
    await look.close();
  });
});
