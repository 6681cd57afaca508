// Creates a clean checkout in a separate folder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Calls `use` with the folder of a checkout: the last commit, with later changes to tracked files.
 */
export async function withCheckout(name, use) {
  const folder = mkdtempSync(join(tmpdir(), `vendor-reporting-${name}-`));
  try {
    const commit = git(['stash', 'create']) || git(['rev-parse', 'HEAD']);
    git(['clone', '--quiet', '--shared', '--no-checkout', '.', folder]);
    git(['-C', folder, 'checkout', '--quiet', '--detach', commit]);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function git(args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
