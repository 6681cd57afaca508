// Runs the tests that find a mistake soonest: the unit tests, the import rules and, on SQLite, the
// contract tests for the changes since the branch left main. Usage: `npm run test:quick`
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { contractTestsFor } from './test-areas.mjs';
import { runNode } from './test-processes.mjs';

const BOUNDARIES = ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', 'src'];

const changed = changedFiles();
const files = contractTestsFor(changed).filter((file) => existsSync(file));
console.log(`Changed: ${changed.length} files. Contract tests: ${files.join(' ')}`);
const began = performance.now();
const [tests, boundaries] = await Promise.all([
  runNode(['scripts/test.mjs', '--selectProjects', 'unit', 'sqlite', '--', '.unit.test', ...files]),
  runNode(BOUNDARIES, {}, true),
]);
if (!boundaries.passed) console.error(boundaries.output);
console.log(`${Math.round((performance.now() - began) / 1_000)} s. The rest: npm test`);
process.exit(tests.passed && boundaries.passed ? 0 : 1);

/**
 * Returns the files changed since the branch left the main of its origin. On main itself, it
 * compares with the commit before the last.
 */
function changedFiles() {
  const head = git('rev-parse', 'HEAD');
  const base = commit('merge-base', 'HEAD', 'origin/main') ?? head;
  const from = base === head ? (commit('rev-parse', '--verify', 'HEAD~1') ?? head) : base;
  const paths = [
    git('diff', '--name-only', from),
    git('ls-files', '--others', '--exclude-standard'),
  ];
  return [...new Set(paths.join('\n').split('\n').filter(Boolean))];
}

function commit(...args) {
  try {
    return git(...args);
  } catch {
    return null;
  }
}

function git(...args) {
  return execFileSync('git', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
