import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian keeps servers where the PATH of a user does not lead. */
const BESIDE_THE_PATH = ['/usr/sbin', '/usr/local/sbin'];

/**
 * @param {readonly string[]} names of one program, the best first
 * @returns {string | null} where the first of them is that there is
 */
export function findProgram(names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...BESIDE_THE_PATH];
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}
