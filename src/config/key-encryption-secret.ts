import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../common/is-error.js';
import { SettingError } from './setting-error.js';

const DEVELOPMENT_FILE = 'data/key-encryption-secret';
const SHORTEST = 32;

/**
 * The secret that API keys are encrypted under. Outside production it is made once and kept in a
 * file that only its owner can read, so that a developer's keys survive a restart.
 */
export function keyEncryptionSecretOf(value: string | undefined, production: boolean): string {
  if (value === undefined) {
    if (!production) return developmentSecret();
    throw wrong('is required in production');
  }
  if (value.length < SHORTEST) throw wrong(`must have at least ${SHORTEST} characters`);
  return value;
}

function developmentSecret(): string {
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

function wrong(problem: string): SettingError {
  return new SettingError('KEY_ENCRYPTION_SECRET', problem, '"$(openssl rand -base64 32)"');
}
