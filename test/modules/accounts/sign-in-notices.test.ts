/** Notices about sign-ins from networks that are new for a user. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CODE, codeOf, forgetSteps, turnOn } from '../../support/browser/two-factor.js';
import { Visitor } from '../../support/browser/visitor.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TestService } from '../../support/servers/service.js';

const SECURITY = '/account/security';
const [HOME, NEAR_HOME, AWAY] = ['203.0.113.7', '203.0.113.200', '198.51.100.9'];
const CHROME = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';

let service: TestService;
let ledger: TestLedger;
let user_id = 0;
let email: string;
let atHome: Visitor;
beforeAll(async () => {
  service = await TestService.start({ TRUST_PROXY: '1' });
  await service.import(Array.from({ length: 20 }, (_, index) => user(index + 1)));
  ledger = TestLedger.on(service.database);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});
beforeEach(async () => {
  user_id += 1;
  email = `user${user_id}@example.test`;
  await Visitor.signedIn(service, user_id);
  await ledger.run(`DELETE FROM sign_in_networks WHERE user_id = ${user_id}`);
  atHome = await signedInFrom(HOME);
});

async function signedInFrom(address: string): Promise<Visitor> {
  const visitor = new Visitor(service, { 'X-Forwarded-For': address, 'User-Agent': CHROME });
  expect((await visitor.signIn(email)).status).toBe(303);
  return visitor;
}

/** Returns the addresses in the notices of a page. */
async function toldTo(visitor: Visitor, path = SECURITY): Promise<string[]> {
  const { text } = await visitor.get(path);
  return Array.from(text.matchAll(/New sign-in from <strong>([^<]*)</g), ([, told = '']) => told);
}

/** Submits the form on the page that dismisses the notices. */
async function dismiss(visitor: Visitor): Promise<void> {
  const { text } = await visitor.get('/account/applications');
  const fieldOf = (name: string) =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
  const fields = { until: fieldOf('until'), next: fieldOf('next') };
  const answer = await visitor.post(`${SECURITY}/notices/dismiss`, fields);
  expect([answer.status, answer.headers.location]).toEqual([303, '/account/applications']);
}

describe('a sign-in', () => {
  it('is no news the first time, and from the same network', async () => {
    const [near, again] = [await signedInFrom(NEAR_HOME), await signedInFrom(HOME)];
    for (const visitor of [atHome, near, again]) expect(await toldTo(visitor)).toEqual([]);
  });

  it('from a new network is told on all pages of all other sessions, until it is dismissed', async () => {
    const away = await signedInFrom(AWAY);
    expect(await toldTo(away)).toEqual([]);
    for (const path of [
      SECURITY,
      '/account/applications',
      '/account/reports',
      '/account/nowhere',
    ]) {
      expect(await toldTo(atHome, path)).toEqual([AWAY]);
    }
    const { text } = await atHome.get(SECURITY);
    expect(text).toMatch(/<time[^>]*>[^]*?<\/time>, with Chrome 140 on Windows\./);
    const next = await signedInFrom(HOME);
    expect(await toldTo(next)).toEqual([AWAY]);
    await dismiss(atHome);
    for (const visitor of [atHome, next, away, await signedInFrom(AWAY)]) {
      expect(await toldTo(visitor)).toEqual([]);
    }
  });

  it.each([
    ['2001:db8:1:2::7', '2001:db8:1:2:ffff::1', []],
    ['2001:db8:1:2::7', '2001:db8:1:3::7', ['2001:db8:1:3::7']],
    ['192.0.2.1', '192.0.3.1', ['192.0.3.1']],
    ['192.0.2.1', '::ffff:192.0.2.77', []],
  ])('from %s and then from %s: %p is told', async (first, second, told) => {
    const visitor = await signedInFrom(first);
    await dismiss(atHome);
    await signedInFrom(second);
    expect(await toldTo(visitor)).toEqual(told);
  });

  it('is not hidden by whoever signs in twice from there', async () => {
    await signedInFrom(AWAY);
    const intruder = await signedInFrom(AWAY);
    expect(await toldTo(intruder)).toEqual([AWAY]);
    await dismiss(intruder);
    expect(await toldTo(intruder)).toEqual([]);
    expect(await toldTo(await signedInFrom(AWAY))).toEqual([]);
    expect(await toldTo(atHome)).toEqual([AWAY]);
    await dismiss(atHome);
    expect(await toldTo(atHome)).toEqual([]);
  });

  it('counts once the code was given', async () => {
    const { secret } = await turnOn(atHome);
    const waiting = await signedInFrom(AWAY);
    expect(await toldTo(atHome)).toEqual([]);
    await waiting.get(CODE);
    await forgetSteps(ledger);
    expect((await waiting.post(CODE, { code: codeOf(secret) })).status).toBe(303);
    expect(await toldTo(atHome)).toEqual([AWAY]);
    expect(await toldTo(waiting)).toEqual([]);
  });
});

describe('a network', () => {
  const daysAgo = (days: number) =>
    new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
  const stored = () =>
    ledger.rows(
      `SELECT network FROM sign_in_networks WHERE user_id = ${user_id} AND network <> '' ORDER BY network`,
    );

  it('is forgotten after 90 days, and is news again, even if nothing else is known', async () => {
    await ledger.run(
      `UPDATE sign_in_networks SET last_sign_in = '${daysAgo(89)}' WHERE user_id = ${user_id} AND network <> ''`,
    );
    await signedInFrom(HOME);
    expect(await toldTo(atHome)).toEqual([]);
    await ledger.run(
      `UPDATE sign_in_networks SET last_sign_in = '${daysAgo(91)}' WHERE user_id = ${user_id} AND network <> ''`,
    );
    // A sign-in of any user deletes it.
    const self = user_id;
    user_id += 1;
    await Visitor.signedIn(service, user_id);
    user_id = self;
    expect(await stored()).toEqual([]);
    await signedInFrom(HOME);
    expect(await toldTo(atHome)).toEqual([HOME]);
  });

  it('is forgotten if there are 50 newer ones', async () => {
    const rows = Array.from({ length: 55 }, (_, index) => {
      const [network, address] = [`10.0.${index}.0/24`, `10.0.${index}.1`];
      return `(${user_id}, '${network}', '${daysAgo(60 - index)}', 'open', '${daysAgo(60 - index)}', '${address}', 'x')`;
    });
    await ledger.run(`INSERT INTO sign_in_networks
      (user_id, network, last_sign_in, notice, noticed, address, device) VALUES ${rows.join(', ')}`);
    await signedInFrom(AWAY);
    const networks = (await stored()).map(({ network }) => network);
    expect(networks).toHaveLength(50);
    expect(networks).toContain('198.51.100.0/24');
    expect(networks).not.toContain('10.0.0.0/24');
    // The page shows the newest five.
    expect(await toldTo(atHome)).toEqual([AWAY, ...[54, 53, 52, 51].map((at) => `10.0.${at}.1`)]);
  });
});
