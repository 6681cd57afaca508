import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian installs servers in these folders, which are not on the PATH of ordinary users. */
const BESIDE_THE_PATH = ['/usr/sbin', '/usr/local/sbin'];

/**
 * @param {readonly string[]} names the names of one program, the preferred first
 * @returns {string | null} the path of the first that is installed
 */
export function findProgram(names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), ...BESIDE_THE_PATH];
  const paths = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return paths.find((path) => existsSync(path)) ?? null;
}
