import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Where Debian installs servers; it is not on the PATH of ordinary users. */
const BESIDE_THE_PATH = ['/usr/sbin', '/usr/local/sbin'];

/**
 * @param {readonly string[]} names of one program, the best first
 * @returns {string | null} the path of the first that is installed
 */
export function findProgram(names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...BESIDE_THE_PATH];
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}
