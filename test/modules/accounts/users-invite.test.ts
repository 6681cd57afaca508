import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { Visitor } from '../../support/browser/visitor.js';
import { send } from '../../support/http/http.js';
import { leaksIn } from '../../support/oracles/leaks.js';
import type { Ended } from '../../support/processes/cli.js';
import { endAll, RunningService, until } from '../../support/servers/running-service.js';
import { linkIn, TestSmtpServer } from '../../support/servers/smtp-server.js';

const PUBLIC_URL = 'https://reports.example.test';
const REQUEST = /"context":"Request"/;
const PASSWORD = 'a new password, quite long';

interface Invited {
  readonly id: number;
  readonly email: string;
  readonly link?: string;
  readonly sent?: boolean;
  readonly expires: string;
}

let ledger: TestLedger;
let smtp: TestSmtpServer;
beforeAll(async () => {
  ledger = await TestLedger.create();
  await ledger.mustImport([
    ...[1, 2, 3, 4].map((id) => user(id)),
    user(5, { status: 'suspended' }),
    user(6, { email: 'no mail address' }),
  ]);
  smtp = await TestSmtpServer.start();
});
afterAll(async () => {
  await endAll();
  await smtp.stop();
  await ledger.drop();
});

function invite(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = { PUBLIC_URL },
): Promise<Ended> {
  return ledger.cli(['users', 'invite', ...args], { env: settings });
}

function invitedIn({ stdout }: Ended): Invited[] {
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Invited);
}

describe('users invite', () => {
  it('prints id, e-mail, link and its end for each user', async () => {
    // A user who is listed twice gets one link, because a second one would end the first.
    const { status, stdout, stderr } = await invite(['1', '2', '1']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const line = (id: number) =>
      `${id}  user${id}@example\\.test  https://reports\\.example\\.test/account/password/[\\w-]{43}  until [\\d-]{10} [\\d:]{8} UTC\n`;
    expect(stdout).toMatch(new RegExp(`^${line(1)}${line(2)}$`));
  });

  it('prints a line of JSON for each with --json', async () => {
    const [{ id, email, link = '', sent } = {} as Invited] = invitedIn(
      await invite(['1', '--json']),
    );
    expect({ id, email, sent }).toEqual({ id: 1, email: 'user1@example.test', sent: undefined });
    expect(link).toContain('/account/password/');
  });

  it('goes on after users that cannot be invited, and exits with 1', async () => {
    const { status, stdout, stderr } = await invite(['5', '99', '2']);
    expect(status).toBe(1);
    expect(stderr).toBe('User 5 is suspended.\nThere is no user 99.\n');
    expect(stdout).toMatch(/^2 {2}user2@/);
  });

  it('needs users, or --all-without-password', async () => {
    for (const args of [[], ['1', '--all-without-password'], ['one']]) {
      expect(await invite(args)).toMatchObject({ status: 1, stdout: '' });
    }
  });

  it('says once what is missing without PUBLIC_URL', async () => {
    const { status, stderr } = await invite(['1', '2'], {});
    expect({ status, lines: stderr.match(/PUBLIC_URL is not set/g)?.length }).toEqual({
      status: 1,
      lines: 1,
    });
  });

  it('sends the link with --mail, and invites nobody whom no mail reaches', async () => {
    const sent = await invite(['1', '--mail', '--json'], smtp.environment);
    expect(invitedIn(sent)).toMatchObject([{ id: 1, sent: true }]);
    expect(sent.stdout).not.toContain('/account/password/');
    const [mail] = await smtp.mailsTo('user1@example.test', 1);
    expect(linkIn(mail ?? { from: '', to: [], raw: '' })).toContain(PUBLIC_URL);
    const failed = await invite(['6', '--mail'], smtp.environment);
    expect(failed).toMatchObject({ status: 1, stdout: '' });
    expect(failed.stderr).toBe('User 6: This is no e-mail address that a mail can be sent to.\n');
    smtp.refusal = '451 later';
    const refused = await invite(['3', '--mail'], smtp.environment);
    smtp.refusal = null;
    expect(refused.status).toBe(1);
    expect(refused.stderr).toBe('User 3: The SMTP server did not take the mail (EENVELOPE 451).\n');
    expect(await ledger.rows('SELECT user_id FROM password_links WHERE user_id IN (3, 6)')).toEqual(
      [],
    );
  });

  it('says once that nothing can be sent without SMTP_URL, and ends no link', async () => {
    const links = () => ledger.rows('SELECT * FROM password_links ORDER BY user_id');
    const before = await links();
    expect(before).not.toEqual([]);
    const { status, stderr } = await invite(['1', '2', '3', '--mail']);
    expect({ status, lines: stderr.match(/SMTP_URL is not set/g)?.length }).toEqual({
      status: 1,
      lines: 1,
    });
    expect(await links()).toEqual(before);
  });

  it('invites all who have neither a password nor a link, and the second time nobody', async () => {
    await ledger.cli(['users', 'set-password', '4'], { input: Buffer.from(PASSWORD) });
    const first = invitedIn(await invite(['--all-without-password', '--json']));
    expect(first.map(({ id }) => id)).toEqual([3, 6]);
    expect(await invite(['--all-without-password'])).toMatchObject({ status: 0, stdout: '' });
  });

  it('tells the user by mail that a password was set by a command', async () => {
    const input = Buffer.from(PASSWORD);
    const args = ['users', 'set-password', '4'];
    expect((await ledger.cli(args, { input, env: smtp.environment })).status).toBe(0);
    const [mail] = await smtp.mailsTo('user4@example.test', 1);
    expect(mail?.raw).toContain('Subject: Your password was set');
  });
});

describe('the log of a service whose links are used', () => {
  it('has neither the token nor the password nor the e-mail', async () => {
    const service = await RunningService.start(ledger, 1, {
      NODE_ENV: 'production',
      LOG_LEVEL: 'debug',
      REQUIRE_HTTPS: 'off',
      AUDIT_LOG: 'on',
      ...smtp.environment,
      MANAGEMENT_PORT: 'off',
    });
    const [{ link = '' } = {}] = invitedIn(await invite(['1', '--json']));
    const token = link.split('/').at(-1) ?? '';
    expect(token).toHaveLength(43);
    const visitor = new Visitor({ send: (request) => send(service.port, request) });
    const path = `/account/password/${token}`;
    await visitor.get(path);
    expect((await visitor.post(`${path}/more`, { new_password: PASSWORD })).status).toBe(404);
    expect((await visitor.post(path, { new_password: PASSWORD })).status).toBe(303);
    await visitor.get('/account/forgot-password');
    smtp.refusal = '550 no such mailbox';
    await visitor.post('/account/forgot-password', { email: 'user1@example.test' });
    await until('the log', () => service.lines(REQUEST).length >= 5);
    // The link would be made some seconds later, but a stop does not wait.
    await service.end();
    smtp.refusal = null;
    expect(service.lines(/could not be sent/)).toHaveLength(1);
    const secrets = { token, PASSWORD, 'the e-mail': 'user1@example.test' };
    expect(leaksIn(service.lines(/./).join('\n'), secrets)).toEqual([]);
    expect(service.lines(/password\.set/)).not.toEqual([]);
  });
});
