import { expect } from '@jest/globals';
import { dateTimeOf } from '../../../src/platform/values/time.js';
import {
  afterPassword,
  CODE,
  codeOf,
  recoveryCodesIn,
  SET_UP,
  turnOn,
} from '../browser/two-factor.js';
import { PASSWORD, Visitor } from '../browser/visitor.js';
import type { RecordedService } from '../servers/recorded-service.js';
import { TEST_SECRET } from '../servers/service.js';

const SECURITY = '/account/security';

const ANOTHER_SECRET = 'another secret of the tests, as long as it must be';
/**
 * Number of networks from which the user signed in. It exceeds the number that the service stores.
 */
const NETWORKS = 55;
const HOUR_MS = 3_600_000;

/**
 * Uses two-factor sign-in from its setup until it is turned off, sessions, and notices of sign-ins.
 */
export async function useTwoFactor(
  recorded: RecordedService,
  visitor: Visitor,
  user_id: number,
): Promise<void> {
  const email = `user${user_id}@example.test`;
  const send = (request: Parameters<RecordedService['send']>[1]) =>
    recorded.send('sign-in', request);
  const { secret } = await turnOn(visitor);
  await signedInFromElsewhere(recorded, user_id);
  const other = await afterPassword({ send }, email);
  expect((await other.post(CODE, { code: codeOf(secret) })).status).toBe(303);
  // The next page extends the session.
  const soon = dateTimeOf(new Date(Date.now() + HOUR_MS));
  await recorded.ledger.run(`UPDATE sessions SET expires = '${soon}' WHERE user_id = ${user_id}`);
  const { text } = await visitor.get(SECURITY);
  const until = /name="until" value="([^"]*)"/.exec(text)?.[1] ?? '';
  const session = /name="session" value="([^"]*)"/.exec(text)?.[1] ?? '';
  await visitor.post(`${SECURITY}/notices/dismiss`, { until });
  await visitor.post(`${SECURITY}/sessions/end`, { session });
  await visitor.post(`${SECURITY}/sessions/end-others`);
  await rewrapThereAndBack(recorded);
  await visitor.get(SET_UP);
  const told = { password: PASSWORD, code: codeOf(secret, 1) };
  const page = await visitor.post(`${SET_UP}/recovery-codes`, told);
  const fields = { off_password: PASSWORD, off_code: String(recoveryCodesIn(page)[0]) };
  expect((await visitor.post(`${SET_UP}/off`, fields)).status).toBe(303);
}

/** Stores sign-ins as if all had come from other networks. */
async function signedInFromElsewhere({ ledger }: RecordedService, user_id: number): Promise<void> {
  await ledger.run(`DELETE FROM sign_in_networks WHERE user_id = ${user_id} AND network <> ''`);
  const at = dateTimeOf(new Date());
  const rows = Array.from(
    { length: NETWORKS },
    (_, index) => `(${user_id}, '10.0.${index}.0/24', '${at}', 'none', '${at}', '', '')`,
  );
  await ledger.run(`INSERT INTO sign_in_networks
    (user_id, network, last_sign_in, notice, noticed, address, device) VALUES ${rows.join(', ')}`);
}

async function rewrapThereAndBack(recorded: RecordedService): Promise<void> {
  for (const [from, to] of [
    [TEST_SECRET, ANOTHER_SECRET],
    [ANOTHER_SECRET, TEST_SECRET],
  ] as const) {
    const settings = { KEY_ENCRYPTION_SECRET: to };
    expect((await recorded.command(['keys', 'rewrap', '-'], from, settings)).status).toBe(0);
  }
}

/** Runs the operator's commands for two-factor sign-in. */
export async function manageTwoFactor(recorded: RecordedService, user_id: number): Promise<void> {
  const visitor = new Visitor({ send: (request) => recorded.send('sign-in', request) });
  await visitor.signIn(`user${user_id}@example.test`);
  await turnOn(visitor);
  const id = String(user_id);
  for (const args of [
    ['require-two-factor', id],
    ['require-two-factor', id, '--off'],
    ['reset-two-factor', id],
  ]) {
    const { status, stderr } = await recorded.command(['users', ...args]);
    expect([args, status, stderr]).toEqual([args, 0, '']);
  }
}
