import { expect } from '@jest/globals';
import { PASSWORD, Visitor } from '../browser/visitor.js';
import type { RecordedService } from '../servers/recorded-service.js';
import type { TestSmtpServer } from '../servers/smtp-server.js';

/** Sends a link to all users without a password, and uses the last one. */
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
  // The first mail reports the new password, the second one has the link to reset it.
  await smtp.mailsTo(email, 2);
}
