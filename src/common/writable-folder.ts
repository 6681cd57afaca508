import { access, constants, mkdir } from 'node:fs/promises';

/**
 * Creates a folder if it does not exist.
 * @throws Error with the code of the operating system if this user cannot write in it
 */
export async function ensureWritable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await access(folder, constants.W_OK | constants.X_OK);
}
