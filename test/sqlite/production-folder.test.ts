/**
 * A folder with the bundle, package.json and the same part of node_modules as the container image.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { cliEnvironment, ended } from '../support/processes/cli.js';

/** Files of packages with native code that are only used to build them. */
const OF_BUILDS = /better-sqlite3\/(?:deps|src|build\/(?!Release$|Release\/better_sqlite3\.node$))/;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-production-'));
  const [, packages = ''] =
    /cp -a --parents ([^&]+) \/native/.exec(readFileSync('docker/Dockerfile', 'utf8')) ?? [];
  const files = ['dist', 'package.json', 'package-lock.json', ...packages.split(/[\s\\]+/)];
  for (const file of files) {
    cpSync(file, join(folder, file), {
      recursive: true,
      filter: (path) => !OF_BUILDS.test(path) && !path.endsWith('.map'),
    });
  }
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const environment = (url: string) => ({ ...cliEnvironment(url), NODE_PATH: '' });

it('starts, and serves calls, pages and documents', async () => {
  const service = spawn(process.execPath, ['dist/main.js'], {
    cwd: folder,
    env: { ...environment('sqlite:ledger.sqlite'), PORT: '0', LOG_LEVEL: 'info' },
  });
  const end = ended(service);
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    service.stdout.on('data', (text: Buffer) => {
      printed += text.toString();
      const [, found] = /listens on (http:\S+)\n/.exec(printed) ?? [];
      if (found !== undefined) resolve(found);
    });
    void end.then(({ stderr }) => {
      reject(new Error(`it ended: ${printed}${stderr}`));
    });
  });
  const answers: [string, number][] = [];
  for (const path of ['/v3.0', '/openapi/ledger-1.json', '/docs', '/docs/guide']) {
    answers.push([path, (await fetch(new URL(path, url))).status]);
  }
  const files = readdirSync(folder).filter((name) => name.startsWith('ledger.sqlite'));
  const modes = files.map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
  service.kill();
  expect(modes.length).toBeGreaterThan(1);
  expect(modes).toEqual(files.map((name) => [name, 0o600]));
  expect(answers).toEqual([
    ['/v3.0', 401],
    ['/openapi/ledger-1.json', 200],
    ['/docs', 200],
    ['/docs/guide', 200],
  ]);
  expect(await end).toMatchObject({ status: 0, stderr: '' });
});

it('finds the driver of MySQL in the bundle', () => {
  const { stderr } = spawnSync(process.execPath, ['dist/cli.js', 'migrate', '--status'], {
    cwd: folder,
    env: environment('mysql://nobody:nothing@127.0.0.1:1/nowhere'),
    encoding: 'utf8',
  });
  expect(stderr).toBe('DATABASE_URL: the connection to this host and port was refused.\n');
});

it('needs no preparation, with the script for it and without', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const prestart = () =>
    spawnSync('sh', ['-c', scripts.prestart ?? 'false'], {
      cwd: folder,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    });
  const done = { status: 0, stdout: '', stderr: '' };
  expect(prestart()).toMatchObject(done);
  mkdirSync(join(folder, 'scripts'));
  cpSync('scripts/prepare.mjs', join(folder, 'scripts/prepare.mjs'));
  // npm writes the list of installed packages to this file.
  cpSync('package-lock.json', join(folder, 'node_modules/.package-lock.json'));
  expect(prestart()).toMatchObject(done);
});
