import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../platform/errors/is-error.js';
import { OWNER_ONLY } from '../../platform/files/owner-only-file.js';
import { withoutFinalLineBreak, type SettingSource, SettingError } from '../read-value.js';

const VARIABLE = 'KEY_ENCRYPTION_SECRET';
const EXAMPLE = '"$(openssl rand -base64 32)"';
const DEVELOPMENT_FILE = 'data/key-encryption-secret';
/** In characters. */
export const MIN_SECRET_LENGTH = 32;

/**
 * Reads the secret that encrypts API keys.
 * @returns null if it is unset outside production; see developmentSecret
 */
export function readKeyEncryptionSecret(source: SettingSource): string | null {
  const value = source.valueOf(VARIABLE);
  if (value === undefined) {
    return source.isProduction ? wrong(source, 'is required in production') : null;
  }
  return value.length < MIN_SECRET_LENGTH
    ? wrong(source, `must have at least ${MIN_SECRET_LENGTH} characters`)
    : value;
}

/**
 * Returns the secret for use outside production. It is generated once and kept in a file that only
 * its owner can read, so that keys survive a restart.
 * @throws SettingError if the file is incomplete, for example because the disk was full, or cannot
 * be written
 */
export function developmentSecret(): string {
  const secret = keptSecret();
  if (secret.length >= MIN_SECRET_LENGTH) return secret;
  throw new SettingError(
    VARIABLE,
    `the file ${DEVELOPMENT_FILE} has fewer than ${MIN_SECRET_LENGTH} characters. Restore it, set the ` +
      'secret as a setting, or remove the file to generate a new one; existing keys then still work, ' +
      'but cannot be shown',
    EXAMPLE,
  );
}

/** Returns the secret in the file, which is created if it does not exist. */
function keptSecret(): string {
  try {
    if (!existsSync(DEVELOPMENT_FILE)) makeSecret();
    return withoutFinalLineBreak(readFileSync(DEVELOPMENT_FILE, 'utf8'));
  } catch (error) {
    throw new SettingError(
      VARIABLE,
      `the file ${DEVELOPMENT_FILE} cannot be read or written by this user ` +
        `(${codeOf(error) ?? 'unknown reason'}). Start in a folder of this user, or set the secret as a setting`,
      EXAMPLE,
    );
  }
}

/** Links a complete file into place, so that concurrent processes share one secret. */
function makeSecret(): void {
  mkdirSync(dirname(DEVELOPMENT_FILE), { recursive: true });
  const written = `${DEVELOPMENT_FILE}.${process.pid}`;
  try {
    writeFileSync(written, randomBytes(32).toString('base64'), { mode: OWNER_ONLY });
    linkSync(written, DEVELOPMENT_FILE);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(written, { force: true });
  }
}

function wrong(source: SettingSource, problem: string): null {
  return source.invalid(VARIABLE, problem, EXAMPLE, null);
}
