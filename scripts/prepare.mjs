// Installs and builds what is missing or out of date. Runs before anything is installed, so it imports
// only modules of Node.js. `node scripts/prepare.mjs [install] [build]`
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const STEPS = {
  install: {
    stamp: 'node_modules/.prepared',
    inputs: ['package-lock.json'],
    commands: [['npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']]],
    saying: 'Installing packages (the SQLite driver may be compiled: about a minute) …',
  },
  build: {
    stamp: 'dist/.prepared',
    inputs: ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    commands: [['node', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json']]],
    saying: 'Building …',
    clean: 'dist',
  },
};

for (const name of process.argv.slice(2)) {
  const step = STEPS[name];
  // Code compiled for one version of Node.js does not load in another.
  const state = hashOf(step.inputs, process.version);
  if (existsSync(step.stamp) && readFileSync(step.stamp, 'utf8') === state) continue;
  process.stderr.write(`${step.saying}\n`);
  if (step.clean !== undefined) rmSync(step.clean, { recursive: true, force: true });
  for (const [command, args] of step.commands) {
    // To standard error, because standard output belongs to the command that follows.
    const { status } = spawnSync(command, args, { stdio: ['ignore', 2, 2], env: environment() });
    if (status !== 0) process.exit(status ?? 1);
  }
  writeFileSync(step.stamp, state);
}

/** If the headers of Node.js are installed, compiling a driver need not download them. */
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
