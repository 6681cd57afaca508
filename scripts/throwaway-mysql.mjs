// Starts a private MySQL or MariaDB server for the tests and the benchmarks, with its own folder
// and port. The folder is deleted afterwards, unless it is to be kept.
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram } from './find-program.mjs';

/** The beginning of `net.ipv4.ip_local_port_range` on Linux. */
const LOWEST_PORT_OF_CONNECTIONS = 32_768;
const LOWEST_PORT = 20_000;
const START_TRIES = 150;
const POLL_MS = 200;

/** @returns {string | null} the path of a server program, if there is one */
export function findServer() {
  return findProgram(['mariadbd', 'mysqld']);
}

/**
 * @param {{ keepIn?: string, bufferPool?: string, durable?: boolean, isJoining?: boolean, runAs?: string, address?: string, within?: readonly string[], more?: readonly string[] }} [options]
 *   keepIn: a folder that is kept, and reused if it already has data of a server;
 *   durable: a commit survives a kill; isJoining: its users come from a cluster; runAs: the user that
 *   root runs it as; address: the address that it listens on; within: a command that runs it in
 *   another network; more: options of the server
 * @returns {Promise<{ url: string, pid: number, stop: () => Promise<void>, kill: () => Promise<void> }>}
 *   kill: ends it like a power cut, and keeps the folder
 */
export async function startServer(
  program,
  {
    keepIn,
    bufferPool = '256M',
    durable = false,
    isJoining = false,
    runAs = 'root',
    address = '127.0.0.1',
    within = [],
    more = [],
  } = {},
) {
  const folder = keepIn ?? mkdtempSync(join(tmpdir(), 'vendor-reporting-mysql-'));
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? [`--user=${runAs}`] : [];
  if (isRoot) spawnSync('chown', [runAs, folder]);
  const data = join(folder, 'data');
  if (!existsSync(data)) initialize(program, data, user, folder);
  const init = join(folder, 'init.sql');
  writeFileSync(
    init,
    "CREATE USER IF NOT EXISTS 'tests'@'%' IDENTIFIED BY 'tests';\nGRANT ALL ON *.* TO 'tests'@'%' WITH GRANT OPTION;\n",
  );
  const [command = program, ...args] = [...within, program];
  const server = spawn(
    command,
    [
      ...args,
      '--no-defaults',
      ...user,
      `--datadir=${data}`,
      // A starting server deletes the temporary tables of other servers in the same folder.
      `--tmpdir=${folder}`,
      `--port=${port}`,
      `--bind-address=${address}`,
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--log-error=${join(folder, 'log')}`,
      ...(isJoining ? [] : [`--init-file=${init}`]),
      // The time zone is neither UTC nor that of the machine, so that code that depends on the
      // server's fails.
      '--default-time-zone=+09:30',
      `--innodb-flush-log-at-trx-commit=${durable ? 1 : 0}`,
      `--innodb-buffer-pool-size=${bufferPool}`,
      '--max-connections=300',
      ...more,
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
    if (keepIn === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const kill = async () => {
    server.kill('SIGKILL');
    await ended;
  };
  for (let tried = 0; tried < START_TRIES; tried += 1) {
    if (await answers(address, port)) {
      return { url: `mysql://tests:tests@${address}:${port}/`, pid: server.pid, stop, kill };
    }
    if (server.exitCode !== null) break;
    await wait(POLL_MS);
  }
  await stop();
  throw new Error(`${program} did not start`);
}

function initialize(program, data, user, folder) {
  const [command, own] = program.endsWith('mariadbd')
    ? ['mariadb-install-db', '--skip-test-db']
    : [program, '--initialize-insecure'];
  const { status, stderr } = spawnSync(
    command,
    ['--no-defaults', ...user, `--datadir=${data}`, own],
    { env: { ...process.env, TMPDIR: folder } },
  );
  if (status !== 0) throw new Error(`${program} could not be initialized: ${String(stderr)}`);
}

function answers(address, port) {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    // A server that sends its greeting has already run the init file.
    socket.once('data', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

/**
 * @returns {Promise<number>} a free port below the range of outgoing connections, so that no
 *   connection uses it before a server is started or restarted there
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(LOWEST_PORT, LOWEST_PORT_OF_CONNECTIONS);
    if (await isFree(port)) return port;
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
