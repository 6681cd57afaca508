/** The operator's commands for two-factor sign-in. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, CODE, forgetSteps, turnOn, type SetUp } from '../../support/browser/two-factor.js';
import { Visitor } from '../../support/browser/visitor.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { TEST_SECRET, TestService } from '../../support/servers/service.js';

const NEW_SECRET = 'another secret of the tests, as long as it must be';
const [ANN, BOB] = [1, 2];

let service: TestService;
let ledger: TestLedger;
let setUp: SetUp;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(ANN), user(BOB)]);
  ledger = TestLedger.on(service.database);
  setUp = await turnOn(await Visitor.signedIn(service, ANN));
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
});

/** Returns the column of `users list` about two-factor sign-in, by user. */
async function listed(): Promise<string[]> {
  const { stdout } = await ledger.cli(['users', 'list']);
  const rows = stdout.trimEnd().split('\n').slice(1);
  return rows.map((row) => row.split(/ {2,}/)[3] ?? '');
}

async function run(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await ledger.cli(['users', ...args]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

describe('users require-two-factor', () => {
  it('requires it of a user or of all, and stops to', async () => {
    expect(await listed()).toEqual(['on', '-']);
    expect(await run('require-two-factor', '2')).toBe(
      'Two-factor sign-in is required of user 2.\n',
    );
    expect(await listed()).toEqual(['on', 'required']);
    await run('require-two-factor', '--all');
    expect(await run('require-two-factor', '2', '--off')).toBe(
      'It is still required of user 2, because it is required of all users.\n',
    );
    const { stdout } = await ledger.cli(['users', 'list', '--json']);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).toMatchObject([
      { id: ANN, has_two_factor: true, two_factor_required: true },
      { id: BOB, has_two_factor: false, two_factor_required: true },
    ]);
    expect(await run('require-two-factor', '--all', '--off')).toBe(
      'Two-factor sign-in is not required of all users.\n',
    );
    expect(await listed()).toEqual(['on', '-']);
    const rows = await ledger.rows(
      "SELECT subject, state_after FROM audit_log WHERE action = 'two_factor.require' ORDER BY id",
    );
    expect(
      rows.map(({ subject, state_after }) => `${String(subject)} ${String(state_after)}`),
    ).toEqual([
      'user 2 {"required":true}',
      'all users {"required":true}',
      'user 2 {"required":false}',
      'all users {"required":false}',
    ]);
  });

  it.each([
    [['3'], 'There is no user 3.\n'],
    [[], 'error: give the id of a user, or --all\n'],
    [['1', '--all'], 'error: give the id of a user, or --all\n'],
  ])('with %p exits with 1 and a clear line', async (args, stderr) => {
    const result = await ledger.cli(['users', 'require-two-factor', ...args]);
    expect(result).toEqual({ status: 1, stdout: '', stderr });
  });
});

describe('keys rewrap', () => {
  const rewrap = (input: string) =>
    ledger.cli(['keys', 'rewrap', '-'], { input, env: { KEY_ENCRYPTION_SECRET: NEW_SECRET } });
  const told = (rewrapped: number, current: number, unreadable: number) =>
    `Secrets of two-factor sign-in: ${rewrapped} re-encrypted, ${current} already current, ${unreadable} not decryptable with either secret\n`;

  it('encrypts the secrets of apps again, so that their codes sign in as before', async () => {
    const wrong = await rewrap(`${TEST_SECRET}, but not this`);
    expect([wrong.status, wrong.stdout.endsWith(told(0, 0, 1))]).toEqual([1, true]);
    const done = await rewrap(TEST_SECRET);
    expect([done.status, done.stdout.endsWith(told(1, 0, 0))]).toEqual([0, true]);
    expect((await rewrap(TEST_SECRET)).stdout.endsWith(told(0, 1, 0))).toBe(true);
    const after = await service.beside({ KEY_ENCRYPTION_SECRET: NEW_SECRET });
    try {
      await forgetSteps(ledger);
      const visitor = new Visitor(after);
      await visitor.signIn('user1@example.test');
      await visitor.get(CODE);
      expect((await visitor.post(CODE, { code: codeOf(setUp.secret) })).status).toBe(303);
    } finally {
      await after.app.close();
    }
  });
});

describe('users reset-two-factor', () => {
  it('turns it off, ends all sessions, and says who has none', async () => {
    expect(await run('reset-two-factor', '1')).toBe(
      'Two-factor sign-in of user 1 is off. All sessions of this user have ended.\n',
    );
    expect(await ledger.rows('SELECT user_id FROM sessions WHERE user_id = 1')).toEqual([]);
    expect(await ledger.rows('SELECT user_id FROM recovery_codes')).toEqual([]);
    for (const [id, problem] of [
      ['1', 'User 1 has no two-factor sign-in.\n'],
      ['3', 'There is no user 3.\n'],
    ] as const) {
      const result = await ledger.cli(['users', 'reset-two-factor', id]);
      expect(result).toEqual({ status: 1, stdout: '', stderr: problem });
    }
    const { stdout } = await ledger.cli(['audit']);
    expect(stdout).toMatch(/"user_id":0,.*"action":"two_factor\.reset","subject":"user 1"/);
    for (const secret of [setUp.secret, ...setUp.recoveryCodes])
      expect(stdout).not.toContain(secret);
  });
});
