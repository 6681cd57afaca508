// Tests each given version of Node.js in a clean checkout with its own packages: starts the service
// and sends the call that it prints, imports the example file, and runs the contract tests of API
// 3.0, 2.1 and 2.0 on SQLite. Usage: `npm run test:node-versions -- 20.19.0 22 24.18`
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { withCheckout } from './checkout.mjs';
import { freePort } from './throwaway-mysql.mjs';

const START_LIMIT_MS = 60_000;
const TESTS = 'test/contract/v3.0 test/contract/v2.1 test/contract/v2.0';
const PRINTED_CALL = /curl -u (\S+) '([^']+)'/;

const versions = process.argv.slice(2);
if (versions.length === 0) throw new Error('name the versions of Node: 20.19.0 22 24.18');
let lastInLine = Promise.resolve();

const results = await Promise.allSettled(versions.map(testOn));
const failures = results.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
for (const failure of failures) console.error(failure);
process.exit(failures.length === 0 ? 0 : 1);

/**
 * Installs and tests a version. The installation mostly uses one core, so all versions install at
 * once, and are tested one by one.
 */
function testOn(version) {
  return withCheckout(`node-${version}`, async (folder) => {
    const checkout = { folder, env: await installNode(folder, version) };
    await run(checkout, 'npm run build');
    await inLine(async () => {
      console.log(`Node ${version}`);
      await run(checkout, 'node --version');
      await startAndCall(checkout);
      await run(checkout, 'npm run cli -- import docs/example-ledger.ndjson', {
        DATABASE_URL: 'sqlite:data/imported.sqlite',
      });
      await run(checkout, `npm test -- --selectProjects sqlite -- ${TESTS}`);
    });
  });
}

/**
 * Installs the registry package that contains Node.js itself, with the headers for compiling a
 * driver.
 */
async function installNode(folder, version) {
  const prefix = join(folder, 'data/node');
  const name = `node-${process.platform}-${process.arch}`;
  mkdirSync(prefix, { recursive: true });
  await run({ folder, env: {} }, `npm install --prefix ${prefix} --no-save ${name}@${version}`);
  const installed = join(prefix, 'node_modules', name);
  return {
    PATH: [join(installed, 'bin'), process.env.PATH].join(delimiter),
    // The environment may have this setting for another version.
    npm_config_nodedir: installed,
  };
}

/** Runs `npm start` as on a fresh clone, with demo data, and sends the call that it prints. */
async function startAndCall(checkout) {
  const port = String(await freePort());
  const service = start(checkout, 'npm start', {
    PORT: port,
    MANAGEMENT_PORT: 'off',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const limit = setTimeout(() => end(service), START_LIMIT_MS);
  try {
    const [, credentials, address] = await printedCall(service);
    const Authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
    const answer = await fetch(address, { headers: { Authorization } });
    const { meta } = await answer.json();
    if (answer.status !== 200) throw new Error(`the first call: ${JSON.stringify(meta)}`);
    console.log(`The first call was answered with ${meta.results_count} of ${meta.total_count}.`);
  } finally {
    clearTimeout(limit);
    await end(service);
  }
}

async function printedCall(service) {
  for await (const line of createInterface({ input: service.stdout })) {
    const found = PRINTED_CALL.exec(line);
    if (found !== null) return found;
  }
  throw new Error('npm start ended before it printed a call');
}

async function run(checkout, command, more = {}) {
  const child = start(checkout, command, more);
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`${checkout.folder}: ${command}: exit status ${status}`);
}

function start({ folder, env }, command, { stdio = 'inherit', ...more }) {
  const [program, ...args] = command.split(' ');
  const all = { ...process.env, ...env, ...more };
  // The process group makes a signal also reach the child processes of npm.
  return spawn(program, args, { cwd: folder, env: all, stdio, detached: true });
}

async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  process.kill(-child.pid, 'SIGTERM');
  await once(child, 'exit');
}

function inLine(work) {
  const own = lastInLine.then(work);
  lastInLine = own.catch(() => undefined);
  return own;
}
