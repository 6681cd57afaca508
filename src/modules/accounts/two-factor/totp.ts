import { generateSecret, generateURI, verifySync } from 'otplib';
import { plainCode } from '../../../platform/values/typed-digits.js';
import type { ProposedSecret } from './two-factor.model.js';

/**
 * All authenticator apps support these parameters (RFC 6238): SHA-1, six digits, a new code every
 * 30 seconds.
 */
const STEP_SECONDS = 30;
const CODE = /^\d{6}$/;
/** Maximum length of a typed code with separators. */
const LONGEST = 40;
const ISSUER = 'Vendor Reporting API';

/** Returns a new secret with 160 random bits. */
export function newTotpSecret(): string {
  return generateSecret();
}

/** @param email name of the account in the app */
export function proposalOf(secret: string, email: string): ProposedSecret {
  return { secret, link: generateURI({ issuer: ISSUER, label: email, secret }) };
}

/** Returns false for text that cannot be a code. */
export function isTotpCode(typed: string): boolean {
  return typed.length <= LONGEST && CODE.test(plainCode(typed));
}

/**
 * Returns the time step of a code. The codes of the steps before and after are accepted, too,
 * because clocks differ and people take time to type.
 * @param nowMs milliseconds since 1970
 * @returns null if the code is wrong
 */
export function stepOf(typed: string, secret: string, nowMs: number): number | null {
  if (!isTotpCode(typed)) return null;
  const epoch = Math.floor(nowMs / 1_000);
  const result = verifySync({
    secret,
    token: plainCode(typed),
    epoch,
    epochTolerance: STEP_SECONDS,
  });
  return result.valid && 'timeStep' in result ? result.timeStep : null;
}
