/**
 * Twelve tasks of a vendor and four typical questions, each done with the mouse from the page that
 * opens after sign-in, in at most as many clicks as the task may take. Typing is no click, and
 * neither is Enter, but a choice in a list is one.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { useBrowser } from '../support/browser/browser.js';
import { openSignedIn } from '../support/browser/signed-in.js';
import { codeOf } from '../support/browser/two-factor.js';
import { PASSWORD } from '../support/browser/visitor.js';
import {
  COURSE,
  daysOfLastMonth,
  ELENA,
  LEAVER,
  MASTERCLASS,
  MEMBER,
  MEMBERSHIP,
  MILE_MARKERS,
  MILE_MARKERS_ID,
  NEW_VENDOR,
  PAINT_ALONG_ID,
  taskLedger,
  VENDOR,
} from '../support/builders/task-ledger.js';
import { TestService } from '../support/servers/service.js';

const START = '/account/reports?range=last-month';

const browser = useBrowser();
let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ CURRENCY: '$' });
  await service.import(taskLedger());
});
afterAll(() => service.stop());

/** A person with a mouse, whose clicks are counted. */
class Person {
  private clicks = 0;

  private constructor(readonly page: Page) {}

  static async at(path = START, user_id = VENDOR): Promise<Person> {
    return new Person(await openSignedIn(browser, service, user_id, path));
  }

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.first().click();
  }

  /** Opens a page of a menu of the header. */
  async openFromMenu(menu: string, entry: string): Promise<void> {
    const header = this.page.getByRole('navigation', { name: 'Account' });
    await this.click(header.getByText(menu, { exact: true }));
    await this.click(header.getByRole('link', { name: entry }));
  }

  async choose(list: Locator, option: string): Promise<void> {
    this.clicks += 1;
    await list.selectOption(option);
  }

  async search(text: string): Promise<void> {
    const field = this.page.getByRole('searchbox');
    await field.fill(text);
    await field.press('Enter');
    await this.page.waitForURL('**/account/search?**');
  }

  async download(link: Locator): Promise<string> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), this.click(link)]);
    return readFileSync(await download.path(), 'utf8');
  }

  link(name: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('link', { name });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('main').getByRole('button', { name });
  }

  figure(name: string): Locator {
    return this.page.locator('.figure', { has: this.page.getByText(name, { exact: true }) });
  }

  /** Returns the row of the only table of the page, or of its first one, with a text. */
  row(text: string): Locator {
    return this.page.locator('tbody tr', { hasText: text }).first();
  }

  cell(row: Locator, column: string): Locator {
    return row.locator(`[data-label="${column}"]`);
  }

  expectClicks(most: number): void {
    const { clicks } = this;
    expect({ clicks, isEnough: clicks <= most }).toEqual({ clicks, isEnough: true });
  }
}

/** Returns the values of a column of a CSV file without quoted line breaks. */
function columnIn(csv: string, name: string): string[] {
  const [head = '', ...lines] = csv.trim().split('\r\n');
  const at = head.split(',').indexOf(name);
  expect(at).toBeGreaterThan(0);
  return lines.map((line) => line.split(',').at(at - head.split(',').length) ?? '');
}

function centsOf(amounts: readonly string[]): number {
  return amounts.reduce((sum, amount) => sum + Math.round(Number(amount) * 100), 0);
}

describe('a task of a vendor', () => {
  it('1: the net earnings of last month, as a file for the tax adviser', async () => {
    const person = await Person.at('/account/reports');
    const { page } = person;
    const [first, last] = daysOfLastMonth();
    await person.click(page.locator('.period-bar summary'));
    await page.getByLabel('First day').fill(first);
    await page.getByLabel('Last day').fill(last);
    await page.getByLabel('Last day').press('Enter');
    await page.waitForURL(`**from=${first}**`);
    expect(await person.figure('Net earnings').textContent()).toContain('$310.00');
    const csv = await person.download(person.link('Download as CSV'));
    expect(centsOf(columnIn(csv, 'in_period'))).toBe(31_000);
    person.expectClicks(2);
  });

  it('2: why there are fewer refunds', async () => {
    const person = await Person.at();
    const { page } = person;
    expect(await person.figure('Refunds').textContent()).toMatch(
      /\$141\.00.*3 refunds.*−40\.0%.*\(was \$235\.00\)/,
    );
    await person.click(person.figure('Refunds').getByRole('link'));
    await page.waitForURL('**kind=refunds**');
    expect(await page.locator('tbody tr').count()).toBe(3);
    expect(await page.locator('tfoot').textContent()).toContain('$141.00');
    person.expectClicks(3);
  });

  it('3: the list behind the net earnings adds up to them', async () => {
    const person = await Person.at();
    await person.click(person.figure('Net earnings').getByRole('link'));
    await person.page.waitForURL('**/reports/transactions?**');
    expect(await person.page.locator('tfoot').textContent()).toContain('$310.00');
    person.expectClicks(2);
  });

  it('4: all refunds of one affiliate', async () => {
    const person = await Person.at();
    const { page } = person;
    await person.click(person.figure('Refunds').getByRole('link'));
    await page.waitForURL('**kind=refunds**');
    await person.click(page.getByText('More filters'));
    await page.getByLabel('Affiliate', { exact: true }).fill(ELENA);
    await page.getByLabel('Affiliate', { exact: true }).press('Enter');
    await page.waitForURL(`**partner=**`);
    expect(await page.locator('tbody tr').count()).toBe(2);
    expect(await page.locator('tfoot').textContent()).toContain('$94.00');
    person.expectClicks(3);
  });

  it('5: what is owed to an affiliate, and for which sales', async () => {
    const person = await Person.at();
    const { page } = person;
    await person.click(person.figure('Unpaid commissions').getByRole('link'));
    await page.waitForURL('**/account/affiliates?**');
    const unpaid = person.cell(person.row(ELENA), 'Unpaid');
    expect(await unpaid.textContent()).toBe('$40.00');
    await person.click(unpaid.getByRole('link'));
    await page.waitForURL('**/reports/transactions?**');
    expect(await page.locator('tfoot').textContent()).toContain('$40.00');
    person.expectClicks(3);
  });

  it('6: a commission of 50 percent for three products', async () => {
    const person = await Person.at('/account/reports');
    const { page } = person;
    await person.click(page.getByRole('link', { name: 'Affiliates', exact: true }));
    await person.click(person.link(MILE_MARKERS));
    for (const product of [COURSE, MEMBERSHIP, MASTERCLASS]) {
      await person.click(person.link(product));
      await page.getByLabel(/^Commission/).fill('50');
      await person.click(person.button('Save'));
      await page.getByText('The terms were saved.').waitFor();
      if (product !== MASTERCLASS)
        await person.click(person.link(new RegExp(`^(?:← )?${MILE_MARKERS}$`)));
    }
    person.expectClicks(11);
    await page.goto(`/account/affiliates/${MILE_MARKERS_ID}`);
    expect(await page.getByRole('cell', { name: '50%', exact: true }).count()).toBe(3);
  });

  it('7: cancels the subscription of a member, found by name', async () => {
    const person = await Person.at();
    await person.search(MEMBER.last_name);
    await person.click(person.link(`${MEMBER.first_name} ${MEMBER.last_name}`));
    await person.click(person.link(/^Cancel/));
    await person.click(person.button('Cancel the subscription'));
    await person.page.getByText('The subscription was canceled.').waitFor();
    person.expectClicks(3);
    expect(await person.figure('Next payment').count()).toBe(0);
  });

  it('8: a read-only key for a program', async () => {
    const person = await Person.at();
    const { page } = person;
    await person.openFromMenu('Developers', 'API applications');
    await page.getByLabel('Name', { exact: true }).fill('Bookkeeping');
    expect(
      await page
        .getByRole('radio', { name: /^Read only/ })
        .first()
        .isChecked(),
    ).toBe(true);
    await person.click(person.button('Create application'));
    const key = await page.getByLabel('Key of this application').inputValue();
    person.expectClicks(3);
    expect((await service.get('/ledger/v1', key)).status).toBe(200);
    expect(
      (await service.put(`/v2.1/affiliates/${MILE_MARKERS_ID}/products/10`, key, {})).status,
    ).toBe(403);
  });

  it('9: a webhook, its test, and why the test fails', async () => {
    const person = await Person.at();
    const { page } = person;
    await person.openFromMenu('Developers', 'Webhooks');
    const field = page.getByLabel('Address', { exact: true });
    await field.fill('https://hooks.invalid/');
    await field.press('Enter');
    await page.getByText('The endpoint was added.').waitFor();
    await person.click(person.button('Send a test'));
    await page.getByText('Test failed: hooks.invalid does not exist (DNS).').waitFor();
    person.expectClicks(3);
  });

  it('10: the campaign with the lowest refund rate', async () => {
    const person = await Person.at();
    const { page } = person;
    await person.click(page.getByRole('link', { name: 'Tracking', exact: true }));
    await page.waitForURL('**/account/tracking?**range=last-month**');
    await person.click(person.link(/^Campaign/));
    await page.waitForURL('**field=utm_campaign**');
    await person.click(page.getByRole('columnheader', { name: /^Refund rate/ }).getByRole('link'));
    await page.waitForURL('**sort=refund_rate**');
    const rates = await page.locator('tbody [data-label="Refund rate"]').allTextContents();
    expect(rates).toEqual(['0.0%', '50.0%']);
    expect(await page.locator('tbody th').allTextContents()).toEqual(['newsletter', 'launch']);
    person.expectClicks(3);
  });

  it('11: exports and erases the data of a customer', async () => {
    const person = await Person.at();
    await person.search(LEAVER.last_name);
    await person.click(person.link(`${LEAVER.first_name} ${LEAVER.last_name}`));
    expect(await person.download(person.link('Export the data'))).toContain(LEAVER.email);
    await person.click(person.link(/^Erase/));
    await person.click(person.button('Erase this customer'));
    await person.page.getByText('The personal data was erased.').waitFor();
    person.expectClicks(5);
  });

  it('12: sets up two-factor sign-in', async () => {
    const person = await Person.at(START, NEW_VENDOR);
    const { page } = person;
    await person.openFromMenu('Settings', 'Security');
    await person.click(person.link('Set up two-factor sign-in'));
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByLabel('Current password').press('Enter');
    const secret = String(await page.locator('.secret').textContent()).replaceAll(' ', '');
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, -1));
    await page.getByLabel('Code', { exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Two-factor sign-in is on' }).waitFor();
    person.expectClicks(5);
  });
});

describe('a question of a vendor', () => {
  it('“why less than before?” takes one click', async () => {
    const person = await Person.at();
    const { page } = person;
    const said = page.getByText('Net earnings changed by');
    expect(await said.textContent()).toContain('−$290.00');
    expect(await page.locator('.changes li').allTextContents()).toEqual([
      'Course −$450.00',
      'Membership +$160.00',
    ]);
    expect(await page.locator('.changes').getByRole('link').allTextContents()).toEqual([
      'Course',
      'Membership',
    ]);
    await person.click(person.link('Largest change'));
    await page.waitForURL('**top=change**');
    const products = page.getByRole('table').filter({ hasText: 'Membership' }).last();
    expect(await products.locator('tbody th').first().textContent()).toBe('Course');
    expect(await products.locator('tbody [data-label="Change"]').first().textContent()).toBe(
      '−$450.00',
    );
    person.expectClicks(1);
  });

  it('“what do I owe, and to whom?” takes one click', async () => {
    const person = await Person.at();
    const { page } = person;
    expect(await person.figure('Unpaid commissions').textContent()).toContain('$50.00');
    await person.click(person.figure('Unpaid commissions').getByRole('link'));
    await page.waitForURL('**/account/affiliates?**');
    const unpaid = await page.locator('[data-label="Unpaid"]').allTextContents();
    expect(unpaid.slice(0, 2)).toEqual(['$40.00', '$10.00']);
    expect(unpaid.at(-1)).toBe('$50.00');
    person.expectClicks(1);
  });

  it('“who changed the commission?” takes one click from the affiliate', async () => {
    const path = `/account/affiliates/${PAINT_ALONG_ID}`;
    const person = await Person.at(`${path}/terms?product=10`);
    const { page } = person;
    await page.getByLabel(/^Commission/).fill('35');
    await page.getByLabel(/^Commission/).press('Enter');
    await page.getByText('The terms were saved.').waitFor();
    await page.goto(path);
    await person.click(person.link(COURSE));
    await page.waitForURL('**/terms?product=10');
    const history = page.getByRole('group', { name: 'History' });
    expect(await history.textContent()).toMatch(/You(?:Added|Changed) affiliate terms/);
    expect(await history.textContent()).toMatch(/commission.*35/i);
    person.expectClicks(1);
  });
});
