// Provides the folder for everything that a test run writes. It is deleted when the run ends,
// whether it succeeds or not.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder in memory, so that databases do not wait for a disk. */
const IN_MEMORY = '/dev/shm';
/** This is enough for a run, and leaves the same space for other programs. */
const NEEDED_BYTES = 4 * 2 ** 30;

/** Creates a folder for the temporary files of `use` and of every process, and deletes it afterwards. */
export async function withRunFolder(use) {
  const folder = mkdtempSync(join(hasMemory() ? IN_MEMORY : tmpdir(), 'vendor-reporting-run-'));
  // A database server can run as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hasMemory() {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
