import { createHash, randomBytes } from 'node:crypto';
import { plainCode } from '../../../common/typed-digits.js';
import { RECOVERY_CODES } from './two-factor.model.js';

/** Crockford's base32 in lower case: no letter looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 80 random bits. */
const LENGTH = 16;
const GROUPS = /.{4}(?!$)/g;
const MISTAKEN: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' };
/** As many as a code could have with a separator between all. */
const MAX_TYPED = 2 * LENGTH;

/** Such as `4k2m-9p7q-x3vd-r8ht`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length))
      .join('')
      .replace(GROUPS, '$&-'),
  );
}

/**
 * A code as it is stored. It is random, so a fast hash will do.
 * @returns null for text that cannot be a code
 */
export function hashOfRecoveryCode(user_id: number, typed: string): string | null {
  if (typed.length > MAX_TYPED) return null;
  const code = plainCode(typed)
    .toLowerCase()
    .replace(/[oil]/g, (letter) => MISTAKEN[letter] ?? letter);
  if (code.length !== LENGTH) return null;
  return createHash('sha256').update(`${user_id} ${code}`).digest('hex');
}
