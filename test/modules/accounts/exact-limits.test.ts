/** Each limit allows as many requests as it states, and again at the very end of its window. */
import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import { afterPassword, CODE, turnOn } from '../../support/browser/two-factor.js';
import { Visitor } from '../../support/browser/visitor.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { basic, type Answer } from '../../support/http/http.js';
import { TestService } from '../../support/servers/service.js';

const SECOND = 1_000;
const USERS = [1, 2, 3, 4, 5, 6, 7];
const NOTIFY = '/ledger/v1/upstreams/1/notify';

let service: TestService;
let addresses = 0;
const keys = new Map<number, string>();
/**
 * A browser in which the password of user 7 was entered. Each of its requests comes from another
 * address.
 */
const waiting = { visitor: undefined as Visitor | undefined, headers: elsewhere() };

beforeAll(async () => {
  service = await TestService.start({
    TRUST_PROXY: '1',
    THROTTLE_WAIT: '0',
    THROTTLE_AT_ONCE: 'off',
    THROTTLE_LIMITS: '3/1m',
    THROTTLE_USER_LIMITS: '5/1m',
    THROTTLE_ADDRESS_LIMITS: '9/1m',
    THROTTLE_FAILED_KEYS: '4/1m',
    THROTTLE_SIGN_INS: '3/1m',
    THROTTLE_CODES: '2/1m',
    THROTTLE_ALL_SIGN_INS: 'off',
  });
  await service.import(USERS.map((id) => user(id)));
  for (const id of USERS) keys.set(id, await service.key(id));
  keys.set(0, await service.key(2));
  const visitor = await Visitor.signedIn(service, 7);
  await turnOn(visitor);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => service.stop());

/** Returns an address that no other request uses. */
function elsewhere(): Record<string, string> {
  addresses += 1;
  return { 'X-Forwarded-For': `10.${addresses >> 8}.${addresses & 255}.1` };
}

const withKey = (id: number, headers = elsewhere()) =>
  service.get('/v3.0', keys.get(id) ?? '', headers);

/** Sends a wrong password. */
async function signIn(email: string, headers = elsewhere()): Promise<Answer> {
  const visitor = new Visitor(service, headers);
  await visitor.get('/account/sign-in', elsewhere());
  return visitor.post('/account/sign-in', { email, password: 'wrong', next: '' });
}

async function giveCode(): Promise<Answer> {
  waiting.visitor ??= await afterPassword(service, 'user7@example.test');
  return waiting.visitor.post(CODE, { code: '000000' });
}

const notify = (path: string, headers: Record<string, string>) =>
  service.send({ method: 'POST', path, headers, body: '{}' });

const [HERE, THERE, DESK] = [elsewhere(), elsewhere(), elsewhere()];

it.each<[string, number, number, (index: number) => Promise<Answer>]>([
  ['an application', 3, 60, () => withKey(1)],
  ['a user', 5, 60, (index) => withKey(index < 3 ? 2 : 0)],
  ['an address', 9, 60, (index) => withKey(3 + (index % 3), HERE)],
  [
    'wrong keys',
    4,
    60,
    () => service.send({ path: '/v3.0', headers: { ...basic('no key'), ...THERE } }),
  ],
  ['sign-ins with an e-mail', 3, 60, () => signIn('nobody@example.test')],
  ['sign-ins at an address', 3, 60, (index) => signIn(`nobody${index}@example.test`, DESK)],
  ['codes of a user', 2, 60, () => giveCode()],
  ['calls of a path without a key', 50, 1, () => notify(`${NOTIFY}/token`, elsewhere())],
])('the limit of %s is %i, anew after %i s', async (_, requests, seconds, ask) => {
  const begun = Math.ceil(performance.now());
  const clock = jest.spyOn(performance, 'now').mockReturnValue(begun);
  const first = await ask(0);
  const others: number[] = [first.status];
  for (let index = 1; index < requests; index += 1) others.push((await ask(index)).status);
  expect(others).toEqual(others.map(() => first.status));
  expect(first.status).not.toBe(429);
  const length = seconds * SECOND;
  const told: unknown[] = [];
  for (const passed of [0, 1, length - SECOND, length - 1]) {
    clock.mockReturnValue(begun + passed);
    const { status, headers } = await ask(requests);
    told.push([status, headers['retry-after']]);
  }
  const all = String(seconds);
  expect(told).toEqual([
    [429, all],
    [429, all],
    [429, '1'],
    [429, '1'],
  ]);
  clock.mockReturnValue(begun + length);
  expect((await ask(0)).status).toBe(first.status);
});

it('a key that worked before is looked up again though wrong ones took all look-ups of its address', async () => {
  const beside = await service.beside({
    THROTTLE_FAILED_KEYS: '4/1m',
    THROTTLE_WAIT: '0',
  });
  const wrong: string[] = [];
  while (wrong.length < 15) wrong.push(await beside.key(2));
  const ledger = TestLedger.on(service.database);
  await ledger.run("UPDATE api_applications SET state = 'revoked' WHERE user_id = 2");
  await ledger.close();
  const statusOf = async (key: string) => (await beside.get('/v3.0', key)).status;
  const begun = Math.ceil(performance.now());
  const clock = jest.spyOn(performance, 'now').mockReturnValue(begun);
  const [good, unused] = [keys.get(6) ?? '', keys.get(5) ?? ''];
  expect(await statusOf(good)).toBe(200);
  for (const key of wrong.slice(0, 4)) expect(await statusOf(key)).toBe(401);
  // By then the cached look-ups have expired, and another second has a count of its own.
  clock.mockReturnValue(begun + 2 * SECOND);
  for (const key of wrong.slice(4)) expect(await statusOf(key)).toBe(429);
  expect([await statusOf(good), await statusOf(unused)]).toEqual([200, 429]);
  await beside.stop();
});
