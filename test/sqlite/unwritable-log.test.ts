/** A service whose log cannot be written. The database does not matter here. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { codeOf } from '../../src/platform/errors/is-error.js';
import { until } from '../support/servers/running-service.js';
import { LoggingService } from '../support/servers/unwritable-log.js';

const BUILT = pathToFileURL(resolve('dist/internals.js')).href;
const PRODUCTION = { NODE_ENV: 'production', REQUIRE_HTTPS: 'off' };
const MEBIBYTE = 1_048_576;

let folder: string;
let service: LoggingService | undefined;
const files: number[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vendor-reporting-test-'));
});
afterEach(async () => {
  await service?.end();
  service = undefined;
  for (const file of files.splice(0)) closeSync(file);
  rmSync(folder, { recursive: true, force: true });
});

function open(path: string, flags: number | string): number {
  const file = openSync(path, flags);
  files.push(file);
  return file;
}

function close(file: number): void {
  closeSync(file);
  files.splice(files.indexOf(file), 1);
}

/** Sends requests until further lines are lost. */
async function answersAndLoses(running: LoggingService): Promise<void> {
  const before = await running.linesLost();
  await until('lost lines', async () => {
    expect(await running.answers()).toBe(true);
    return (await running.linesLost()) > before;
  });
  expect(await running.answers()).toBe(true);
}

/** Runs a program with guarded output. */
function guarded(program: string, stdout: number | 'pipe', limit: readonly string[] = []) {
  const lines = `
    import { guardOutput, LINES_LOST } from ${JSON.stringify(BUILT)};
    guardOutput();
    const line = (text) => process.stdout.write(text.padEnd(95, '.') + '\\n');
    ${program}`;
  const node = [process.execPath, '--input-type=module', '--eval', lines];
  const [command = '', ...args] = [...limit, ...node];
  return spawn(command, args, { stdio: ['ignore', stdout, 'pipe'] });
}

async function textOf(stream: ChildProcess['stdout']): Promise<string> {
  let text = '';
  stream?.on('data', (bytes: Buffer) => (text += bytes.toString()));
  if (stream !== null) await once(stream, 'end');
  return text;
}

describe.each(['1', '2'])('with WORKERS=%s', (WORKERS) => {
  it('a full disk under the log ends nothing, and what is lost is counted', async () => {
    service = await LoggingService.start(open('/dev/full', 'w'), { WORKERS });
    await answersAndLoses(service);
  });

  it('the reader of the log may go and come back, and is told how much it missed', async () => {
    const pipe = join(folder, 'log');
    spawnSync('mkfifo', [pipe]);
    const reading = constants.O_RDONLY | constants.O_NONBLOCK;
    const reader = open(pipe, reading);
    const writer = open(pipe, 'w');
    const running = await LoggingService.start(writer, { WORKERS, ...PRODUCTION });
    service = running;
    close(writer);
    close(reader);
    await answersAndLoses(running);
    const next = open(pipe, reading);
    let read = '';
    const told = /\{[^\n]*"message":"\d+ log lines could not be written to [^\n]*\}\n/;
    await until('the news', async () => {
      await running.answers();
      read += readWhatIsThere(next);
      return told.test(read);
    });
    const [news = '{}'] = told.exec(read) ?? [];
    expect(JSON.parse(news)).toMatchObject({
      level: 'warn',
      context: 'Log',
      message: expect.stringMatching(/^\d+ log lines .* standard output since \S+Z \(EPIPE\)\.$/),
    });
  });
});

function readWhatIsThere(pipe: number): string {
  const bytes = Buffer.alloc(65_536);
  try {
    return bytes.toString('utf8', 0, readSync(pipe, bytes));
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return '';
    throw error;
  }
}

it('A reader that does not read takes 1 MiB of memory, and the rest is counted', async () => {
  const child = guarded(
    `for (let lines = 0; lines < 30_000; lines += 1) line('a line');
    const { writableLength: waiting } = process.stdout;
    console.error(JSON.stringify({ waiting, lost: LINES_LOST.read().stdout }));
    while (process.stdout.writableLength > 0) await new Promise(setImmediate);
    line('after it');`,
    'pipe',
  );
  const [told] = (await once(child.stderr ?? child, 'data')) as [Buffer];
  const { waiting, lost } = JSON.parse(told.toString()) as { waiting: number; lost: number };
  expect(waiting).toBeLessThan(MEBIBYTE + 1_000);
  expect(lost).toBeGreaterThan(15_000);
  const lines = (await textOf(child.stdout)).split('\n');
  expect(lines.filter((line) => line.startsWith('a line'))).toHaveLength(30_000 - lost);
  expect(lines.filter((line) => line.startsWith('after it'))).toHaveLength(1);
  expect(lines.filter((line) => line.includes(`${lost} log lines`))).toHaveLength(1);
});

it('A disk that is full for a while cuts one line, and the next begins anew', async () => {
  const log = join(folder, 'log');
  const child = guarded(
    `import { spawnSync } from 'node:child_process';
    for (let lines = 0; lines < 20; lines += 1) line('a line');
    spawnSync('prlimit', ['--pid', String(process.pid), '--fsize=unlimited']);
    line('after it');`,
    open(log, 'a'),
    // Node gets EFBIG, which stands for the ENOSPC of a full disk.
    ['prlimit', '--fsize=1000:unlimited'],
  );
  expect(await textOf(child.stderr)).toBe('');
  const lines = readFileSync(log, 'utf8').split('\n');
  expect(lines.filter((line) => line.length === 95 && line.startsWith('a line'))).toHaveLength(10);
  expect(lines[10]).toHaveLength(40);
  expect(lines[11]).toMatch(/^after it/);
  expect(lines[12]).toMatch(/10 log lines could not be written to .* \(EFBIG\)\./);
});
