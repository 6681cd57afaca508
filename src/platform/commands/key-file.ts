import { DomainError } from '../errors/domain-error.js';
import { readFileSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { isError } from '../errors/is-error.js';
import { withoutFinalLineBreak } from '../../config/read-value.js';
import { MIN_SECRET_LENGTH } from '../../config/settings/key-encryption-secret.js';
import { printError } from './output.js';

const OF_OTHERS = 0o077;

/** A key or a secret cannot be read. */
export class KeyFileError extends DomainError {}

/**
 * Reads a key. It is never an argument, because the process list and the shell history would show
 * it.
 * @param file a path, or - for standard input
 * @throws KeyFileError if it cannot be read, or is empty
 */
export async function readKeyFile(file: string): Promise<string> {
  const key = (await contentOf(file, true)).trim();
  if (key === '') throw new KeyFileError(`${file === '-' ? 'standard input' : file} is empty`);
  return key;
}

/**
 * Reads a secret, which is never an argument for the same reason.
 * @param file a path, or - for standard input
 * @throws KeyFileError if it cannot be read, or is shorter than any secret
 */
export async function readSecretFile(file: string): Promise<string> {
  const secret = withoutFinalLineBreak(await contentOf(file, false));
  if (secret.length >= MIN_SECRET_LENGTH) return secret;
  throw new KeyFileError(`The previous secret must have at least ${MIN_SECRET_LENGTH} characters.`);
}

async function contentOf(file: string, warns: boolean): Promise<string> {
  try {
    if (file === '-') return await text(process.stdin);
    if (warns && (statSync(file).mode & OF_OTHERS) !== 0) {
      printError(`Warning: others can read ${file}. Run chmod 600 on it.`);
    }
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new KeyFileError(`${file}: cannot be read: ${isError(error) ? error.message : ''}`);
  }
}
