import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useBrowser } from '../support/browser/browser.js';
import { product, refund, transaction, user } from '../support/builders/ledger-records.js';
import { expectNumbersShown } from '../support/browser/number-boxes.js';
import { TestService } from '../support/servers/service.js';
import { openSignedIn } from '../support/browser/signed-in.js';
import { TestLedger } from '../support/builders/test-ledger.js';

const [VENDOR, AFFILIATE] = [1, 2];
const LONG_NAME = `The 2025 handbook of letterpress printing at home, 2nd edition, ${'x1'.repeat(40)}`;
const LONG_EMAIL = `${'customer.number.1234567890.'.repeat(2)}x@a-domain-of-some-length.example.test`;
const SALES = 12;

const browser = useBrowser();
let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
  await service.import([
    ...[user(VENDOR), user(AFFILIATE, { name: LONG_NAME, display_name: LONG_NAME })],
    ...[product(10, VENDOR, { name: LONG_NAME }), product(11, VENDOR)],
    ...Array.from({ length: SALES }, (_, index) => largeSale(index)),
  ]);
  const look = TestLedger.on(service.database);
  // As many sales as a report of years may count.
  await look.run('UPDATE vendor_sums SET transactions = transactions * 1234567');
  await look.close();
});
afterAll(() => service.stop());

/** Sums of 8 digits and more, every second of them refunded. */
function largeSale(index: number): object {
  const id = `${'PA-1234567890'.repeat(3)}-${index}`;
  return transaction(id, index % 3 === 0 ? 11 : 10, {
    ...{ affiliate_id: AFFILIATE, product_name: LONG_NAME, amount: '87654321.09' },
    sale_date: `2025-06-${10 + index}T12:00:00Z`,
    customer: { email: LONG_EMAIL, first_name: 'Bartholomew 3rd', last_name: 'B'.repeat(40) },
    payouts: {
      ...{ seller_earnings: '43827160.54', affiliate_payout: '43827160.55' },
      ...{ agent_payout: '0.00', jv_payout: '0.00', service_fee: '0.00' },
    },
    ...(index % 2 === 0
      ? {
          status: index % 4 === 0 ? 'refunded' : 'charged_back',
          refund: refund(`2025-06-${12 + index}T12:00:00Z`, {
            ...{ refund_amount: '87654321.09', seller_refund_impact: '-43827160.54' },
            ...{ affiliate_refund_impact: '-43827160.55', service_fee_adjustment: '0.00' },
          }),
        }
      : {}),
  });
}

const RANGE = 'from=2025-06-01&to=2025-07-31';

describe('every number is fully visible without horizontal scrolling,', () => {
  it.each([
    ['vendor', VENDOR, '87,654,321.09'],
    ['affiliate', AFFILIATE, '87,654,321.09'],
  ])('on the reports and lists of a %s', async (role, user_id, sum) => {
    const page = await openSignedIn(browser, service, user_id, '/account/security');
    for (const path of [
      ...[`/account/reports?range=all-time&as=${role}`, `/account/reports?${RANGE}&as=${role}`],
      ...['all', 'refunds'].map(
        (kind) => `/account/reports/transactions?${RANGE}&as=${role}&kind=${kind}`,
      ),
    ]) {
      await page.goto(path);
      expect(await page.getByText(sum).count()).toBeGreaterThan(0);
      await expectNumbersShown(page);
    }
    await page.goto('/account/reports/cohorts');
    await expectNumbersShown(page);
    await page.goto('/account/reports?from=2025-02-30&to=2025-01-01');
    browser.takeFaults(/400/);
    await expectNumbersShown(page);
  });

  it('on the other pages of the account', async () => {
    const page = await openSignedIn(browser, service, VENDOR, '/account/applications');
    await page.getByLabel('Name', { exact: true }).fill(`Bookkeeping 2025 ${'x1'.repeat(60)}`);
    await page
      .getByLabel('Allow only these addresses')
      .fill(`127.0.0.1,${'2001:db8::1234,'.repeat(20)}::1`);
    await page.getByLabel('Last day').fill('2099-12-31');
    await expectNumbersShown(page);
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.getByLabel('How long the old key still works').selectOption('7d');
    await page.getByRole('button', { name: 'Create a new key' }).click();
    await page.getByRole('heading', { name: 'The old key still works' }).waitFor();
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByLabel('Key of this application').waitFor();
    await expectNumbersShown(page);
    await page
      .getByRole('textbox', { name: 'Allow only these addresses' })
      .fill(`10.0.0.0/99, ${'x1'.repeat(100)}`);
    await page.getByRole('button', { name: 'Change the addresses' }).click();
    await page.getByText('are not addresses or networks').waitFor();
    browser.takeFaults(/400/);
    await expectNumbersShown(page);
    for (const path of ['/account/applications', '/account/security', '/docs', '/']) {
      await page.goto(path);
      if (path === '/docs') await page.locator('.opblock').first().waitFor();
      await expectNumbersShown(page);
    }
  });
});
