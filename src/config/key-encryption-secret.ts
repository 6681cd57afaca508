import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../common/is-error.js';
import type { SettingSource } from './read-value.js';

const DEVELOPMENT_FILE = 'data/key-encryption-secret';
const SHORTEST = 32;

/**
 * The secret that API keys are encrypted under.
 * @returns null where it is not given and need not be, see developmentSecret
 */
export function readKeyEncryptionSecret(
  source: SettingSource,
  isProduction: boolean,
): string | null {
  const value = source.valueOf('KEY_ENCRYPTION_SECRET');
  if (value === undefined) return isProduction ? wrong(source, 'is required in production') : null;
  return value.length < SHORTEST
    ? wrong(source, `must have at least ${SHORTEST} characters`)
    : value;
}

/**
 * Outside production the secret is made once and kept in a file that only its owner can read, so that
 * a developer's keys survive a restart.
 */
export function developmentSecret(): string {
  try {
    mkdirSync(dirname(DEVELOPMENT_FILE), { recursive: true });
    // "wx" fails where the file is there already: of two processes that start at once, one makes it.
    writeFileSync(DEVELOPMENT_FILE, randomBytes(32).toString('base64'), {
      mode: 0o600,
      flag: 'wx',
    });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return readFileSync(DEVELOPMENT_FILE, 'utf8').trim();
}

function wrong(source: SettingSource, problem: string): null {
  const example = '"$(openssl rand -base64 32)"';
  return source.wrong({ variable: 'KEY_ENCRYPTION_SECRET', problem, example }, null);
}
