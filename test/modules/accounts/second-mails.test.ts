/**
 * A mail that the SMTP server rejects temporarily is sent again; one that it rejects permanently is
 * not.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { PASSWORD, Visitor } from '../../support/browser/visitor.js';
import { user } from '../../support/builders/ledger-records.js';
import { statesOf } from '../../support/processes/gauges.js';
import { until } from '../../support/servers/running-service.js';
import { TestService } from '../../support/servers/service.js';
import { TestSmtpServer } from '../../support/servers/smtp-server.js';

const [REFUSED, LATE, LAST] = [1, 2, 3];
const SECURITY = '/account/security';

let smtp: TestSmtpServer;
let service: TestService;
beforeAll(async () => {
  smtp = await TestSmtpServer.start();
  service = await TestService.start(smtp.environment);
  await service.import([user(REFUSED), user(LATE), user(LAST)]);
});
afterAll(async () => {
  await service.stop();
  await smtp.stop();
});

/** Changes the password, which sends a mail about it to the user. */
async function changePassword(visitor: Visitor): Promise<void> {
  await visitor.get(SECURITY);
  const fields = { password: PASSWORD, new_password: `${PASSWORD}, changed` };
  expect((await visitor.post(`${SECURITY}/password`, fields)).status).toBe(303);
}

it('is sent again after some seconds, and once', async () => {
  const [first, second] = [
    await Visitor.signedIn(service, REFUSED),
    await Visitor.signedIn(service, LATE),
  ];
  smtp.mails.length = 0;
  smtp.refusal = '550 no such mailbox';
  await changePassword(first);
  await until('the refusal', () => smtp.refused === 1);
  smtp.refusal = '451 not now';
  await changePassword(second);
  await until('the second refusal', () => smtp.refused === 2);
  smtp.refusal = null;
  await smtp.mailsTo(`user${LATE}@example.test`, 1);
  // If the first mail were sent again, it would have arrived, because it was rejected earlier.
  expect(smtp.mails.map(({ to }) => to)).toEqual([[`user${LATE}@example.test`]]);
  expect(smtp.refused).toBe(2);
  expect(await statesOf(service, 'mails_total')).toMatchObject({ failed: 1, dropped: 0 });
});

it('is sent a third and last time, which a stop does not wait for', async () => {
  const beside = await service.beside(smtp.environment);
  const visitor = await Visitor.signedIn(beside, LAST);
  smtp.mails.length = 0;
  smtp.refused = 0;
  smtp.refusal = '451 not now';
  await changePassword(visitor);
  await until('the second refusal', () => smtp.refused === 2 && smtp.open === 0);
  smtp.refusal = null;
  await beside.stop();
  expect(smtp.mails.map(({ to }) => to)).toEqual([[`user${LAST}@example.test`]]);
});
