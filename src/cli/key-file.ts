import { readFileSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { isError } from '../common/errors/is-error.js';
import { printError } from './output.js';

const OF_OTHERS = 0o077;

/** Error whose message names the file. */
export class KeyFileError extends Error {}

/**
 * Reads a key. It is never an argument, because the process list and the shell history would show
 * it.
 * @param file a path, or - for standard input
 * @throws KeyFileError if it cannot be read, or is empty
 */
export async function readKeyFile(file: string): Promise<string> {
  const key = (await contentOf(file)).trim();
  if (key === '') throw new KeyFileError(`${file === '-' ? 'standard input' : file} is empty`);
  return key;
}

async function contentOf(file: string): Promise<string> {
  try {
    if (file === '-') return await text(process.stdin);
    if ((statSync(file).mode & OF_OTHERS) !== 0) {
      printError(`Warning: others can read ${file}. Run chmod 600 on it.`);
    }
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new KeyFileError(`${file}: cannot be read: ${isError(error) ? error.message : ''}`);
  }
}
