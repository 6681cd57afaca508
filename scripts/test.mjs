// `npm test`: every check there is. `npm test -- ARGUMENTS`: only jest, with these arguments.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from './chromium.mjs';
import { findServer, startServer } from './throwaway-mysql.mjs';

const PACKAGES = 'node_modules';
const CHECKS = [
  ['format', [`${PACKAGES}/prettier/bin/prettier.cjs`, '--check', '--log-level=warn', '.']],
  ['lint', [`${PACKAGES}/eslint/bin/eslint.js`, '--max-warnings=0', '.']],
  ['types', [`${PACKAGES}/typescript/bin/tsc`, '--noEmit']],
  [
    'boundaries',
    [`${PACKAGES}/dependency-cruiser/bin/dependency-cruise.mjs`, 'src', '--output-type=err-long'],
  ],
  ['examples of the README', ['scripts/readme-examples.mjs', '--check']],
  ['OpenAPI documents', ['scripts/openapi.mjs', '--check']],
  ['Compose lint', [`${PACKAGES}/dclint/bin/dclint.cjs`, '-c', 'docker/dclint.yaml', 'docker']],
  [
    'OpenAPI lint',
    [`${PACKAGES}/@redocly/cli/bin/cli.js`, 'lint'],
    // It tells nobody that it ran, and asks nobody for a newer version of itself.
    { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  ],
];
// Neither UTC nor the zone of the database server: what depends on a zone shows.
const TIME_ZONE = 'America/New_York';

const jestArguments = process.argv.slice(2);
const failed = [];
if (jestArguments.length === 0) {
  for (const check of CHECKS) if (!(await passes(check))) failed.push(check);
}
const chromium = findChromium();
if (chromium === null) {
  console.error('No chromium on the PATH: the tests in the browser are left out.');
  if (isComplete()) failed.push(['browser']);
}
const tested = await withMysql((url) => runJest(url));
for (const [name] of failed) console.error(`The ${name} check failed.`);
process.exit(failed.length > 0 || !tested ? 1 : 0);

function passes([name, args, environment]) {
  console.log(`check: ${name}`);
  return node(args, environment);
}

/** What watches the clock or draws pages runs after the rest, and one file at a time. */
async function runJest(url) {
  if (jestArguments.length > 0) return jest(url, jestArguments);
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-counts-'));
  const counts = { TEST_COUNTS: join(folder, 'counts.json') };
  const onMysql = url === null ? [] : ['mysql'];
  const alone = [...(url === null ? [] : ['faults']), ...(chromium === null ? [] : ['browser'])];
  try {
    const many = await jest(url, ['--selectProjects', 'unit', 'sqlite', ...onMysql], counts);
    if (alone.length === 0) return many;
    const few = await jest(url, ['--runInBand', '--selectProjects', ...alone], counts);
    return many && few;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function jest(url, args, more = {}) {
  const options = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning'];
  const environment = {
    TZ: TIME_ZONE,
    ...(url === null ? {} : { TEST_MYSQL_URL: url }),
    ...(chromium === null ? {} : { TEST_CHROMIUM: chromium }),
    ...more,
  };
  return node([...options, `${PACKAGES}/jest/bin/jest.js`, ...args], environment);
}

/** Where nothing may be left out. */
function isComplete() {
  return process.env.CI === 'true';
}

/** Uses TEST_MYSQL_URL, or a throwaway server, or none and says so. */
async function withMysql(run) {
  if (process.env.TEST_MYSQL_URL) return run(process.env.TEST_MYSQL_URL);
  const program = findServer();
  if (program === null) {
    console.error(
      'No mariadbd or mysqld on the PATH and no TEST_MYSQL_URL: the tests on MySQL/MariaDB are left out.',
    );
    const passed = await run(null);
    return passed && !isComplete();
  }
  const server = await startServer(program);
  try {
    return await run(server.url);
  } finally {
    await server.stop();
  }
}

/** Runs Node to its end. An interrupt ends it, and then this process goes on to clean up. */
function node(args, environment = {}) {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    const child = spawn(process.execPath, args, { stdio: 'inherit', env });
    const interrupt = () => child.kill();
    process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
    child.once('exit', (status) => {
      process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
      resolve(status === 0);
    });
  });
}
