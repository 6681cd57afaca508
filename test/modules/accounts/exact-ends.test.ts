/** Sessions, links, codes and keys work until their last second, and no longer. */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { keyOf, make } from '../../support/browser/application-pages.js';
import {
  afterPassword,
  CODE,
  codeOf,
  forgetSteps,
  turnOn,
} from '../../support/browser/two-factor.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { product, recurringPayment, user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { SlowPut } from '../../support/http/slow-put.js';
import { RECORDS } from '../../support/http/records.js';
import { releaseClock, setClock, storedTime } from '../../support/processes/set-clock.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const DAY = 24 * HOUR;
/** The first second of a step of two-factor sign-in. */
const NOW = Date.parse('2031-05-04T03:02:00Z');
const SECURITY = '/account/security';
const [ANN, BOB, CARL, DORA, EVE, FAYE, GINA] = [1, 2, 3, 4, 5, 6, 7];

let service: TestService;
let ledger: TestLedger;
beforeAll(async () => {
  service = await TestService.start({ TRUST_PROXY: '1', PUBLIC_URL: 'https://reports.test' });
  ledger = TestLedger.on(service.database);
  await service.import([ANN, BOB, CARL, DORA, EVE, FAYE, GINA].map((id) => user(id)));
});
afterEach(() => {
  releaseClock();
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

const isSignedIn = async (visitor: Visitor) => (await visitor.get(SECURITY)).status === 200;
const emailOf = (user_id: number) => `user${user_id}@example.test`;

async function count(from: string): Promise<number> {
  const [row] = await ledger.rows(`SELECT COUNT(*) AS found FROM ${from}`);
  return Number(row?.found);
}

describe('a session ends', () => {
  it('2 hours after its last use, and is deleted with the next sign-in of anybody', async () => {
    setClock(NOW);
    const ann = await Visitor.signedIn(service, ANN);
    for (const used of [2 * HOUR - SECOND, 4 * HOUR - 2 * SECOND]) {
      setClock(NOW + used);
      expect(await isSignedIn(ann)).toBe(true);
    }
    setClock(NOW + 6 * HOUR - 2 * SECOND);
    expect(await count(`sessions WHERE user_id = ${ANN}`)).toBe(1);
    expect(await isSignedIn(ann)).toBe(false);
    await Visitor.signedIn(service, BOB);
    expect(await count(`sessions WHERE user_id = ${ANN}`)).toBe(0);
  });

  it('a day after it began, however often it is used', async () => {
    setClock(NOW);
    const ann = await Visitor.signedIn(service, ANN);
    for (let used = HOUR; used < DAY; used += HOUR) {
      setClock(NOW + used);
      expect(await isSignedIn(ann)).toBe(true);
    }
    setClock(NOW + DAY - SECOND);
    expect(await isSignedIn(ann)).toBe(true);
    const beside = new Visitor(service);
    await beside.signIn(emailOf(ANN));
    const others = async () => (await beside.get(SECURITY)).text.match(/name="session"/g)?.length;
    expect(await others()).toBe(1);
    setClock(NOW + DAY);
    expect(await isSignedIn(ann)).toBe(false);
    expect(await others()).toBeUndefined();
  });
});

describe('a password that was given', () => {
  it('is asked for again after 10 minutes', async () => {
    setClock(NOW);
    const carl = await Visitor.signedIn(service, CARL);
    const path = await make(carl, { name: 'Shown' });
    setClock(NOW + 10 * MINUTE - SECOND);
    expect(await keyOf(carl, path)).toMatch(/^vra_/);
    setClock(NOW + 10 * MINUTE);
    expect((await carl.post(`${path}/key`)).text).toContain('<h1>Enter your password</h1>');
    expect((await carl.post(`${path}/key`, { password: PASSWORD })).text).toContain('vra_');
    setClock(NOW + 20 * MINUTE - SECOND);
    expect(await keyOf(carl, path)).toMatch(/^vra_/);
    setClock(NOW + 20 * MINUTE);
    expect(await keyOf(carl, path)).toBe('no key');
  });

  it('is good for a code within 5 minutes', async () => {
    setClock(NOW);
    const { secret } = await turnOn(await Visitor.signedIn(service, DORA));
    const [early, late] = [
      await afterPassword(service, emailOf(DORA)),
      await afterPassword(service, emailOf(DORA)),
    ];
    setClock(NOW + 5 * MINUTE - SECOND);
    const page = await early.get(CODE);
    expect(page.text).toContain('<h1>Enter your code</h1>');
    expect((await early.post(CODE, { code: codeOf(secret) })).status).toBe(303);
    await forgetSteps(ledger);
    setClock(NOW + 5 * MINUTE);
    expect((await late.get(CODE)).headers.location).toBe('/account/sign-in');
    expect((await late.post(CODE, { code: codeOf(secret) })).status).toBe(401);
  });
});

describe('a code of two-factor sign-in', () => {
  it('is that of this step, the one before or the one after, at each end of a step', async () => {
    setClock(NOW - 5 * MINUTE);
    const { secret } = await turnOn(await Visitor.signedIn(service, EVE));
    for (const at of [NOW, NOW + 29 * SECOND]) {
      setClock(at);
      const taken: number[] = [];
      for (const steps of [-2, -1, 0, 1, 2]) {
        await forgetSteps(ledger);
        const visitor = await afterPassword(service, emailOf(EVE));
        const { status } = await visitor.post(CODE, { code: codeOf(secret, steps) });
        if (status === 303) taken.push(steps);
      }
      expect(taken).toEqual([-1, 0, 1]);
    }
  });
});

describe('a link that sets a password', () => {
  const token = 'T'.repeat(43);
  const path = `/account/password/${token}`;

  it('works for as long as it says', async () => {
    setClock(NOW);
    const token_hash = createHash('sha256').update(token).digest('hex');
    const [now, end] = [storedTime(NOW), storedTime(NOW + DAY)];
    await ledger.run(`INSERT INTO password_links
      (user_id, token_hash, kind, sign_in_email, created, expires)
      VALUES (${FAYE}, '${token_hash}', 'invitation', '${emailOf(FAYE)}', '${now}', '${end}')`);
    setClock(NOW + DAY - SECOND);
    const faye = new Visitor(service);
    expect((await faye.get(path)).status).toBe(200);
    expect((await faye.post(path, { new_password: 'short' })).status).toBe(400);
    setClock(NOW + DAY);
    expect((await faye.get(path)).status).toBe(404);
    await faye.get('/account/sign-in');
    expect((await faye.post(path, { new_password: PASSWORD })).status).toBe(404);
    expect(await count(`user_passwords WHERE user_id = ${FAYE}`)).toBe(0);
  });

  it('works for 24 hours', async () => {
    const begun = Date.now();
    const env = { PUBLIC_URL: 'https://reports.test' };
    expect((await ledger.cli(['users', 'invite', String(GINA)], { env })).status).toBe(0);
    const [row] = await ledger.rows(`SELECT * FROM password_links WHERE user_id = ${GINA}`);
    const [created, expires] = [row?.created, row?.expires].map((at) =>
      Date.parse(`${String(at)}Z`),
    );
    expect(Number(expires) - Number(created)).toBe(DAY);
    expect(Math.abs(Number(created) - begun)).toBeLessThan(HOUR);
  });
});

describe('a network of sign-ins', () => {
  it('is remembered for 90 days', async () => {
    setClock(NOW);
    await Visitor.signedIn(service, GINA);
    const known = () => count(`sign_in_networks WHERE user_id = ${GINA} AND network <> ''`);
    setClock(NOW + 90 * DAY);
    await Visitor.signedIn(service, BOB);
    expect(await known()).toBe(1);
    setClock(NOW + 90 * DAY + SECOND);
    await Visitor.signedIn(service, BOB);
    expect(await known()).toBe(0);
  });
});

describe('a key ends', () => {
  const end = storedTime(NOW);
  const statusOf = async (key: string) => (await service.get('/v3.0', key)).status;

  it.each([
    ['with its application', 'api_applications', 'api_keys'],
    ['after a rotation', 'api_keys', 'api_applications'],
  ])('%s, whichever ends first, whether or not it was used just before', async (_, first, last) => {
    setClock(NOW - SECOND);
    const [used, unused] = [await service.key(BOB), await service.key(BOB)];
    await ledger.run(`UPDATE ${first} SET expires = '${end}'`);
    await ledger.run(`UPDATE ${last} SET expires = '${storedTime(NOW + DAY)}'`);
    expect(await statusOf(used)).toBe(200);
    setClock(NOW);
    expect([await statusOf(used), await statusOf(unused)]).toEqual([401, 401]);
    for (const table of [first, last]) await ledger.run(`UPDATE ${table} SET expires = NULL`);
  });

  it('for a request whose body still arrives, and so it does when its user is suspended', async () => {
    setClock(NOW - SECOND);
    const key = await service.sourceKey(ANN);
    await ledger.run(`UPDATE api_applications SET expires = '${end}' WHERE user_id = ${ANN}`);
    const record = { type: 'product', id: 10, vendor_id: ANN, name: 'Late' };
    const send = () => SlowPut.begin(service.port, RECORDS, key, [record], 'POST');
    const inTime = await send();
    expect((await inTime.finish()).status).toBe(200);
    const late = await send();
    setClock(NOW);
    expect((await late.finish()).status).toBe(401);
    setClock(NOW - SECOND);
    const suspended = await send();
    await ledger.run(`UPDATE users SET status = 'suspended' WHERE id = ${ANN}`);
    expect((await suspended.finish()).status).toBe(401);
  });

  it('as its page says: an hour after a rotation that lets it work for an hour', async () => {
    setClock(NOW);
    const bob = await Visitor.signedIn(service, BOB);
    const path = await make(bob, { name: 'Rotated' });
    const [old, other] = [await keyOf(bob, path), await make(bob, { name: 'Other' })];
    await bob.get(path);
    expect((await bob.post(`${path}/rotate`, { overlap: '1h' })).status).toBe(303);
    const current = await keyOf(bob, path);
    const tells = async (of: string) =>
      (await bob.get(of)).text.includes('The old key still works');
    setClock(NOW + HOUR - SECOND);
    expect([await tells(path), await tells(other)]).toEqual([true, false]);
    expect([await statusOf(old), await statusOf(current)]).toEqual([200, 200]);
    setClock(NOW + HOUR);
    expect(await tells(path)).toBe(false);
    expect([await statusOf(old), await statusOf(current)]).toEqual([401, 200]);
  });
});

it('a cancel is sent again at the second of its next try, or of the end of another claim', async () => {
  const [due, later, leased] = ['CANCEL-DUE', 'CANCEL-LATER', 'CANCEL-CLAIMED'];
  await service.import([
    product(20, BOB),
    ...[due, later, leased].map((pre_key, at) => recurringPayment(pre_key, 20, { id: 1 + at })),
  ]);
  setClock(NOW);
  const [now, next] = [storedTime(NOW), storedTime(NOW + SECOND)];
  const row = (pre_key: string, ends: string, next_try: string | null) =>
    `('${pre_key}', 'another', '${ends}', 'key', ${BOB}, 1, '${now}', 1, ${next_try === null ? 'NULL' : `'${next_try}'`})`;
  await ledger.run(`INSERT INTO recurring_cancels
    (pre_key, claim, ends, idempotency_key, user_id, application_id, asked, tries, next_try)
    VALUES ${[row(due, now, now), row(later, now, next), row(leased, next, null)].join(', ')}`);
  const active = async () =>
    (await ledger.rows("SELECT pre_key FROM recurring_payments WHERE status = 'ACTIVE'"))
      .map(({ pre_key }) => pre_key)
      .sort();
  await until('the first', async () => !(await active()).includes(due));
  expect(await active()).toEqual([leased, later]);
  setClock(NOW + SECOND);
  await until('the others', async () => (await active()).length === 0);
  expect(await ledger.rows('SELECT pre_key FROM recurring_cancels')).toEqual([]);
});
