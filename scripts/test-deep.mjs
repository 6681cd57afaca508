// Runs all tests with random cases at full depth. Usage: `npm run test:deep`, or with `--
// ARGUMENTS` of jest.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './test-processes.mjs';

/** A test imports one of these modules if its cases depend on a time budget or a random choice. */
const RANDOM = /support\/random\/(?:properties|seed)\.js'/;
/** These tests start clusters of their own; `npm test` and `npm run test:cluster` run them. */
const LEFT_OUT = /^(?:faults|cluster)\//;
/** A test at full depth takes minutes. */
const TIMEOUT_MS = 3_600_000;

const files = readdirSync('test', { recursive: true })
  .filter((file) => file.endsWith('.test.ts') && !LEFT_OUT.test(file))
  .map((file) => join('test', file))
  .filter((file) => RANDOM.test(readFileSync(file, 'utf8')));
console.log(`${files.length} files with random tests, at full depth`);
const options = ['--selectProjects', 'unit', 'sqlite', 'mysql', `--testTimeout=${TIMEOUT_MS}`];
const { passed } = await runNode(
  ['scripts/test.mjs', ...options, ...process.argv.slice(2), '--', ...files],
  { TEST_DEPTH: 'deep' },
);
process.exit(passed ? 0 : 1);
