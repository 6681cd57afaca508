/** The first log lines of a start in a folder of its own, without DATABASE_URL. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { cliEnvironment, ended, type Ended } from '../support/processes/cli.js';
import { PASSWORD, Visitor } from '../support/browser/visitor.js';
import { send } from '../support/http/http.js';
import { until } from '../support/servers/running-service.js';

const MAIN = resolve('dist/main.js');
const CLI = resolve('dist/cli.js');
const MISTYPED =
  /^Warning: DATABSE_URL is not a known setting\. Did you mean DATABASE_URL\? No demo ledger is loaded\.\n/;

let folder: string;
let child: ChildProcessWithoutNullStreams | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-test-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function run(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  user: { readonly uid?: number; readonly gid?: number } = {},
) {
  const settings = { ...cliEnvironment(''), PORT: '0', LOG_LEVEL: 'info', ...env };
  child = spawn(process.execPath, [program, ...args], { cwd: folder, env: settings, ...user });
  child.stdin.end();
  return child;
}

/** Returns the version in package.json. */
function version(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  return version;
}

/** Starts the service, and stops it once it listens. */
async function start(env: Readonly<Record<string, string>>): Promise<Ended> {
  const started = run(MAIN, [], env);
  const result = ended(started);
  let printed = '';
  started.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  await until('the welcome', () => printed.includes('listens on') || started.exitCode !== null);
  started.kill('SIGTERM');
  return result;
}

describe('A start', () => {
  it('with a mistyped DATABASE_URL says so first, and loads no demo ledger', async () => {
    const { status, stdout, stderr } = await start({ DATABSE_URL: 'mysql://u:Hunter2@h/d' });
    expect(status).toBe(0);
    expect(stderr).toMatch(MISTYPED);
    expect(stdout).toContain('listens on');
    expect(stdout).not.toMatch(/demo/i);
    expect(stdout + stderr).not.toContain('Hunter2');
  });

  it('says in the first line of the log which version it is', async () => {
    const { stdout } = await start({ DATABASE_URL: 'sqlite:own.sqlite' });
    expect(stdout.split('\n')[0]).toContain(
      `Vendor Reporting API ${version()} starts on Node.js ${process.versions.node}.`,
    );
  });

  it.each([
    ['HOST', { HOST: 'no-such-host.invalid' }],
    ['HOST', { HOST: 'no-such-host.invalid', WORKERS: '2' }],
    ['HOST', { HOST: '203.0.113.1' }],
    ['MANAGEMENT_HOST', { MANAGEMENT_HOST: 'no-such-host.invalid', MANAGEMENT_PORT: '0' }],
    ['MANAGEMENT_HOST', { MANAGEMENT_HOST: '203.0.113.1', MANAGEMENT_PORT: '0' }],
  ])('names %s where it can not be listened on: %o', async (name, env) => {
    const { status, stderr } = await ended(run(MAIN, [], { ...env, DATABASE_URL: 'sqlite:a' }));
    expect(status).toBe(1);
    expect(stderr).toMatch(new RegExp(`^${name}: [^\\n]+\\n$`));
  });

  // File permissions do not restrict root.
  const asStranger = process.getuid?.() === 0 ? it : it.skip;
  const closed = 'closed';

  asStranger.each([
    ['KEY_ENCRYPTION_SECRET', 0o755, { KEY_ENCRYPTION_SECRET: '' }],
    ['DATABASE_URL', 0o755, { DATABASE_URL: 'sqlite:own.sqlite' }],
    ['ERASURES_FILE', 0o775, { ERASURES_FILE: `${closed}/e`, RECORDS_SPOOL_FOLDER: '.' }],
    ['RECORDS_SPOOL_FOLDER', 0o775, { RECORDS_SPOOL_FOLDER: closed }],
  ])('names %s in one line if an unknown user of group 0 cannot write', async (name, mode, env) => {
    mkdirSync(join(folder, closed), { mode: 0o555 });
    chmodSync(folder, mode);
    const result = await ended(run(MAIN, [], env, { uid: 54_321, gid: 0 }));
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(new RegExp(`^${name}: [^\\n]+\\n$`));
  });

  it('tells all that is wrong and all that is mistyped, a line each, and makes no file', async () => {
    writeFileSync(join(folder, '.env'), 'THROTLE_LIMITS=off\nWORKERS=0\n');
    const env = { PORT: 'http', REDIS_URI: 'redis://h', PORTAL: 'x', KEY_ENCRYPTION_SECRET: '' };
    const { status, stdout, stderr } = await ended(run(MAIN, [], env));
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr.split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'Warning: REDIS_URI',
      'Warning: THROTLE_LIMITS',
      'PORT: must',
      'WORKERS: must',
      '',
    ]);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });
});

/** Starts the service, and returns what it printed and its address once it listens. */
async function started(env: Readonly<Record<string, string>>) {
  const service = run(MAIN, [], env);
  let printed = '';
  service.stdout.on('data', (text: Buffer) => (printed += text.toString()));
  await until('the welcome', () => printed.includes('Stop the service'));
  const [, port = ''] = /listens on http:\/\/[^\n]*:(\d+)\n/.exec(printed) ?? [];
  return { service, printed, port: Number(port) };
}

describe('The welcome', () => {
  it('of an empty database leads a new operator to be signed in with two commands', async () => {
    const env = { DATABASE_URL: 'sqlite:own.sqlite' };
    const { service, printed, port } = await started(env);
    const commands = [...printed.matchAll(/^ +npm run cli -- (users .*)$/gm)].map(([, words]) =>
      Array.from((words ?? '').matchAll(/"([^"]*)"|\S+/g), ([word, quoted]) => quoted ?? word),
    );
    expect(commands).toHaveLength(2);
    for (const args of commands) {
      const command = spawn(process.execPath, [CLI, ...args], {
        cwd: folder,
        env: { ...cliEnvironment(''), ...env },
      });
      command.stdin.end(args.includes('set-password') ? PASSWORD : '');
      expect(await ended(command)).toMatchObject({
        status: 0,
        stderr: expect.not.stringMatching(/error/i),
      });
    }
    const visitor = new Visitor({ send: (request) => send(port, request) });
    const signedIn = await visitor.signIn('you@example.com');
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, '/account/reports']);
    const page = await visitor.get('/account/reports');
    expect([page.status, page.text.includes('Your Name')]).toEqual([200, true]);
    service.kill('SIGTERM');
  });

  it('names the guide, the reference, the three ways to get sales in, and how to stop', async () => {
    const { service, printed, port } = await started({ DATABASE_URL: 'sqlite:own.sqlite' });
    const wayIn = ['import FILE', 'upstreams add --url', 'keys create --source'];
    for (const words of [...wayIn, '/docs/guide\n', '/docs\n', 'Ctrl+C', 'same DATABASE_URL']) {
      expect(printed).toContain(words);
    }
    for (const path of ['/docs/guide', '/docs']) {
      expect((await send(port, { path })).status).toBe(200);
    }
    for (const [path] of printed.matchAll(/docs\/[\w-]+\.md/g)) expect(existsSync(path)).toBe(true);
    service.kill('SIGTERM');
  });

  it('of the demo says where its data is, and how to use other data', async () => {
    const { service, printed } = await started({});
    expect(printed).toMatch(/^Demo data: .*data\/ledger\.sqlite$/m);
    expect(existsSync(join(folder, 'data/ledger.sqlite'))).toBe(true);
    expect(printed).toContain('DATABASE_URL=sqlite:data/own.sqlite npm start');
    expect(printed).not.toContain('The database is empty');
    service.kill('SIGTERM');
  });
});

describe('A command', () => {
  it('warns of a mistyped setting on standard error, and does its work', async () => {
    const env = { DATABASE_URL: 'sqlite:own.sqlite', KEY_ENCRYPTON_SECRET: 'x' };
    const { status, stdout, stderr } = await ended(run(CLI, ['migrate'], env));
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr:
        'Warning: KEY_ENCRYPTON_SECRET is not a known setting. Did you mean KEY_ENCRYPTION_SECRET?\n',
    });
    expect(stdout).toMatch(/^The schema is up to date: \d+ applied\.$/m);
  });

  it('tells all faults of the settings with exit status 3', async () => {
    const env = { PORT: 'http', WORKERS: '0' };
    const { status, stderr } = await ended(run(CLI, ['verify'], env));
    expect(status).toBe(3);
    expect(stderr).toMatch(/^PORT: must .+\nWORKERS: must .+\n$/);
  });

  it('of --version shows the version alone', async () => {
    const result = await ended(run(CLI, ['--version'], {}));
    expect(result).toEqual({ status: 0, stdout: `${version()}\n`, stderr: '' });
  });
});
