// Creates a clean checkout in a separate folder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Calls `use` with the folder of a checkout: the last commit, with later changes to tracked files.
 * @param below name of the checkout in a folder of its own, so that others can lie beside it
 */
export async function withCheckout(name, use, below = '') {
  const root = mkdtempSync(join(tmpdir(), `vendor-reporting-${name}-`));
  const folder = join(root, below);
  try {
    const commit = git(['stash', 'create']) || git(['rev-parse', 'HEAD']);
    git(['clone', '--quiet', '--shared', '--no-checkout', '.', folder]);
    git(['-C', folder, 'checkout', '--quiet', '--detach', commit]);
    return await use(folder);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

export function git(args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trim();
}
