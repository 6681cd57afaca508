import { createHash, randomBytes } from 'node:crypto';
import { plainCode } from '../../../platform/values/typed-digits.js';
import { RECOVERY_CODES } from './two-factor.model.js';

/** Crockford's base32 in lower case, in which no letter looks like a digit. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** 16 characters have 80 random bits. */
const LENGTH = 16;
const GROUPS = /.{4}(?!$)/g;
const MISTAKEN: Readonly<Record<string, string>> = { o: '0', i: '1', l: '1' };
/** Length of a code with a separator between any two characters. */
const MAX_TYPED = 2 * LENGTH;

/** Returns new codes, such as `4k2m-9p7q-x3vd-r8ht`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(LENGTH), (byte) => ALPHABET.charAt(byte % ALPHABET.length))
      .join('')
      .replace(GROUPS, '$&-'),
  );
}

/**
 * Returns the stored form of a code. A fast hash is enough, because codes are random.
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
