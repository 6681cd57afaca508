import { closeSync, openSync } from 'node:fs';
import { access, constants, mkdir } from 'node:fs/promises';

/** Mode of a file that only its owner can read and write. */
export const OWNER_ONLY = 0o600;

/**
 * Creates a file that only its owner can read, if there is none. SQLite gives the files that it
 * puts beside it the same permissions. The program that uses the file reports all problems.
 */
export function createForOwner(path: string): void {
  try {
    closeSync(openSync(path, 'ax', OWNER_ONLY));
  } catch {
    // The file exists, or cannot be created.
  }
}

/**
 * Creates a folder if it does not exist.
 * @throws Error with the code of the operating system if this user cannot write in it
 */
export async function ensureWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await access(folder, constants.W_OK | constants.X_OK);
}
