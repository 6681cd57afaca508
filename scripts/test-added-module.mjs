// Follows docs/adding-a-module.md in a clean checkout: it writes the files of the page, and runs
// its commands. With `-- --short` it replaces `npm test` by the checks and tests that an added
// module can break, on SQLite. Other arguments are passed to `npm test`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { git, withCheckout } from './checkout.mjs';
import { commandsOfPage, filesOfPage, writePageFiles } from './page-files.mjs';

const GUIDE = 'adding-a-module';
const CORE = ['src/extensions.ts', 'test/extensions.ts'];
/** Files that `npm run openapi` writes. */
const WRITTEN = /^openapi\/[^/]+$/;
/**
 * These tests depend on the list of operations, tables, documents or source files. All other tests
 * have the same result with and without an added module.
 */
const SHORT = [
  'test/platform/openapi',
  'test/project',
  'test/platform/database',
  'test/contract/access/access-matrix.test.ts',
  'test/contract/access/application-access.test.ts',
  'test/contract/access/leaks.test.ts',
  'test/contract/access/masked.test.ts',
  'test/contract/http/methods.test.ts',
  'test/contract/http/paths-and-methods.test.ts',
  'test/contract/ledger-1/interface.test.ts',
  'test/contract/openapi',
  'test/contract/statements/injection.test.ts',
  'test/contract/v3.0/schema.property.test.ts',
];
const testArguments = process.argv.includes('--short') ? shortArguments() : process.argv.slice(2);

const passed = await withCheckout('module', (folder) => {
  // This links the same packages. If that is not possible, the first command installs them.
  spawnSync('cp', ['-al', 'node_modules', folder], { stdio: 'ignore' });
  addModule(folder);
  return commandsOfPage(GUIDE).every((command) => run(folder, command)) && isCoreUntouched(folder);
});
process.exit(passed ? 0 : 1);

function shortArguments() {
  const own = filesOfPage(GUIDE).map(({ path }) => path);
  const tests = [...own.filter((path) => path.endsWith('.test.ts')), ...SHORT];
  return ['--checks', '--selectProjects', 'unit', 'sqlite', '--', ...tests];
}

function addModule(folder) {
  const files = filesOfPage(GUIDE);
  const changed = files.map(({ path }) => path).filter((path) => existsSync(join(folder, path)));
  if (changed.sort().join() !== CORE.join()) {
    throw new Error(`the page changes other files of the core than it says: ${changed.join(', ')}`);
  }
  writePageFiles(folder, files);
}

function run(folder, command) {
  const [program, ...args] = command.split(' ');
  if (command === 'npm test' && testArguments.length > 0) args.push('--', ...testArguments);
  console.log(`with the module: ${[program, ...args].join(' ')}`);
  return spawnSync(program, args, { cwd: folder, stdio: 'inherit' }).status === 0;
}

function isCoreUntouched(folder) {
  const changed = git(['-C', folder, 'diff', '--name-only', 'HEAD']).split('\n').filter(Boolean);
  const others = changed.filter((path) => !CORE.includes(path) && !WRITTEN.test(path));
  if (others.length > 0) console.error(`The page does not say that these change: ${others}`);
  return others.length === 0;
}
