import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { useBrowser } from '../support/browser/browser.js';
import { expectNothingHidden } from '../support/browser/page-boxes.js';
import { openSignedIn } from '../support/browser/signed-in.js';
import {
  AFFILIATE,
  LONG_EMAIL,
  longId,
  longLedger,
  PRE_KEY,
  VENDOR,
} from '../support/builders/long-ledger.js';
import { TestLedger } from '../support/builders/test-ledger.js';
import { until } from '../support/servers/running-service.js';
import { TestService } from '../support/servers/service.js';

const RANGE = 'from=2025-06-01&to=2025-07-31';
const LIST = '/account/reports/transactions';
const SUM = '87,654,321.09';
/** The sum of all sales, with 12 digits. */
const TOTAL = '1,051,851,853.08';

/** Pages to check, each with its path and a text on it. New pages are added here. */
const OF_VENDORS: readonly (readonly [path: string, text: string])[] = [
  ['/account/reports?range=all-time&as=vendor', TOTAL],
  [`/account/reports?${RANGE}&as=vendor`, TOTAL],
  [`/account/reports?${RANGE}&as=vendor&partner=${AFFILIATE}`, TOTAL],
  [`${LIST}?${RANGE}&as=vendor&kind=all`, SUM],
  [`${LIST}?${RANGE}&as=vendor&kind=refunds`, SUM],
  [`/account/transactions/${longId(4)}`, 'Timeline'],
  ['/account/reports/cohorts', TOTAL],
  [`/account/affiliates?${RANGE}&columns=all`, TOTAL],
  [`/account/affiliates/${AFFILIATE}?${RANGE}`, TOTAL],
  [`/account/affiliates/${AFFILIATE}/terms?product=10`, 'Set the terms'],
  ['/account/subscriptions', 'Subscriptions'],
  ['/account/subscriptions?list=canceled', 'Subscriptions'],
  [`/account/subscriptions/${PRE_KEY}`, 'Payments, newest first'],
  [`/account/subscriptions/${PRE_KEY}/cancel`, 'cannot be undone'],
  ['/account/tracking?range=all-time&field=tid', TOTAL],
  ['/account/data-protection', 'Data protection'],
  [`/account/people?email=${LONG_EMAIL}`, 'What is kept'],
  [`/account/people/erase?email=${LONG_EMAIL}`, 'Erase this customer?'],
  [`${LIST}?${RANGE}&as=vendor&kind=all&status=settled`, 'Status: paid'],
  ['/account/search?q=long', 'for “long”'],
  ['/account/applications', 'API applications'],
  ['/account/webhooks', 'Webhooks'],
  ['/account/upstream', 'Import from another service'],
  ['/docs/components', 'Components'],
  ['/account/activity', 'Activity'],
  ['/account/security', 'Where you are signed in'],
  ['/account/security/two-factor', 'authenticator app'],
  ['/account/no-such-page', 'Page not found'],
  ['/', 'Vendor Reporting API'],
];
const OF_AFFILIATES: typeof OF_VENDORS = [
  ['/account/reports?range=all-time&as=affiliate', SUM],
  [`${LIST}?${RANGE}&as=affiliate&kind=all`, SUM],
  [`/account/transactions/${longId(4)}`, 'Your commission'],
  ['/account/earnings', 'My terms'],
  ['/account/earnings/tracking?range=all-time', 'commission from'],
];

const browser = useBrowser();
let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ CURRENCY: 'EUR' });
  await service.import(longLedger());
  const look = TestLedger.on(service.database);
  // The number of sales is that of a report over years.
  await look.run('UPDATE vendor_sums SET transactions = transactions * 1234567');
  await look.close();
});
afterAll(() => service.stop());

async function expectShown(page: Page, path: string, text: string): Promise<void> {
  const answer = await page.goto(path);
  if (answer?.status() === 404) browser.takeFaults(/404/);
  const found = await page.getByText(text).count();
  expect({ path, isFound: found > 0 }).toEqual({ path, isFound: true });
  await expectNothingHidden(page);
}

describe('everything is fully visible without horizontal scrolling,', () => {
  it.each([
    ['a vendor', VENDOR, OF_VENDORS],
    ['an affiliate', AFFILIATE, OF_AFFILIATES],
  ])('on the pages of %s', async (_, user_id, pages) => {
    const page = await openSignedIn(browser, service, user_id, '/account/security');
    for (const [path, text] of pages) await expectShown(page, path, text);
    await page.goto('/account/reports?from=2025-02-30&to=2025-01-01');
    browser.takeFaults(/400/);
    await expectNothingHidden(page);
  });

  it('on the page of a webhook endpoint whose delivery fails, and after it was skipped', async () => {
    const page = await openSignedIn(browser, service, VENDOR, '/account/webhooks');
    await page.getByLabel('Address').fill(`https://localhost/${'long-path'.repeat(20)}`);
    await page.getByText('Advanced').click();
    await page.getByLabel('All history first').check();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await until('the failure', async () => {
      await page.reload();
      return (await page.getByText('Skip this delivery').count()) > 0;
    });
    await page.getByText('Skip this delivery').click();
    await expectNothingHidden(page);
    await page.getByRole('button', { name: 'Yes, skip it' }).click();
    await page.getByText('The delivery was skipped.').waitFor();
    await expectNothingHidden(page);
  });

  it('on the pages of an application, with its key and with problems', async () => {
    const page = await openSignedIn(browser, service, VENDOR, '/account/applications');
    await page.getByLabel('Name', { exact: true }).fill(`Bookkeeping 2025 ${'x1'.repeat(60)}`);
    await page.getByText('Advanced').click();
    await page
      .getByLabel('Allow only these addresses')
      .fill(`127.0.0.1,${'2001:db8::1234,'.repeat(20)}::1`);
    await page.getByLabel('Expires').fill('2099-12-31');
    await expectNothingHidden(page);
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByLabel('How long the old key still works').selectOption('7d');
    await page.getByRole('button', { name: 'Create a new key' }).click();
    await page.getByRole('heading', { name: 'The old key still works' }).waitFor();
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByLabel('Key of this application').waitFor();
    await expectNothingHidden(page);
    await page
      .getByRole('textbox', { name: 'Allow only these addresses' })
      .fill(`10.0.0.0/99, ${'x1'.repeat(100)}`);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('are not addresses or networks').waitFor();
    browser.takeFaults(/400/);
    await expectNothingHidden(page);
    await page.goto('/account/applications');
    await expectNothingHidden(page);
  });

  it('on the reference', async () => {
    const page = await browser.open(service.port, '/docs');
    await page.locator('.opblock').first().waitFor();
    await expectNothingHidden(page);
  });
});
