import { expect } from '@jest/globals';
import { generateSync } from 'otplib';
import type { Answer } from '../http/http.js';
import type { TestLedger } from '../builders/test-ledger.js';
import type { TestService } from '../servers/service.js';
import { PASSWORD, Visitor } from './visitor.js';

export const CODE = '/account/sign-in/code';
export const SET_UP = '/account/security/two-factor';
const STEP_MS = 30_000;

export interface SetUp {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
}

/** Returns the code of the authenticator app, now or some steps later. */
export function codeOf(secret: string, steps = 0): string {
  return generateSync({ secret, epoch: Math.floor((Date.now() + steps * STEP_MS) / 1_000) });
}

/** Does the same work again if the time step changed meanwhile, so that codes became too old. */
export async function inOneStep<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 0; tries < 10; tries += 1) {
    const step = Math.floor(Date.now() / STEP_MS);
    const result = await work();
    if (Math.floor(Date.now() / STEP_MS) === step) return result;
  }
  throw new Error('The work takes longer than a time step.');
}

/** Enters the password, so that the secret is shown. */
export async function proposedTo(visitor: Visitor, password = PASSWORD): Promise<string> {
  await visitor.get(SET_UP);
  const page = await visitor.follow(await visitor.post(SET_UP, { password }));
  return secretIn(page);
}

export function secretIn({ text }: Answer): string {
  const groups = /<code class="secret">([A-Z2-7 ]+)<\/code>/.exec(text)?.[1] ?? '';
  return groups.replaceAll(' ', '');
}

export function recoveryCodesIn({ text }: Answer): string[] {
  return Array.from(text.matchAll(/<li><code>([^<]+)<\/code>/g), ([, code = '']) => code);
}

/**
 * Turns on two-factor sign-in with the code of the previous step, so that the current code stays
 * unused.
 */
export async function turnOn(visitor: Visitor, password = PASSWORD): Promise<SetUp> {
  const secret = await proposedTo(visitor, password);
  const confirm = () => visitor.post(`${SET_UP}/confirm`, { code: codeOf(secret, -1) });
  const first = await confirm();
  // A code is too old if the next step began while it was sent.
  const page = first.status === 200 ? first : await confirm();
  expect(page.status).toBe(200);
  return { secret, recoveryCodes: recoveryCodesIn(page) };
}

/** Makes used codes valid again, instead of waiting for new ones. */
export async function forgetSteps(ledger: Pick<TestLedger, 'run'>): Promise<void> {
  await ledger.run('UPDATE user_two_factor SET last_step = 0');
}

/** Returns a browser in which the password was entered, so that the code is requested. */
export async function afterPassword(
  service: Pick<TestService, 'send'>,
  email: string,
  next = '',
): Promise<Visitor> {
  const visitor = new Visitor(service);
  const answer = await visitor.signIn(email, PASSWORD, next);
  const location = next === '' ? '/account/reports' : next;
  expect(answer).toMatchObject({ status: 303, headers: { location } });
  const page = await visitor.follow(await visitor.follow(answer));
  expect(page.text).toContain('<h1>Enter your code</h1>');
  return visitor;
}

/** Returns true if a page for signed-in users opens. */
export function isSignedIn(visitor: Visitor): Promise<boolean> {
  return visitor.get('/account/security').then(({ status }) => status === 200);
}

/** Returns a recovery code without its dashes. */
export function plain(code: string): string {
  return code.replaceAll('-', '');
}
