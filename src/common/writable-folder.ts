import { access, constants, mkdir } from 'node:fs/promises';

/**
 * Makes a folder if it is not there.
 * @throws Error with the code of the system if this user cannot write in it
 */
export async function ensureWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await access(folder, constants.W_OK | constants.X_OK);
}
