import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../common/errors/is-error.js';
import type { SettingSource } from '../read-value.js';
import { SettingError } from '../setting-error.js';

const VARIABLE = 'KEY_ENCRYPTION_SECRET';
const EXAMPLE = '"$(openssl rand -base64 32)"';
const DEVELOPMENT_FILE = 'data/key-encryption-secret';
/** Characters. */
export const SHORTEST_SECRET = 32;

/**
 * The secret that API keys are encrypted under.
 * @returns null where it is not given and need not be, see developmentSecret
 */
export function readKeyEncryptionSecret(
  source: SettingSource,
  isProduction: boolean,
): string | null {
  const value = source.valueOf(VARIABLE);
  if (value === undefined) return isProduction ? wrong(source, 'is required in production') : null;
  return value.length < SHORTEST_SECRET
    ? wrong(source, `must have at least ${SHORTEST_SECRET} characters`)
    : value;
}

/**
 * Outside production the secret is made once and kept in a file that only its owner can read, so that
 * a developer's keys survive a restart.
 * @throws SettingError where the file holds none, as after a disk was full
 */
export function developmentSecret(): string {
  if (!existsSync(DEVELOPMENT_FILE)) makeSecret();
  const secret = readFileSync(DEVELOPMENT_FILE, 'utf8').trim();
  if (secret.length >= SHORTEST_SECRET) return secret;
  throw new SettingError(
    VARIABLE,
    `the file ${DEVELOPMENT_FILE} holds fewer than ${SHORTEST_SECRET} characters. Put the secret back, ` +
      'or remove the file for a new one, under which older keys can not be shown again. ' +
      'The secret may be given as a setting, too',
    EXAMPLE,
  );
}

/** Written aside first, so that nobody reads half of it; of two processes at once, one makes it. */
function makeSecret(): void {
  mkdirSync(dirname(DEVELOPMENT_FILE), { recursive: true });
  const written = `${DEVELOPMENT_FILE}.${process.pid}`;
  try {
    writeFileSync(written, randomBytes(32).toString('base64'), { mode: 0o600 });
    linkSync(written, DEVELOPMENT_FILE);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(written, { force: true });
  }
}

function wrong(source: SettingSource, problem: string): null {
  return source.wrong({ variable: VARIABLE, problem, example: EXAMPLE }, null);
}
