/**
 * The operator's commands for upstreams, and their keys after a change of KEY_ENCRYPTION_SECRET.
 */
import { spawn } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { cliEnvironment, ended, startCli } from '../../support/processes/cli.js';
import { screenOf } from '../../support/processes/terminal-screen.js';
import { until } from '../../support/servers/running-service.js';
import { TEST_SECRET } from '../../support/servers/service.js';

/** The name resolves without a name server to an address that is not public, so nothing is read. */
const URL = 'https://localhost/up';
const KEY = 'vra_the_key_of_an_upstream';
const NEW_SECRET = 'another secret of the tests, as long as it must be';
const HOSTILE = String.raw`\u001b[2Jgone`;

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([user(1), user(2)]);
});
afterEach(() => ledger.run('DELETE FROM upstreams'));
afterAll(() => ledger.drop());

function upstreams(...args: readonly string[]) {
  return ledger.cli(['upstreams', ...args], { input: `  ${KEY}\n` });
}

async function told(...args: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await upstreams(...args);
  expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
  expect(stdout).not.toContain(KEY);
  return stdout;
}

async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
  return JSON.parse(await told(...args, '--json')) as Record<string, unknown>;
}

function adding(vendor: number, ...more: readonly string[]): string[] {
  return ['add', '--vendor', String(vendor), '--url', URL, '--key-file', '-', ...more];
}

describe('upstreams', () => {
  it('adds, lists, pauses, resumes and removes', async () => {
    expect(await told('list')).toBe('There are no upstreams.\n');
    const { id, notify_path, ...added } = await json(...adding(1));
    const name = String(id);
    expect(notify_path).toMatch(new RegExp(`^/ledger/v1/upstreams/${name}/notify/[\\w-]{32}$`));
    expect(added).toMatchObject({
      vendor_id: 1,
      url: URL,
      state: 'active',
      wanted: 'full',
      every_seconds: 300,
      words: { service: 'service', processor: 'processor' },
      problem: null,
      problems: [],
    });
    const printed = await told(...adding(2, '--names', 'processor=pay', '--every', '2h'));
    expect(printed).toMatch(
      /^Upstream \d+ of user 2: https:\/\/localhost\/up, active; about to read everything; 0 transactions read, 0 waiting, 0 missing\nPath for notifications: \/ledger\/v1\/upstreams\/\d+\/notify\/[\w-]{32}\n$/,
    );
    const [first, second] = (await told('list', '--json')).trim().split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ id, state: 'active' });
    expect(JSON.parse(second ?? '')).toMatchObject({
      vendor_id: 2,
      every_seconds: 7_200,
      words: { service: 'service', processor: 'pay' },
    });
    expect(await json('pause', name)).toMatchObject({ id, state: 'paused' });
    expect(await told('list')).toContain(`Upstream ${name} of user 1: ${URL}, paused; `);
    expect(await told('resume', name)).toContain(`Upstream ${name} of user 1: ${URL}, active; `);
    expect(await json('remove', name)).toMatchObject({ id });
    expect(await json('list')).toMatchObject({ vendor_id: 2 });
  });

  it('reads the key from a file, and stores it encrypted', async () => {
    const file = ledger.file('upstream-key', `${KEY}\n`);
    const { stderr, status, stdout } = await upstreams(...adding(1).with(-1, file));
    expect(status).toBe(0);
    expect(stderr).toBe(`Warning: others can read ${file}. Run chmod 600 on it.\n`);
    expect(stdout).not.toContain(KEY);
    expect(await ledger.everything()).not.toContain(KEY);
  });

  it.each([
    [['pause', '987'], 'There is no upstream 987.'],
    [['remove', '987'], 'There is no upstream 987.'],
    [['run', '987'], 'There is no upstream 987.'],
    [adding(9), 'There is no user 9.'],
    [adding(1).with(4, 'http://x/'), 'url must be a URL that begins with https://.'],
    [adding(1).with(-1, '/no/such/file'), '/no/such/file: cannot be read: ENOENT'],
    [adding(1, '--every', '30s'), 'every must be 1m to 1d.'],
    [adding(1, '--every', '5'), 'It must be a duration such as 90s, 30m, 24h or 7d.'],
    [adding(1, '--names', 'service=a b'), 'names must be words such as service=acme.'],
    [adding(1, '--names', 'acme'), 'It must be such as service=acme,processor=pay.'],
    [adding(1, '--names', 'service=a,service=b'), 'It must be such as service=acme,'],
    [['pause', 'x'], 'It must be an integer.'],
  ])('%j says what is wrong', async (args, problem) => {
    const { status, stdout, stderr } = await upstreams(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain(KEY);
  });

  it('takes no empty key, no key of two lines, and no second upstream of a vendor', async () => {
    const empty = await ledger.cli(['upstreams', ...adding(1)], { input: ' \n' });
    expect(empty).toEqual({ status: 1, stdout: '', stderr: 'standard input is empty\n' });
    const two = await ledger.cli(['upstreams', ...adding(1)], { input: `${KEY}\n${KEY}\n` });
    expect(two).toMatchObject({ status: 1, stderr: 'key must be the text of an API key.\n' });
    await told(...adding(1));
    const second = await upstreams(...adding(1));
    expect(second).toMatchObject({ status: 1, stderr: 'User 1 has an upstream already.\n' });
  });
});

describe('upstreams run', () => {
  /**
   * Adds an upstream that cannot be read.
   * @returns its id
   */
  async function unreadable(): Promise<string> {
    const { id } = await json(...adding(1));
    const problem = JSON.parse(`"${HOSTILE}"`) as string;
    await ledger.run(`UPDATE upstreams SET problem = '${problem}', failures = 2`);
    return String(id);
  }

  it('lists problems by kind, harmless, with the first example of each', async () => {
    const { id } = await json(...adding(1));
    const hostile = JSON.parse(`"${HOSTILE}"`) as string;
    const rows = ['a', 'b'].map((key) => {
      return `(${String(id)}, 'transaction ${key}', 'transaction changed: status', '${hostile} ${key}', NULL, '2025-06-01 00:00:00')`;
    });
    await ledger.run(`INSERT INTO upstream_problems
      (upstream_id, subject, kind, text, day, seen) VALUES ${rows.join(', ')}`);
    await ledger.run('UPDATE upstreams SET wanted = NULL');
    const shown = `\n  2 × transaction changed: status; first: ${HOSTILE} a\n`;
    expect(await told('list')).toContain(`; read, with 2 problems; `);
    expect(await told('list')).toContain(shown);
    const problems = [{ kind: 'transaction changed: status', count: 2, example: `${hostile} a` }];
    expect(await json('list')).toMatchObject({ problems });
    expect(await told('remove', String(id))).not.toContain('gone');
    expect(await ledger.rows('SELECT * FROM upstream_problems')).toEqual([]);
  });

  it('ends with status 1 and one line if there is a problem, and shows no bar', async () => {
    const ran = await upstreams('run', await unreadable());
    expect({ status: ran.status, stderr: ran.stderr }).toEqual({ status: 1, stderr: '' });
    expect(ran.stdout).toMatch(/^Upstream \d+ of user 1: [^\n]+: [^\n]+\n$/);
    expect(ran.stdout).not.toContain(KEY);
  });

  it('ends when it is told to, and prints one object with --json', async () => {
    const { id } = await json(...adding(1));
    const args = ['upstreams', 'run', String(id), '--full', '--json'];
    const child = startCli(ledger.database.url, args);
    const result = ended(child);
    const claims = 'SELECT claim FROM upstreams WHERE claim IS NOT NULL';
    await until('a run', async () => (await ledger.rows(claims)).length > 0);
    child.kill('SIGTERM');
    const { status, stdout, stderr } = await result;
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^\{[^\n]+\}\n$/);
    expect(JSON.parse(stdout)).toMatchObject({ id, url: URL, problem: null });
    // The next reader does not have to wait for a lease.
    expect(await ledger.rows(claims)).toEqual([]);
  });

  it('shows a bar on a terminal, with nothing of the data that controls it', async () => {
    const command = `"${process.execPath}" dist/cli.js upstreams run ${await unreadable()}`;
    const args = ['--quiet', '--return', '--command', command, '/dev/null'];
    const env = { ...cliEnvironment(ledger.database.url), TERM: 'xterm' };
    const { status, stdout } = await ended(spawn('script', args, { env, timeout: 60_000 }));
    expect(status).toBe(1);
    const rows = screenOf(stdout);
    expect(rows.filter((row) => / read, [\d,]+\/s, [\d,]+ waiting$/.test(row))).toHaveLength(1);
    expect(rows.filter((row) => row.startsWith('Upstream '))).toHaveLength(1);
  });
});

it('keys rewrap renews the keys of upstreams', async () => {
  const { id } = await json(...adding(1));
  const lost = await json(...adding(2));
  await ledger.run(`UPDATE upstreams SET secret = 'lost' WHERE id = ${String(lost.id)}`);
  const env = { KEY_ENCRYPTION_SECRET: NEW_SECRET };
  const rewrap = () => ledger.cli(['keys', 'rewrap', '-'], { input: TEST_SECRET, env });
  expect(await rewrap()).toMatchObject({
    status: 1,
    stdout: expect.stringContaining(
      'Keys of upstreams: 1 re-encrypted, 0 already current, 1 not decryptable with either secret\n',
    ) as unknown,
  });
  await ledger.cli(['upstreams', 'remove', String(lost.id)], { env });
  const again = await rewrap();
  expect(again.stdout).toContain('Keys of upstreams: 0 re-encrypted, 1 already current, 0 ');
  expect(again.status).toBe(0);
  expect(await json('list')).toMatchObject({ id });
});
