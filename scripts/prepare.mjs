// Installs and builds whatever is missing or out of date. It runs before anything is installed, so
// it imports only modules of Node.js. Usage: `node scripts/prepare.mjs [install] [build]`
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A release has the bundle and no source code, so nothing is built, and packages for development
 * are not installed.
 */
const isRelease = !existsSync('src');
/** In CI, nobody watches the output. */
const LOGGED = process.env.CI ? ['--loglevel=error'] : ['--loglevel=http', '--foreground-scripts'];
const INSTALL = ['ci', ...(isRelease ? ['--omit=dev'] : []), '--no-audit', '--no-fund', ...LOGGED];
const FIRST_INSTALL = isRelease
  ? 'Installing packages. This takes up to a minute, once.'
  : `Installing about 850 packages. The first time this takes 1 to 5 minutes: npm downloads 300 MB, and
compiles the SQLite driver if there is no prebuilt one for this machine. Later starts take seconds.`;
const STEPS = {
  install: {
    stamp: 'node_modules/.prepared',
    inputs: ['package-lock.json'],
    command: ['npm', INSTALL],
    saying: FIRST_INSTALL,
    isDone: () => isRelease && isInstalled(),
  },
  build: {
    stamp: 'dist/.prepared',
    inputs: [
      'src',
      'testing',
      'assets',
      'openapi',
      'kit',
      'scripts/build.mjs',
      'scripts/extension-entry.mjs',
      'scripts/internals.mjs',
      'scripts/kit-packages.mjs',
      'scripts/postman-collection.mjs',
      'package-lock.json',
    ],
    command: ['node', ['scripts/build.mjs']],
    saying: 'Building …',
    isDone: () => isRelease,
    clean: 'dist',
  },
};

if (process.env.npm_lifecycle_event === 'prestart') warnOfOldNode();
for (const name of process.argv.slice(2)) {
  const step = STEPS[name];
  // Code compiled for one version of Node.js does not load in another.
  const state = hashOf(step.inputs, process.version);
  if (existsSync(step.stamp) && readFileSync(step.stamp, 'utf8') === state) continue;
  if (step.isDone()) continue;
  process.stderr.write(`${step.saying}\n`);
  if (step.clean !== undefined) rmSync(step.clean, { recursive: true, force: true });
  const [command, args] = step.command;
  // The output goes to standard error, because standard output belongs to the command that follows.
  const { status } = spawnSync(command, args, { stdio: ['ignore', 2, 2], env: environment() });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(step.stamp, state);
}

function warnOfOldNode() {
  const { node } = process.versions;
  if (Number.parseInt(node) > 20) return;
  process.stderr.write(
    `Node.js ${node} works, but its support ended in April 2026: it gets no more security fixes. Use Node.js 22 or 24.\n`,
  );
}

/** Returns whether `npm ci --omit=dev` has installed the packages of the lock file. */
function isInstalled() {
  const installed = packagesIn('node_modules/.package-lock.json');
  return Object.entries(packagesIn('package-lock.json')).every(
    ([path, { version, dev, optional }]) =>
      path === '' || dev || optional || installed[path]?.version === version,
  );
}

function packagesIn(lockFile) {
  return existsSync(lockFile) ? JSON.parse(readFileSync(lockFile, 'utf8')).packages : {};
}

/**
 * Returns an environment with the installed headers of Node.js, if any, so that compiling a driver
 * does not download them.
 */
function environment() {
  const nodeFolder = dirname(dirname(process.execPath));
  return existsSync(join(nodeFolder, 'include/node/node.h'))
    ? { npm_config_nodedir: nodeFolder, ...process.env }
    : process.env;
}

function hashOf(paths, ...more) {
  const hash = createHash('sha256').update(more.join('\n'));
  for (const file of paths.flatMap(filesOf)) hash.update(file).update(readFileSync(file));
  return hash.digest('hex');
}

function filesOf(path) {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesOf(join(path, name)));
}
