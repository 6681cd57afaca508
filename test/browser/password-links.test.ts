import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordsService } from '../../src/modules/accounts/passwords/passwords.service.js';
import { expectFits, useBrowser } from '../support/browser/browser.js';
import { expectNothingHidden } from '../support/browser/page-boxes.js';
import { user } from '../support/builders/ledger-records.js';
import { TestService } from '../support/servers/service.js';
import { TestSmtpServer } from '../support/servers/smtp-server.js';

const ANN = 1;
const NEW = 'a new password, quite long';
const browser = useBrowser();
let smtp: TestSmtpServer;
let service: TestService;
beforeAll(async () => {
  smtp = await TestSmtpServer.start();
  service = await TestService.start(smtp.environment);
  await service.import([user(ANN, { name: `A name as long as people have ${'x'.repeat(60)}` })]);
});
afterAll(async () => {
  await service.stop();
  await smtp.stop();
});

async function newPath(): Promise<string> {
  const { link } = await service.app.get(PasswordsService).invite(ANN);
  return new URL(link).pathname;
}

describe('a user', () => {
  it('sets a password with a link and signs in, with only the keyboard', async () => {
    const page = await browser.open(service.port, await newPath());
    await page.getByLabel('New password').focus();
    await page.keyboard.type(NEW);
    await page.keyboard.press('Enter');
    await page.getByText('Your password is set. Sign in with it.').waitFor();
    await page.getByLabel('E-mail').focus();
    await page.keyboard.type('user1@example.test');
    await page.keyboard.press('Tab');
    await page.keyboard.type(NEW);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/reports');
    expect(await page.title()).not.toContain('password');
  });
});

describe('on phones and wide screens, light and dark,', () => {
  it('no page around a link breaks an accessibility rule, or hides something', async () => {
    const page = await browser.open(service.port, '/account/sign-in');
    const check = async () => {
      await expectFits(page);
      await expectNothingHidden(page);
    };
    await check();
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
    await check();
    await page.getByLabel('E-mail').fill('nobody@example.test');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor();
    await check();
    await page.goto(await newPath());
    await check();
    await page.getByLabel('New password').fill('aaaaaaaaaaaaaaa');
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('The password is too easy to guess.').waitFor();
    browser.takeFaults(/400/);
    await check();
    await page.goto('/account/password/none');
    browser.takeFaults(/404/);
    await check();
    await page.goto('/account/sign-in?done=password');
    await check();
  });
});
