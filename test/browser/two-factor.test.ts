/** Two-factor sign-in and notices in a browser, from 390 to 1920 px. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFits, useBrowser } from '../support/browser/browser.js';
import { expectNothingHidden } from '../support/browser/page-boxes.js';
import { openSignedIn } from '../support/browser/signed-in.js';
import { codeOf } from '../support/browser/two-factor.js';
import { PASSWORD, Visitor } from '../support/browser/visitor.js';
import { user } from '../support/builders/ledger-records.js';
import { TestService } from '../support/servers/service.js';

const SECURITY = '/account/security';
const ANN = 1;

const browser = useBrowser();
let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ TRUST_PROXY: '1' });
  await service.import([user(ANN, { name: 'x1'.repeat(60) })]);
});
afterAll(() => service.stop());

describe('two-factor sign-in', () => {
  it('is set up and used with the keyboard', async () => {
    const page = await openSignedIn(browser, service, ANN, SECURITY);
    const check = async () => {
      await expectFits(page);
      await expectNothingHidden(page);
    };
    const email = `user${ANN}@example.test`;
    const away = new Visitor(service, { 'X-Forwarded-For': '2001:db8:1234:5678:9abc:def0::1' });
    expect((await away.signIn(email)).status).toBe(303);
    await page.goto(SECURITY);
    await page.getByText('New sign-in from').waitFor();
    await check();
    await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await page.getByText('New sign-in from').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Set up two-factor sign-in' }).press('Enter');
    await check();
    await page.getByRole('link', { name: 'Cancel' }).waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('Current password').press('Enter');
    const secret = String(await page.locator('.secret').textContent()).replaceAll(' ', '');
    await check();
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, -1));
    await page.getByLabel('Code', { exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Two-factor sign-in is on' }).waitFor();
    await check();
    const [recoveryCode = ''] = await page.locator('#codes code').allTextContents();
    await page.getByRole('link', { name: 'I have saved them' }).press('Enter');
    await page.getByRole('link', { name: 'Recovery codes, or turn it off' }).press('Enter');
    await page.getByRole('heading', { name: 'Turn off' }).waitFor();
    await check();

    // The check has opened all menus.
    await page.reload();
    await page.locator('.account > summary').press('Enter');
    await page.locator('.account').getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByLabel('Password').press('Enter');
    await page.getByRole('heading', { name: 'Enter your code' }).waitFor();
    // The page focuses its field a moment after it is shown.
    await page.locator('input:focus').waitFor();
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByText('Wrong code, or it was used before.').waitFor();
    browser.takeFaults(/401/);
    await check();
    await page.getByText('Use a recovery code').press('Enter');
    await check();
    await page.getByRole('textbox', { name: 'Recovery code' }).fill(recoveryCode);
    await page.getByRole('textbox', { name: 'Recovery code' }).press('Enter');
    await page.waitForURL('**/account/reports');
  });
});
