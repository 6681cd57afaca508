// Runs all checks and tests. Usage: `npm test`. With `-- ARGUMENTS` it runs only jest with these
// arguments. With `-- --checks …` it also runs the static checks. With `-- --profile …` it also
// prints the test files with the most processor time.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { busySeconds, writeProfile } from './test-profile.mjs';
import { withRunFolder } from './test-folder.mjs';
import { runNode } from './test-processes.mjs';
import { findServer, startServer } from './throwaway-mysql.mjs';

const PACKAGES = 'node_modules';
/** The checks are sorted by their duration, longest first. */
const CHECKS = [
  ['lint and types', [`${PACKAGES}/oxlint/bin/oxlint`]],
  ['public surface', ['scripts/extension-api.mjs', '--check']],
  ['OpenAPI documents', ['scripts/openapi.mjs', '--check']],
  [
    'boundaries',
    [`${PACKAGES}/dependency-cruiser/bin/dependency-cruise.mjs`, 'src', '--output-type=err-long'],
  ],
  ['example of the README', ['scripts/readme-examples.mjs', '--check']],
  [
    'OpenAPI lint',
    [`${PACKAGES}/@redocly/cli/bin/cli.js`, 'lint'],
    // This turns off telemetry and the check for updates.
    { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  ],
  ['Compose lint', [`${PACKAGES}/dclint/bin/dclint.cjs`, '-c', 'docker/dclint.yaml', 'docker']],
  ['format', [`${PACKAGES}/oxfmt/bin/oxfmt`, '--check', '.']],
];
// The time zone is neither UTC nor that of the database server, so that code that depends on one
// fails.
const TIME_ZONE = 'America/New_York';

const OPTIONS = ['--profile', '--checks'];
const jestArguments = process.argv.slice(2).filter((argument) => !OPTIONS.includes(argument));
const isProfiled = process.argv.includes('--profile');
const isChecked = process.argv.includes('--checks');
const chromium = findChromium();
const failed = [];
if (chromium === null) {
  console.error('No chromium on the PATH: the tests in the browser are left out.');
  if (isComplete()) failed.push('browser');
}
const tested = await withRunFolder((folder) => withMysql((url) => runAll(url, folder)));
for (const name of failed) console.error(`The ${name} check failed.`);
process.exit(failed.length > 0 || !tested ? 1 : 0);

async function runAll(url, folder) {
  const busyBefore = busySeconds();
  const profile = isProfiled ? { TEST_PROFILE: join(folder, 'profile') } : {};
  const passed =
    jestArguments.length > 0
      ? await runSome(url, profile)
      : await runEverything(url, { ...profile, TEST_COUNTS: join(folder, 'counts.json') });
  if (isProfiled) writeProfile(profile.TEST_PROFILE, busyBefore);
  return passed;
}

async function runSome(url, environment) {
  if (isChecked) await runChecks();
  return jest(url, jestArguments, environment);
}

/**
 * Runs the checks and all tests. The checks run first, because they take seconds. A failed check
 * does not stop the tests. Tests that kill servers mostly wait; they run last, and few files at a
 * time, because healthy hosts seem to fail on a very busy machine.
 */
async function runEverything(url, environment) {
  await runChecks();
  const projects = ['unit', 'sqlite', ...(url === null ? [] : ['mysql'])];
  if (chromium !== null) projects.push('browser');
  const passed = await jest(url, ['--selectProjects', ...projects], environment);
  const faults = ['--selectProjects', 'faults', '--maxWorkers', '3'];
  return (url === null || (await jest(url, faults, environment))) && passed;
}

/** Runs one check for each processor at a time. Each check prints its whole result when it ends. */
async function runChecks() {
  const left = CHECKS.values();
  const runRest = async () => {
    for (const check of left) await run(check);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runRest));
}

async function run([name, args, environment]) {
  const began = performance.now();
  const { passed, output } = await runNode(args, environment, true);
  const seconds = Math.round((performance.now() - began) / 1_000);
  console.log(`check: ${name}: ${passed ? 'passed' : 'failed'} (${seconds} s)`);
  if (passed) return;
  console.error(output);
  failed.push(name);
}

async function jest(url, args, environment) {
  const options = [
    '--experimental-vm-modules',
    '--no-warnings=ExperimentalWarning',
    // Most objects of a test soon become garbage: with fewer collections, fewer of them are copied.
    '--max-semi-space-size=64',
  ];
  const { passed } = await runNode([...options, `${PACKAGES}/jest/bin/jest.js`, ...args], {
    TZ: TIME_ZONE,
    ...(url === null ? {} : { TEST_MYSQL_URL: url }),
    ...(chromium === null ? {} : { TEST_CHROMIUM: chromium }),
    ...environment,
  });
  return passed;
}

/** Returns whether no test may be skipped. */
function isComplete() {
  return process.env.CI === 'true';
}

/** Returns false if only projects without MySQL are named. */
function needsMysql() {
  const isNamed = (project) => jestArguments.includes(project);
  return !isNamed('--selectProjects') || isNamed('mysql') || isNamed('faults');
}

/** Calls `use` with TEST_MYSQL_URL, or a private server, or null and a message about it. */
async function withMysql(use) {
  if (!needsMysql()) return use(null);
  if (process.env.TEST_MYSQL_URL) return use(process.env.TEST_MYSQL_URL);
  const program = findServer();
  if (program === null) {
    console.error(
      'No mariadbd or mysqld on the PATH and no TEST_MYSQL_URL: the tests on MySQL/MariaDB are left out.',
    );
    const passed = await use(null);
    return passed && !isComplete();
  }
  const server = await startServer(program);
  try {
    return await use(server.url);
  } finally {
    await server.stop();
  }
}
