/**
 * Sessions that are stored after the password has changed: by a request in progress, or on another
 * node.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { user } from '../../support/builders/ledger-records.js';
import type { RawRow } from '../../support/sql/raw-connection.js';
import { TestService } from '../../support/servers/service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';

const OLD_COLUMNS = ['session_hash', 'user_id', 'data', 'created', 'expires'];
const NEW_PASSWORD = `${PASSWORD}, again`;

let service: TestService;
let users: SignInService;
let ledger: TestLedger;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(1), user(2), user(3), user(4), user(5)]);
  users = service.app.get(SignInService);
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

function sessionsOf(user_id: number): Promise<RawRow[]> {
  return ledger.rows(`SELECT * FROM sessions WHERE user_id = ${user_id}`);
}

/** Writes rows as a request does that was still in progress and finishes last. */
async function writeLate(rows: readonly RawRow[], columns = Object.keys(rows[0] ?? {})) {
  for (const row of rows) {
    const values = columns.map((column) => `'${String(row[column])}'`);
    await ledger.run(`INSERT INTO sessions (${columns.join(', ')}) VALUES (${values.join(', ')})`);
  }
}

async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.get('/account/security')).status === 200;
}

async function signedIn(id: number): Promise<Visitor> {
  const visitor = new Visitor(service);
  expect((await visitor.signIn(`user${id}@example.test`)).status).toBe(303);
  return visitor;
}

describe('a session that is saved late', () => {
  it('is invalid if the operator set another password meanwhile', async () => {
    const visitor = await Visitor.signedIn(service, 1);
    const rows = await sessionsOf(1);
    await users.setPassword(1, NEW_PASSWORD);
    expect(await sessionsOf(1)).toEqual([]);
    await writeLate(rows);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  it('is invalid if the same password was set again', async () => {
    const visitor = await Visitor.signedIn(service, 1);
    const rows = await sessionsOf(1);
    await users.setPassword(1, PASSWORD);
    await writeLate(rows);
    expect(await isSignedIn(visitor)).toBe(false);
  });

  it('is invalid if the user changed the password and stays signed in', async () => {
    const thief = await Visitor.signedIn(service, 2);
    const owner = await signedIn(2);
    const rows = await sessionsOf(2);
    expect(rows).toHaveLength(2);
    await owner.get('/account/security');
    const fields = { password: PASSWORD, new_password: NEW_PASSWORD };
    const page = await owner.follow(await owner.post('/account/security/password', fields));
    expect(page.text).toContain('Your password was changed.');
    await writeLate(rows);
    expect([await isSignedIn(thief), await isSignedIn(owner)]).toEqual([false, true]);
  });

  it('is invalid after signing out everywhere; the password still works', async () => {
    const [thief, owner] = [await Visitor.signedIn(service, 3), await signedIn(3)];
    const rows = await sessionsOf(3);
    await owner.get('/account/security');
    await owner.post('/account/security/sign-out-everywhere');
    expect(await sessionsOf(3)).toEqual([]);
    await writeLate(rows);
    expect([await isSignedIn(thief), await isSignedIn(owner)]).toEqual([false, false]);
    expect(await isSignedIn(await signedIn(3))).toBe(true);
  });

  it('is not created by a sign-in that began before the change', async () => {
    for (const [round, next] of [NEW_PASSWORD, PASSWORD].entries()) {
      const before = round === 0 ? PASSWORD : NEW_PASSWORD;
      await users.setPassword(4, before);
      const visitors = Array.from({ length: 4 }, () => new Visitor(service));
      const signIns = visitors.map((visitor) => visitor.signIn('user4@example.test', before));
      await Promise.all([...signIns, users.setPassword(4, next)]);
      for (const visitor of visitors) expect(await isSignedIn(visitor)).toBe(false);
    }
  });
});

describe('an upgrade', () => {
  it('ends no session, neither one from before nor one of an instance of the version before', async () => {
    const [one, two] = [await Visitor.signedIn(service, 5), await signedIn(5)];
    const rows = await sessionsOf(5);
    await ledger.run("UPDATE user_passwords SET password_id = '' WHERE user_id = 5");
    await ledger.run('DELETE FROM sessions WHERE user_id = 5');
    expect(await isSignedIn(one)).toBe(false);
    await writeLate(rows, OLD_COLUMNS);
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([true, true]);
    await users.setPassword(5, NEW_PASSWORD);
    await writeLate(rows, OLD_COLUMNS);
    expect([await isSignedIn(one), await isSignedIn(two)]).toEqual([false, false]);
  });
});
