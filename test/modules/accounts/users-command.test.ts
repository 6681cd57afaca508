import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';
import { ended, startCli, type Ended } from '../../support/processes/cli.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestService } from '../../support/servers/service.js';
import { TestLedger } from '../../support/builders/test-ledger.js';

let ledger: TestLedger;
let service: TestService;
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([user(7, { email: 'Ann@example.test' })]);
  service = await TestService.on({ ...ledger.database, drop: () => Promise.resolve() }, {});
});
afterAll(async () => {
  await service.app.close();
  await ledger.drop();
});

function setPassword(id: string, input: string | Buffer): Promise<Ended> {
  return ledger.cli(['users', 'set-password', id], { input: Buffer.from(input) });
}

describe('users set-password', () => {
  it('reads the password from standard input, without the end of its line', async () => {
    for (const [input, password] of [
      ['a long password\n', 'a long password'],
      ['pässwörd with ünïcode\r\n', 'pässwörd with ünïcode'],
      [' spaces stay as they are ', ' spaces stay as they are '],
      // Each text has 128 characters, each of which has two UTF-16 units, four bytes, or two parts
      // that are composed into one.
      ['🎉🐝🍀🎈'.repeat(32), '🎉🐝🍀🎈'.repeat(32)],
      ['e\u0301o\u0308u\u0308a\u0300'.repeat(32), 'éöüà'.repeat(32)],
    ] as const) {
      const { status, stdout, stderr } = await setPassword('7', input);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toBe('The password of user 7 is set. All sessions of this user have ended.\n');
      const users = service.app.get(SignInService);
      expect(await users.userWith('ann@example.test', password)).toMatchObject({ id: 7 });
    }
  });

  it.each([
    ['7', '', 'The password must have 12 to 128 characters.'],
    ['7', 'x'.repeat(129), 'The password must have 12 to 128 characters.'],
    ['7', '🎉🐝🍀🎈🐙🌍', 'The password must have 12 to 128 characters.'],
    [
      '7',
      Buffer.from('p\xe4ssw\xf6rter', 'latin1'),
      'The password contains bytes that are not UTF-8.',
    ],
    ['7', 'aaaaaaaaaaaaaa', 'The password is too easy to guess.'],
    ['7', 'ann@example.test', 'The password is too easy to guess.'],
    ['8', 'a long password', 'There is no user 8.'],
  ])('of user %s to %p exits with 1 and a clear line', async (id, input, problem) => {
    expect(await setPassword(id, input)).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `${problem}\n`,
    });
  });

  it('is recorded in the audit log, without the password', async () => {
    const { stdout } = await ledger.cli(['audit']);
    expect(stdout).toMatch(/"user_id":0,.*"action":"password\.set","subject":"user 7"/);
    expect(await ledger.everything()).not.toContain('a long password');
  });
});

describe('users add', () => {
  const add = (...args: string[]) => ledger.cli(['users', 'add', ...args]);

  it('adds a user with the next free id, who can then get a password', async () => {
    expect(await add('Bea', 'Bea@Example.test')).toEqual({
      status: 0,
      stdout:
        'User 8 was added: Bea, Bea@Example.test\nSet a password: npm run cli -- users set-password 8\n',
      stderr: '',
    });
    const { stdout } = await ledger.cli(['audit', '--last', '1']);
    expect(stdout).toMatch(/"user_id":0,.*"action":"user\.add","subject":"user 8"/);
    expect((await setPassword('8', 'a password of Bea')).status).toBe(0);
    const users = service.app.get(SignInService);
    expect(await users.userWith('bea@example.test', 'a password of Bea')).toMatchObject({ id: 8 });
  });

  it('changes nothing if the user is there already, with or without the id', async () => {
    const before = await ledger.everything();
    for (const more of [[], ['--id', '8'], ['--json']]) {
      const { status, stdout } = await add('Bea', 'BEA@example.test', ...more);
      expect(status).toBe(0);
      expect(stdout).toMatch(/^User 8 is there already|"added":false/);
    }
    expect(await ledger.everything()).toEqual(before);
  });

  it('prints the user as JSON, and takes an id', async () => {
    const { stdout } = await add('Cy', 'cy@example.test', '--id', '70', '--json');
    expect(JSON.parse(stdout)).toEqual({
      id: 70,
      name: 'Cy',
      email: 'cy@example.test',
      display_name: null,
      status: 'active',
      added: true,
    });
  });

  it.each([
    [['Bo', 'bea@example.test'], /^User 8 is there already: Bea, .* Pass --id ID to add another/],
    [
      ['Bea', 'bo@example.test', '--id', '8'],
      /^User 8 is there already: Bea, Bea@Example\.test\.$/m,
    ],
    [[' ', 'bo@example.test'], /^name: must not be empty\.$/m],
    [['Bo', 'nobody'], /^email: must be an e-mail address/],
    [['B\u202eo', 'a@b.test, c@d.test'], /^name: must be text without .*; email: must be/],
    [['x'.repeat(256), 'bo@example.test'], /^name: must be at most 255 characters long/],
    [['Bo', 'bo@example.test', '--id', '0'], /^id: must be a whole number, 1 or more/],
  ])('of %p exits with 1 and a clear line, and adds nobody', async (args, problem) => {
    const before = await ledger.everything();
    const { status, stdout, stderr } = await add(...args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(problem);
    expect(await ledger.everything()).toEqual(before);
  });

  it('does not take a user whom only a source added for its own', async () => {
    await ledger.run('UPDATE users SET source_vendor_id = 7 WHERE id = 70');
    expect((await add('Cy', 'cy@example.test', '--id', '70')).stderr).toMatch(
      /^User 70 was added by the source of vendor 7\./,
    );
    expect((await add('Cy', 'cy@example.test')).stdout).toMatch(/^User 71 was added/);
  });

  it('gives two operators who add users at once different ids', async () => {
    const names = ['Dan', 'Eve'];
    const added = await Promise.all(names.map((name) => add(name, `${name}@example.test`)));
    expect(added.map(({ status }) => status)).toEqual([0, 0]);
    const ids = added.map(({ stdout }) => /^User (\d+) was/.exec(stdout)?.[1]);
    expect(ids.toSorted()).toEqual(['72', '73']);
    await ledger.run('DELETE FROM user_passwords WHERE user_id > 7');
    await ledger.run('DELETE FROM users WHERE id > 7');
  });
});

describe('users list', () => {
  const HOSTILE = 'Eve \u001b[2J\u202e\nroot';

  it('prints a line for each user, in the order of their ids, with terminal control characters escaped', async () => {
    await ledger.mustImport([user(9, { status: 'suspended' }), user(8)]);
    // Previous versions accepted such a name from a ledger.
    await ledger.run(`UPDATE users SET name = '${HOSTILE}' WHERE id = 9`);
    const { status, stdout, stderr } = await ledger.cli(['users', 'list']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'STATUS', 'PASSWORD', 'TWO-FACTOR', 'E-MAIL', 'NAME'],
      ['7', 'active', 'set', '-', 'Ann@example.test', 'User 7'],
      ['8', 'active', '-', '-', 'user8@example.test', 'User 8'],
      ['9', 'suspended', '-', '-', 'user9@example.test', 'Eve \\u001b[2J\\u202e\\u000aroot'],
      [''],
    ]);
  });

  it('prints a line of JSON for each user with --json', async () => {
    const { stdout } = await ledger.cli(['users', 'list', '--json']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line)).at(-1)).toEqual({
      id: 9,
      name: HOSTILE,
      email: 'user9@example.test',
      display_name: null,
      status: 'suspended',
      has_password: false,
      has_two_factor: false,
      two_factor_required: false,
    });
    for (const unsafe of ['\u001b', '\u202e']) expect(stdout).not.toContain(unsafe);
  });

  it('lists more users than it reads at once, each of them once', async () => {
    const ids = Array.from({ length: 2_100 }, (_, index) => 1_000 + index);
    await ledger.mustImport(ids.map((id) => user(id)));
    const { stdout } = await ledger.cli(['users', 'list']);
    const listed = stdout.trimEnd().split('\n').slice(1);
    expect(listed.map((line) => Number(line.split(' ')[0]))).toEqual([7, 8, 9, ...ids]);
  });

  it('lists provisional users with the vendor of their source, and whether they have access', async () => {
    await ledger.run('UPDATE users SET source_vendor_id = 7 WHERE id IN (8, 9)');
    await ledger.run("UPDATE users SET admitted = 'operator' WHERE id = 8");
    const { stdout } = await ledger.cli(['users', 'provisional']);
    expect(stdout.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['ID', 'VENDOR', 'PASSWORD', 'KEY', 'E-MAIL', 'NAME'],
      ['9', '7', '-', '-', 'user9@example.test', 'Eve \\u001b[2J\\u202e\\u000aroot'],
      [''],
    ]);
    const json = await ledger.cli(['users', 'provisional', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({
      id: 9,
      name: HOSTILE,
      email: 'user9@example.test',
      display_name: null,
      status: 'suspended',
      source_vendor_id: 7,
      has_password: false,
      has_application: false,
    });
  });

  it('exits silently if its reader closes the pipe', async () => {
    const child = startCli(ledger.database.url, ['users', 'list']);
    child.stdout.destroy();
    const { stderr } = await ended(child);
    expect(stderr).toBe('');
  });
});
