// Where all that a test run writes goes: it is gone when the run ends, however it ends.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder in memory: databases need not wait for a disk. */
const IN_MEMORY = '/dev/shm';
/** For a run, and as much again for whoever else needs memory. */
const NEEDED_BYTES = 4 * 2 ** 30;

/** Makes a folder, gives it to `use` and to every process as the place for temporary files, and removes it. */
export async function withRunFolder(use) {
  const folder = mkdtempSync(join(hasMemory() ? IN_MEMORY : tmpdir(), 'vendor-reporting-run-'));
  // A database server may run as another user.
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
