import { expect } from '@jest/globals';
import { PASSWORD, Visitor } from '../browser/visitor.js';
import type { RecordedService } from '../servers/recorded-service.js';
import type { TestSmtpServer } from '../servers/smtp-server.js';

/** All users without a password get a link; that of the last one is used. */
export async function usePasswordLinks(
  recorded: RecordedService,
  smtp: TestSmtpServer,
): Promise<void> {
  const args = ['users', 'invite', '--all-without-password', '--json'];
  const { status, stdout } = await recorded.command(args, '', smtp.environment);
  expect(status).toBe(0);
  const { link, email } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}') as {
    link: string;
    email: string;
  };
  const visitor = new Visitor({ send: (request) => recorded.send('password links', request) });
  const { pathname } = new URL(link);
  expect((await visitor.get(pathname)).status).toBe(200);
  expect((await visitor.post(pathname, { new_password: PASSWORD })).status).toBe(303);
  await visitor.get('/account/forgot-password');
  expect((await visitor.post('/account/forgot-password', { email })).status).toBe(200);
  // That the password was set, and the link to another one.
  await smtp.mailsTo(email, 2);
}
