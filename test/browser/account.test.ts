import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { expectFits, useBrowser } from '../support/browser/browser.js';
import { user } from '../support/builders/ledger-records.js';
import { TestService } from '../support/servers/service.js';
import { ageSessionsOf } from '../support/sql/session-age.js';
import { openSignedIn } from '../support/browser/signed-in.js';
import { make as makeApplication, openForm } from '../support/browser/application-pages.js';
import { TestLedger } from '../support/builders/test-ledger.js';
import { Visitor } from '../support/browser/visitor.js';

const [ANN, BOB] = [1, 2];
const APPLICATIONS = '/account/applications';
const HOSTILE_NAME = `<img src=x onerror="alert(1)"><script>alert(2)</script>"'`;

const browser = useBrowser();
let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([user(ANN, { name: HOSTILE_NAME }), user(BOB)]);
});
afterAll(() => service.stop());

async function make(page: Page, name: string): Promise<void> {
  await openForm(page);
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create application' }).click();
  await page.getByText('The application was created.').waitFor();
}

async function statusWith(key: string): Promise<number> {
  return (await service.get('/v3.0', key)).status;
}

describe('a vendor', () => {
  it('signs in, creates an application, copies its key, rotates and revokes it', async () => {
    const page = await openSignedIn(browser, service, ANN, APPLICATIONS);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await make(page, 'Bookkeeping');
    const copied = async () => {
      await page.getByRole('button', { name: 'Copy' }).click();
      await page.getByText('Copied.').waitFor();
      return String(await page.evaluate('navigator.clipboard.readText()'));
    };
    const first = await copied();
    expect(first).toMatch(/^vra_/);
    expect(await statusWith(first)).toBe(200);
    await page.getByLabel('How long the old key still works').selectOption('1h');
    await page.getByRole('button', { name: 'Create a new key' }).click();
    await page.getByText('The key was rotated.').waitFor();
    await page.getByRole('button', { name: 'Show the key' }).click();
    const second = await copied();
    expect(second).not.toBe(first);
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200]);
    await page.getByText('Revoke this application …').click();
    await page.getByRole('button', { name: 'Yes, revoke' }).click();
    await page.getByText('The application was revoked.').waitFor();
    await page.waitForTimeout(2_000);
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 401]);
  });

  it('uses the pages with only the keyboard', async () => {
    const page = await openSignedIn(browser, service, ANN, '/account/security');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    const names: string[] = [];
    for (let pressed = 0; pressed < 8; pressed += 1) {
      await page.keyboard.press('Tab');
      names.push(await focused(page));
    }
    expect(names).toEqual([
      'Vendor Reporting API',
      'Reports',
      'Customers',
      'Affiliates',
      'Developers',
      'Settings',
      // The search field has no text.
      '',
      expect.stringContaining('Your account'),
    ]);
    await page.keyboard.press('Enter');
    for (let pressed = 0; pressed < 2; pressed += 1) await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Sign out');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/sign-in');
  });

  it('sees a hostile name as plain text', async () => {
    const page = await openSignedIn(browser, service, ANN, APPLICATIONS);
    page.on('dialog', () => {
      throw new Error('a script of the name ran');
    });
    expect(await page.locator('.account .who strong').textContent()).toBe(HOSTILE_NAME);
    await make(page, HOSTILE_NAME);
    expect(await page.locator('h1').textContent()).toContain(HOSTILE_NAME);
    expect(await page.locator('main img, main script').count()).toBe(0);
  });

  it("finds nothing at another vendor's application", async () => {
    const bob = await Visitor.signedIn(service, BOB);
    const path = await makeApplication(bob, { name: 'Bob’s' });
    const page = await openSignedIn(browser, service, ANN, APPLICATIONS);
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(404);
    await page.getByText('You have no such API application.').waitFor();
    browser.takeFaults(/404/);
  });
});

describe('a form', () => {
  it('that was forged is rejected', async () => {
    const page = await openSignedIn(browser, service, ANN, APPLICATIONS);
    await openForm(page);
    await page.evaluate(`for (const field of document.getElementsByName('csrf_token')) {
      field.value = 'forged';
    }`);
    await page.getByLabel('Name', { exact: true }).fill('Forged');
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByText('What you typed is in the form, and is not saved yet.').waitFor();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Forged');
    await page.goto(APPLICATIONS);
    expect(await page.getByText('Forged').count()).toBe(0);
  });
});

describe('a wrong password', () => {
  it('is reported, and blocked for a while after some attempts', async () => {
    const limited = await TestService.on(
      { ...service.database, drop: () => Promise.resolve() },
      { THROTTLE_SIGN_INS: '2/1h' },
    );
    try {
      const page = await browser.open(limited.port, '/account/sign-in');
      const tryOnce = async () => {
        await page.getByLabel('E-mail').fill('user1@example.test');
        await page.getByLabel('Password').fill('wrong');
        await page.getByRole('button', { name: 'Sign in' }).click();
      };
      for (let tried = 0; tried < 2; tried += 1) {
        await tryOnce();
        const alert = page.getByRole('alert');
        expect(await alert.textContent()).toBe('Wrong e-mail or password.');
        expect(await page.getByLabel('E-mail').inputValue()).toBe('user1@example.test');
        browser.takeFaults(/401/);
      }
      await tryOnce();
      await page.getByText(/Too many sign-in attempts\. Wait \d+ s\./).waitFor();
      browser.takeFaults(/429/);
      // Requests in progress would fail once the service is gone.
      await page.waitForLoadState('networkidle');
    } finally {
      await limited.app.close();
    }
  });
});

describe('on phones and wide screens, light and dark,', () => {
  it('no page breaks an accessibility rule or is wider than the screen', async () => {
    const stranger = await browser.open(service.port, '/');
    await expectFits(stranger);
    await stranger.goto('/account/sign-in');
    await expectFits(stranger);
    const page = await openSignedIn(browser, service, BOB, '/account/security');
    await expectFits(page);
    await page.goto(APPLICATIONS);
    await make(page, `A name as long as people give ${'x'.repeat(60)}`);
    await expectFits(page);
    await page.getByLabel('Key of this application').waitFor();
    await page.getByText('Revoke this application …').click();
    await expectFits(page);
    const ledger = TestLedger.on(service.database);
    await ageSessionsOf(BOB, 11, ledger);
    await ledger.close();
    await page.getByRole('button', { name: 'Yes, revoke' }).click();
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Wrong password.').waitFor();
    browser.takeFaults(/400/);
    await expectFits(page);
    await page.goto(APPLICATIONS);
    await expectFits(page);
    await page.goto(`${APPLICATIONS}/999999`);
    browser.takeFaults(/404/);
    await expectFits(page);
  });

  it('so does the mirror, before and after it is added', async () => {
    const page = await openSignedIn(browser, service, BOB, '/account/upstream');
    await page.getByText('Advanced', { exact: true }).click();
    await expectFits(page);
    const url = `https://a-name-as-long-as-people-have.${'x'.repeat(60)}.example/api`;
    await page.getByLabel('Address of the other service').fill(url);
    await page.getByLabel('Your API key there').fill('vra_key');
    await page.getByLabel('Word for “service” there').fill('a b');
    await page.getByRole('button', { name: 'Test and connect' }).click();
    await page.getByText('It must be a word').waitFor();
    browser.takeFaults(/400/);
    await expectFits(page);
    await page.getByLabel('Your API key there').fill('vra_key');
    await page.getByLabel('Word for “service” there').fill('acme');
    await page.getByRole('button', { name: 'Test and connect' }).click();
    await page.getByText('Connect anyway').waitFor();
    browser.takeFaults(/400/);
    await expectFits(page);
    await page.getByLabel('Your API key there').fill('vra_key');
    await page.getByLabel('Connect anyway').check();
    await page.getByRole('button', { name: 'Test and connect' }).click();
    await page.getByText('The other service is connected.').waitFor();
    await page.getByRole('button', { name: 'Show the address' }).click();
    await page.getByLabel('Address for notifications').waitFor();
    await page.getByText('Remove this connection …').click();
    await expectFits(page);
    await page.getByRole('button', { name: 'Yes, remove it' }).click();
    await page.getByText('The connection was removed.').waitFor();
  });
});

async function focused(page: Page): Promise<string> {
  return String(await page.evaluate('document.activeElement.textContent'));
}
