// A private MySQL or MariaDB server for the tests: its own folder and port, gone afterwards.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

const START_TRIES = 150;
const POLL_MS = 200;

/** @returns {string | null} the path of a server program, if there is one */
export function findServer() {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  const names = ['mariadbd', 'mysqld'];
  return (
    names.flatMap((name) => folders.map((folder) => join(folder, name))).find(existsSync) ?? null
  );
}

/** @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
export async function startServer(program) {
  const folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-mysql-'));
  const port = await freePort();
  const user = process.getuid?.() === 0 ? ['--user=root'] : [];
  const data = join(folder, 'data');
  initialize(program, data, user);
  const init = join(folder, 'init.sql');
  writeFileSync(
    init,
    "CREATE USER 'tests'@'%' IDENTIFIED BY 'tests';\nGRANT ALL ON *.* TO 'tests'@'%';\n",
  );
  const server = spawn(
    program,
    [
      '--no-defaults',
      ...user,
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--log-error=${join(folder, 'log')}`,
      `--init-file=${init}`,
      // Neither UTC nor the machine's zone: what depends on the server's zone shows.
      '--default-time-zone=+09:30',
      '--innodb-flush-log-at-trx-commit=0',
      '--innodb-buffer-pool-size=256M',
      '--max-connections=300',
    ],
    { stdio: 'ignore' },
  );
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tried = 0; tried < START_TRIES; tried += 1) {
    if (await answers(port)) return { url: `mysql://tests:tests@127.0.0.1:${port}/`, stop };
    if (server.exitCode !== null) break;
    await wait(POLL_MS);
  }
  await stop();
  throw new Error(`${program} did not start`);
}

function initialize(program, data, user) {
  const isMariaDb = program.endsWith('mariadbd');
  const { status, stderr } = isMariaDb
    ? spawnSync('mariadb-install-db', [
        '--no-defaults',
        ...user,
        `--datadir=${data}`,
        '--skip-test-db',
      ])
    : spawnSync(program, ['--no-defaults', ...user, `--datadir=${data}`, '--initialize-insecure']);
  if (status !== 0) throw new Error(`${program} could not be initialized: ${String(stderr)}`);
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    // The init file has run once the server greets.
    socket.once('data', () => (socket.destroy(), resolve(true)));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
