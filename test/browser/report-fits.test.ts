import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectFits, useBrowser } from '../support/browser/browser.js';
import { AFFILIATE, lastMonthLedger, REPORT, VENDOR } from '../support/browser/last-month.js';
import { recurringPayment, transaction } from '../support/builders/ledger-records.js';
import { TestService } from '../support/servers/service.js';
import { openSignedIn } from '../support/browser/signed-in.js';

const LIST = '/account/reports/transactions?range=last-month';

const browser = useBrowser();
let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  await service.import(lastMonthLedger());
});
afterAll(() => service.stop());

describe('the affiliates, with the keyboard alone,', () => {
  it('are sorted, opened, and given other terms', async () => {
    const page = await openSignedIn(
      browser,
      service,
      VENDOR,
      '/account/affiliates?range=last-month',
    );
    await page.getByRole('link', { name: 'Sales', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**sort=sales&order=desc');
    expect(await page.locator('[aria-sort=descending]').textContent()).toBe('Sales ▼');
    await page.locator('tbody a').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Set terms' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Approved, paid at once').focus();
    await page.keyboard.press('Space');
    await page.getByRole('spinbutton', { name: /^Commission/ }).focus();
    await page.keyboard.type('40');
    await page.keyboard.press('Enter');
    await page.getByText('The terms were saved.').waitFor();
    expect(await page.getByRole('spinbutton', { name: /^Commission/ }).inputValue()).toBe('40');
  });
});

describe('on phones and wide screens, light and dark,', () => {
  it.each([
    ['a vendor', VENDOR],
    ['an affiliate', AFFILIATE],
  ])(
    'no report of %s breaks an accessibility rule or is wider than the screen',
    async (_, user_id) => {
      const page = await openSignedIn(browser, service, user_id, REPORT);
      await page.getByText('Data table').click();
      await expectFits(page);
      await page.getByRole('link', { name: 'View transactions' }).click();
      await page.waitForURL('**/transactions?**');
      await page.getByText('Options', { exact: true }).click();
      await expectFits(page);
      await page.goto('/account/transactions/T0');
      await expectFits(page);
      await page.goto('/account/reports?range=today');
      await expectFits(page);
      await page.goto('/account/reports/cohorts');
      await expectFits(page);
      for (const path of [
        '/account/search?q=c@example',
        '/account/people?email=c%40example.test',
        '/account/activity',
        '/account/data-protection',
      ]) {
        await page.goto(path);
        await expectFits(page);
      }
      await page.goto(`${LIST}&status=settled&tid=${'long-tracking-id'.repeat(9)}#filter`);
      await expectFits(page);
      await page.goto('/account/reports?from=2025-02-30&to=2025-02-01');
      browser.takeFaults(/400/);
      await expectFits(page);
      for (const path of [
        '/account/tracking?range=all-time&field=tid',
        '/account/earnings',
        '/account/earnings/tracking?range=all-time',
        '/account/earnings/tracking?from=2020-01-01&to=2020-01-02',
      ]) {
        await page.goto(path);
        await expectFits(page);
      }
    },
  );

  it('nor does a page of affiliates', async () => {
    const page = await openSignedIn(browser, service, VENDOR, '/account/affiliates');
    await expectFits(page);
    for (const path of [
      '?from=2025-02-30&to=x',
      `/${AFFILIATE}`,
      `/${AFFILIATE}/terms?product=10`,
    ]) {
      await page.goto(`/account/affiliates${path}`);
      if (path.startsWith('?')) browser.takeFaults(/400/);
      await expectFits(page);
    }
  });
});

describe('on a wide screen,', () => {
  it('tables of few columns are tables, and no cards', async () => {
    await service.import([
      recurringPayment('PRE-1', 10),
      transaction('PRE-1-SALE', 10, { pre_key: 'PRE-1' }),
    ]);
    const look = { width: 1440 };
    const page = await openSignedIn(browser, service, VENDOR, '/account/security', look);
    for (const path of ['/account/security', '/account/subscriptions/PRE-1']) {
      await page.goto(path);
      const displays = await page
        .locator('main :is(tr, th, td)')
        .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).display));
      expect(new Set(displays)).toEqual(new Set(['table-row', 'table-cell']));
    }
  });

  it.each([
    [1440, 230],
    [390, 400],
  ])('the first figure comes early on a screen of %d px', async (width, most) => {
    const page = await openSignedIn(browser, service, VENDOR, REPORT, { width });
    for (const path of [REPORT, '/account/affiliates', '/account/tracking?range=last-month']) {
      await page.goto(path);
      const header = await page.locator('header.site').boundingBox();
      const figure = await page.locator('.figure dd, .lead').first().boundingBox();
      const isEarly = (figure?.y ?? most + 1) <= most;
      expect({ path, isEarly, height: header?.height }).toEqual({
        path,
        isEarly: true,
        height: 56,
      });
    }
  });

  it('a button stays beside its fields when one of them has a problem', async () => {
    const page = await openSignedIn(browser, service, VENDOR, LIST);
    await page.goto(`${LIST}&product=nothing`);
    browser.takeFaults(/400/);
    const form = page.locator('form.choose', { has: page.locator('.field-problem') });
    const fields = form.locator('input:visible, select:visible').first();
    const [field, button] = await Promise.all(
      [fields, form.getByRole('button', { name: 'Apply' })].map((part) => part.boundingBox()),
    );
    expect(Math.abs((button?.y ?? 0) - (field?.y ?? 99))).toBeLessThan(4);
  });
});

describe('an affiliate on a phone', () => {
  it('has a line with its gross, and one with at most three facts that are not zero', async () => {
    const path = '/account/affiliates?range=last-month';
    const page = await openSignedIn(browser, service, VENDOR, path, { width: 390 });
    const row = page.locator('tbody tr').first();
    const labels = await row
      .locator('td:visible')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('data-label')));
    expect(labels).toContain('Gross');
    expect(labels.length).toBeLessThanOrEqual(4);
    expect(await row.locator('td.fact.zero').count()).toBe(0);
    const [name, gross, fact] = await Promise.all(
      ['th', 'td.main', 'td.fact >> nth=0'].map((part) => row.locator(part).boundingBox()),
    );
    expect(Math.abs((name?.y ?? 0) - (gross?.y ?? 99))).toBeLessThan(8);
    expect((gross?.x ?? 0) + (gross?.width ?? 0)).toBeGreaterThan(350);
    expect(fact?.y).toBeGreaterThan(name?.y ?? 999);
    expect(await page.locator('thead th:visible').allTextContents()).toContain('Gross ▼');
  });
});

describe('a transaction of a list', () => {
  it('takes few lines on a phone, where a link opens the filter', async () => {
    const page = await openSignedIn(browser, service, VENDOR, LIST, { width: 390 });
    const rows = page.locator('tbody tr');
    const heights = await rows.evaluateAll((found) =>
      found.map((row) => row.getBoundingClientRect().height),
    );
    const usual = await rows.filter({ hasText: 'Ada Lovelace' }).boundingBox();
    // Its lines: the customer and the amount, the day and the product, the earnings and the status.
    expect(usual?.height).toBeLessThan(90);
    // The hostile names of a product and a customer need a line each.
    expect(Math.max(...heights)).toBeLessThan(130);
    const [date, customer, amount] = await Promise.all(
      ['th', 'td.title', 'td.main'].map((part) => rows.first().locator(part).boundingBox()),
    );
    expect(Math.abs((customer?.y ?? 0) - (amount?.y ?? 99))).toBeLessThan(8);
    expect(date?.y).toBeGreaterThan(customer?.y ?? 999);
    expect(await page.getByLabel('Customer, e-mail or transaction id').isVisible()).toBe(false);
    await page.getByRole('link', { name: 'Filter' }).click();
    expect(await page.getByLabel('Customer, e-mail or transaction id').isVisible()).toBe(true);
    await page.goto(LIST);
    // The whole row leads to the transaction.
    await page
      .locator('tbody tr')
      .first()
      .click({ position: { x: 300, y: 30 } });
    await page.waitForURL('**/account/transactions/**');
    await page.goto(LIST);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await page.getByLabel('Customer, e-mail or transaction id').isVisible()).toBe(true);
  });
});
