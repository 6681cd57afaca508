// Tests a real cluster under load while parts of it fail. Usage: `npm run test:cluster`, or with
// `-- --short` for a shorter run.
import { spawn, spawnSync } from 'node:child_process';
import { findProgram } from './find-program.mjs';

const PROGRAMS = ['mariadbd', 'rsync', 'redis-server', 'haproxy', 'ip', 'unshare', 'nsenter'];
/**
 * Options for a separate network without a connection to others, and for processes that end with
 * the first of them.
 */
const APART = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'];

const missing = PROGRAMS.filter((name) => findProgram([name]) === null);
if (missing.length > 0) {
  refuse(`It needs ${missing.join(', ')}. On Debian: apt-get install mariadb-server galera-4 rsync \
redis-server haproxy iproute2 util-linux`);
}
const path = `${process.env.PATH}:/usr/sbin:/sbin`;
if (spawnSync('unshare', [...APART, 'true']).status !== 0) {
  refuse('It needs root and the right to create its own network, whose connections it cuts.');
}
const jest = ['--experimental-vm-modules', '--no-warnings=ExperimentalWarning'];
const args = ['node_modules/jest/bin/jest.js', '--selectProjects', 'cluster', '--runInBand'];
const tests = spawn('unshare', [...APART, process.execPath, ...jest, ...args], {
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: path,
    TEST_CLUSTER: process.argv.includes('--short') ? 'short' : 'long',
  },
});
// A signal kills the first process of the namespace, which ignores signals. The others end with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => tests.kill('SIGKILL'));
}
tests.on('exit', (status) => process.exit(status ?? 1));

function refuse(reason) {
  console.error(reason);
  process.exit(1);
}
