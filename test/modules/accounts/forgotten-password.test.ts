import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailerService } from '../../../src/platform/mail/mailer.service.js';
import type { Answer } from '../../support/http/http.js';
import { user } from '../../support/builders/ledger-records.js';
import { TestLedger } from '../../support/builders/test-ledger.js';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';
import { linkIn, TestSmtpServer } from '../../support/servers/smtp-server.js';
import { StatementLog } from '../../support/sql/statements.js';
import { SignInService } from '../../../src/modules/accounts/sessions/sign-in.service.js';

const PATH = '/account/forgot-password';
const NEW = 'a new password, quite long';
const HELD = [11, 12, 13, 14];
const [ANN, SUSPENDED, TWIN, OTHER_TWIN, WITHOUT_PASSWORD, FLOODED, LIMITED, MOVED, LATE] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9,
];

let smtp: TestSmtpServer;
let service: TestService;
let ledger: TestLedger;
let statements: StatementLog;
beforeAll(async () => {
  smtp = await TestSmtpServer.start();
  service = await TestService.start({
    ...smtp.environment,
    LOG_LEVEL: 'error',
    OPERATOR_CONTACT: 'Acme & Co. <mailto:help@acme.example>',
  });
  const twins = [TWIN, OTHER_TWIN].map((id) => user(id, { email: 'twins@example.test' }));
  const others = [ANN, WITHOUT_PASSWORD, FLOODED, LIMITED, MOVED, LATE, ...HELD].map((id) =>
    user(id),
  );
  await service.import([...others, ...twins, user(SUSPENDED)]);
  const users = service.app.get(SignInService);
  const withPassword = [ANN, SUSPENDED, TWIN, OTHER_TWIN, FLOODED, LIMITED, MOVED, LATE, ...HELD];
  for (const id of withPassword) await users.setPassword(id, PASSWORD);
  await service.import([user(SUSPENDED, { status: 'suspended' })]);
  ledger = TestLedger.on(service.database);
  // Setting these passwords sends mails.
  await until('the first mails', () => smtp.mails.length === withPassword.length);
  expect(JSON.stringify(smtp.mails[0])).toContain('contact Acme & Co. (help@acme.example) at');
  smtp.mails.length = 0;
  hurry(service);
  statements = await StatementLog.of(service);
});
afterAll(async () => {
  await ledger.close();
  await service.stop();
  await smtp.stop();
});

/** Sends mails without the random pause, which hides when a mail is sent. */
function hurry({ app }: TestService): void {
  const mailer = app.get(MailerService);
  const later = mailer.later.bind(mailer);
  mailer.later = (write) => {
    later(write);
  };
}

async function ask(email: string, at: Pick<TestService, 'send'> = service): Promise<Answer> {
  const visitor = new Visitor(at);
  await visitor.get(PATH);
  return visitor.post(PATH, { email });
}

const pathOf = (link: string) => new URL(link).pathname;

describe('a forgotten password', () => {
  it('is set anew with a link that comes by mail', async () => {
    expect((await new Visitor(service).get('/account/sign-in')).text).toContain(`href="${PATH}"`);
    const { text } = await ask(' User1@Example.test ');
    expect(text).toContain('Check your inbox');
    expect(text).toContain('ask <a href="mailto:help@acme.example">Acme &amp; Co.</a>.');
    const [mail] = await smtp.mailsTo('user1@example.test', 1);
    const link = linkIn(mail ?? { from: '', to: [], raw: '' });
    expect(new URL(link).origin).toBe('https://reports.example.test');
    expect(mail?.raw).toMatch(/^From: Reports <reports@example\.test>\r$/m);
    expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail?.raw).toMatch(/^Content-Type: text\/plain/m);
    const visitor = new Visitor(service);
    await visitor.get(pathOf(link));
    const set = await visitor.post(pathOf(link), { new_password: NEW });
    const next = new URLSearchParams({ done: 'password', next: '/account/security' });
    expect(set).toMatchObject({
      status: 303,
      headers: { location: `/account/sign-in?${next.toString()}` },
    });
    expect((await new Visitor(service).signIn('user1@example.test', NEW)).status).toBe(303);
    const [, told] = await smtp.mailsTo('user1@example.test', 2);
    expect(told?.raw).toContain('Subject: Your password was set');
    expect(told?.raw).not.toContain('/account/password/');
    expect(told?.raw).toContain('Account: User 1\r\nAccount ID: 1\r\n');
  });

  it('sends a link of its own for each user who signs in with the e-mail', async () => {
    await ask('twins@example.test');
    const mails = await smtp.mailsTo('twins@example.test', 2);
    const links = mails.map(linkIn);
    expect(new Set(links).size).toBe(2);
    for (const [index, id] of [TWIN, OTHER_TWIN].entries()) {
      const sorted = mails.find(({ raw }) => raw.includes(`Account: User ${id}\r\n`));
      const path = pathOf(linkIn(sorted ?? { from: '', to: [], raw: '' }));
      const visitor = new Visitor(service);
      expect((await visitor.get(path)).text).toContain(
        `For the account of <strong>User ${id}</strong>, account ID ${id}.`,
      );
      expect(sorted?.raw).toContain(`Account ID: ${id}\r\n`);
      const new_password = `${NEW} ${index}`;
      expect((await visitor.post(path, { new_password })).status).toBe(303);
      const signedIn = new Visitor(service);
      await signedIn.signIn('twins@example.test', new_password);
      expect((await signedIn.get('/account/security')).text).toContain(`>User ${id}<`);
    }
  });

  it('goes to the e-mail that the user signs in with, not to one that a record brought later', async () => {
    await service.import([user(MOVED, { email: 'taken.over@example.test' })]);
    expect((await ask('taken.over@example.test')).status).toBe(200);
    await ask(`user${MOVED}@example.test`);
    await smtp.mailsTo(`user${MOVED}@example.test`, 1);
    expect(smtp.mails.filter(({ to }) => to.includes('taken.over@example.test'))).toEqual([]);
  });

  it('tells nobody by the answer who has an account', async () => {
    const before = smtp.mails.length;
    const pages = new Set<string>();
    const nobody = [`user${SUSPENDED}@example.test`, `user${WITHOUT_PASSWORD}@example.test`];
    const hostile = ['user1@example.test\r\nBcc: evil@example.test', 'a,b@example.test', '', '@'];
    for (const email of [...nobody, 'nobody@example.test', ...hostile, 'user1@example.test']) {
      const { status, text, headers } = await ask(email);
      const { 'content-length': length } = headers;
      pages.add(JSON.stringify([status, length, text]));
    }
    expect(pages.size).toBe(1);
    await smtp.mailsTo('user1@example.test', 3);
    expect(smtp.mails.slice(before).map(({ to }) => to)).toEqual([['user1@example.test']]);
    expect(smtp.mails.map(({ raw }) => raw).join('')).not.toContain('evil');
  });

  it('is audited without the link', async () => {
    const rows = await ledger.rows(
      `SELECT action, state_after FROM audit_log WHERE subject = 'user ${ANN}' AND action <> 'user.set'`,
    );
    expect(JSON.stringify(rows)).toContain('"action":"password.forgotten"');
    expect(JSON.stringify(rows)).toContain('{\\"link\\":\\"forgotten\\"}');
    const everything = await ledger.everything();
    for (const mail of smtp.mails) {
      const token = linkIn(mail).split('/').at(-1) ?? '';
      if (token !== 'no link') expect(everything).not.toContain(token);
    }
  });
});

describe('the limits', () => {
  it('are three mails an hour for an e-mail, and the answer stays the same', async () => {
    const email = `user${FLOODED}@example.test`;
    const pages = new Set<string>();
    for (let asked = 0; asked < 6; asked += 1) {
      const { status, text } = await ask(email);
      pages.add(`${status} ${text}`);
    }
    expect(pages.size).toBe(1);
    // A mail that was requested later has arrived, so all earlier ones would have arrived, too.
    await ask(`user${LIMITED}@example.test`);
    await smtp.mailsTo(`user${LIMITED}@example.test`, 1);
    expect(await smtp.mailsTo(email, 3)).toHaveLength(3);
  });

  it('refuse an address that asks too often, whatever it asks for', async () => {
    const limited = await service.beside({ ...smtp.environment, THROTTLE_SIGN_INS: '3/1h' });
    try {
      const statuses: number[] = [];
      for (const name of ['nobody1', 'user1', 'nobody2', 'nobody3', 'user1']) {
        statuses.push((await ask(`${name}@example.test`, limited)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 429, 429]);
    } finally {
      await limited.app.close();
    }
  });
});

describe('the moment at which a link is made', () => {
  it('is not that of the requests after the answer, which it would delay', async () => {
    const beside = await service.beside({ ...smtp.environment, LOG_LEVEL: 'error' });
    const noted = await StatementLog.of(beside);
    const email = `user${LATE}@example.test`;
    const sent = await noted.allDuring(async () => {
      await ask(email, beside);
      for (let asked = 0; asked < 5; asked += 1) await new Visitor(beside).get(PATH);
    });
    expect(sent).toEqual([]);
    expect(smtp.mails.filter(({ to }) => to.includes(email))).toEqual([]);
    // A stop does not wait for the pause.
    await beside.app.close();
    await smtp.mailsTo(email, 1);
  });
});

describe('an SMTP server that does not answer', () => {
  it('is waited for by nobody, and no statement before the answer depends on the e-mail', async () => {
    smtp.hold();
    const before = smtp.connections;
    for (const id of HELD) expect((await ask(`user${id}@example.test`)).status).toBe(200);
    await until('four held mails', () => smtp.connections === before + HELD.length);
    // All slots are in use: later requests are only noted, and no user is looked up.
    const texts: string[][] = [];
    for (const email of [`user${LIMITED}@example.test`, 'nobody@example.test']) {
      const sent = await statements.allDuring(() => ask(email));
      texts.push(sent.map(({ sql }) => sql));
    }
    expect(texts[0]).toEqual(texts[1]);
    expect(texts.flat().filter((sql) => /users|password/.test(sql))).toEqual([]);
    smtp.release();
    for (const id of [...HELD, LIMITED]) await smtp.mailsTo(`user${id}@example.test`, 1);
  });

  it('refuses a recipient without anybody being told, and the next mail goes out', async () => {
    smtp.refusal = '550 no such mailbox';
    expect((await ask('twins@example.test')).status).toBe(200);
    await until('the refusal', () => smtp.refused > 0);
    smtp.refusal = null;
    await ask('user11@example.test');
    await smtp.mailsTo('user11@example.test', 2);
  });
});
