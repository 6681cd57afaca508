import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useBrowser } from '../support/browser/browser.js';
import {
  AFFILIATE,
  HOSTILE,
  lastMonthLedger,
  REPORT,
  SALES,
  VENDOR,
} from '../support/browser/last-month.js';
import { TestService } from '../support/servers/service.js';
import { openSignedIn } from '../support/browser/signed-in.js';

const browser = useBrowser();
let service: TestService;
beforeAll(async () => {
  service = await TestService.start({ CURRENCY: '€' });
  await service.import(lastMonthLedger());
});
afterAll(() => service.stop());

describe('the report of last month', () => {
  it('draws its chart from the data table', async () => {
    const page = await openSignedIn(browser, service, VENDOR, REPORT);
    await page.waitForSelector('canvas[data-drawn=true]');
    const drawn = await page.evaluate<number>(`(() => {
      const canvas = document.querySelector('canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    })()`);
    expect(drawn).toBeGreaterThan(10);
    await page.getByText('Data table').click();
    expect(await page.locator('#periods tbody tr').count()).toBeGreaterThanOrEqual(28);
  });

  it('links to the transactions behind a figure and to the next page', async () => {
    const page = await openSignedIn(browser, service, VENDOR, REPORT);
    const sales = page.locator('.figure', { has: page.getByText('Sales', { exact: true }) });
    await sales.getByRole('link').click();
    await page.getByText(`${SALES} sales`).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(50);
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByRole('link', { name: 'Newer' }).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(SALES - 50);
  });

  it('narrows the list down, and widens it again', async () => {
    const page = await openSignedIn(browser, service, VENDOR, REPORT);
    await page.getByRole('link', { name: 'View transactions' }).click();
    await page.getByLabel('Status').selectOption('refunded');
    expect(await page.getByLabel('Amount from').isVisible()).toBe(false);
    await page.getByText('More filters').click();
    await page.getByLabel('Amount from').fill('1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText(`${SALES / 10} transactions`).waitFor();
    await page.getByRole('link', { name: 'Remove the filter Status: refunded' }).click();
    await page.getByText('More than 50 transactions').waitFor();
  });

  it('keeps the order of the text around a value that reverses text', async () => {
    const page = await openSignedIn(browser, service, VENDOR, REPORT);
    const tid = encodeURIComponent('\u2069\u202egnp.exe');
    await page.goto(`/account/reports/transactions?range=last-month&tid=${tid}`);
    const chip = page.getByRole('link', { name: 'Remove the filter' });
    await chip.waitFor();
    const [value, cross] = await Promise.all(
      ['bdi', 'span'].map(async (part) => (await chip.locator(part).boundingBox())?.x),
    );
    expect(cross).toBeGreaterThan(value ?? Infinity);
  });

  it('searches by the key /, but not while somebody types', async () => {
    const page = await openSignedIn(browser, service, VENDOR, REPORT);
    await page.getByText('Options', { exact: true }).click();
    await page.getByLabel('Chart').focus();
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.name')).toBe('by');
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await page.keyboard.type('C@Example/');
    expect(await page.getByRole('searchbox').inputValue()).toBe('C@Example/');
    await page.getByRole('searchbox').fill('C@Exam');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Customers/ }).waitFor();
    const sales = page.locator('[aria-label="Sales by the customer’s e-mail"] tbody tr');
    expect(await sales.count()).toBe(0);
    await page.getByRole('link', { name: 'Show all sales' }).click();
    await page.waitForURL('**as=vendor**');
    expect(await sales.count()).toBe(50);
    await page.getByRole('link', { name: 'More' }).click();
    await page.waitForURL('**cursor=**');
    // One sale has another customer.
    expect(await sales.count()).toBe(SALES - 1 - 50);
  });

  it('switches to the day of the sale, and to the previous year', async () => {
    const page = await openSignedIn(browser, service, VENDOR, REPORT);
    await page.getByText('Options', { exact: true }).click();
    expect(await page.getByLabel('refund date').isChecked()).toBe(true);
    await page.getByLabel('sale date').check();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Refunds by sale date').waitFor();
    await page.locator('summary', { hasText: 'vs ' }).click();
    await page.getByRole('link', { name: 'Previous year' }).click();
    await page.waitForURL('**compare=year**');
    expect(new URL(page.url()).searchParams.get('refunds')).toBe('sale');
    await page.waitForSelector('canvas[data-drawn=true][data-compared="previous year"]');
  });

  it('shows amounts with thousands, two decimals and the currency in its chart', async () => {
    const page = await openSignedIn(browser, service, VENDOR, `${REPORT}&by=month`);
    await page.waitForSelector('canvas[data-drawn=true]');
    await page.getByLabel('Show').selectOption('Gross');
    const shown = await page.evaluate<{ ticks: string[]; tooltip: string[] }>(`(() => {
      const chart = Chart.getChart(document.querySelector('canvas'));
      const at = chart.getDatasetMeta(0).data[0];
      chart.tooltip.setActiveElements([{ datasetIndex: 0, index: 0 }, { datasetIndex: 1, index: 0 }], at);
      chart.update();
      return {
        ticks: chart.scales.y.ticks.map(({ label }) => label),
        tooltip: [...chart.tooltip.title, ...chart.tooltip.body.flatMap(({ lines }) => lines)],
      };
    })()`);
    expect(shown.ticks.at(-1)).toMatch(/^€\d,\d{3}$/);
    const [title = '', gross, compared] = shown.tooltip;
    expect(title).toMatch(/^[A-Z][a-z]{2} \d{4}$/);
    expect(gross).toBe('Gross: €4,230.00');
    expect(compared).toMatch(/^Previous period \([A-Z][a-z]{2} \d{4}\): €0\.00$/);
  });

  it('shows other figures in its chart, and leads from a bar to its transactions', async () => {
    const page = await openSignedIn(browser, service, VENDOR, `${REPORT}&by=month`);
    await page.waitForSelector('canvas[data-drawn=true]');
    await page.getByLabel('Show').selectOption('Sales');
    const shown = await page.evaluate<{ figures: unknown; width: number }>(`(() => {
      const chart = Chart.getChart(document.querySelector('canvas'));
      const figures = chart.data.datasets.map(({ label, data }) => [label, data]);
      return { figures, width: chart.getDatasetMeta(0).data[0].width };
    })()`);
    expect(shown.figures).toEqual([
      ['This period', [SALES]],
      ['Previous period', [0]],
    ]);
    // A bar that is alone does not fill the chart.
    expect(shown.width).toBeGreaterThan(20);
    expect(shown.width).toBeLessThanOrEqual(60);
    expect(await page.getByRole('heading', { name: 'Sales by month' }).isVisible()).toBe(true);
    const canvas = page.locator('canvas');
    const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
    // The one bar is in the middle, and reaches the axis.
    await canvas.click({ position: { x: width / 2 + 20, y: height * 0.7 } });
    await page.getByText(`${SALES} transactions`).waitFor();
  });

  it('is printed black on white, without navigation and forms, with its data table', async () => {
    const page = await openSignedIn(browser, service, VENDOR, REPORT, { colorScheme: 'dark' });
    await page.waitForSelector('canvas[data-drawn=true]');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const colours = await page.evaluate<string[]>(
      '[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]',
    );
    expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
    expect(await page.locator('nav:visible, form:visible, button:visible').count()).toBe(0);
    expect(await page.locator('canvas').isVisible()).toBe(true);
    expect(await page.locator('#periods tbody tr').last().isVisible()).toBe(true);
    const ink = 'Chart.getChart(document.querySelector("canvas")).options.scales.y.ticks.color';
    await page.waitForFunction(`${ink} === '#333333'`);
  });

  it('is printed with tables and not with cards, as wide as the paper', async () => {
    const look = { width: 700 };
    const page = await openSignedIn(browser, service, VENDOR, '/account/reports/cohorts', look);
    await page.emulateMedia({ media: 'print' });
    for (const path of ['/account/reports/cohorts', REPORT]) {
      await page.goto(path);
      const cell = "getComputedStyle(document.querySelector('tbody td')).display";
      expect(await page.evaluate(cell)).toBe('table-cell');
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    }
  });

  it('leads to what came back of each month of sales, by keyboard alone', async () => {
    const page = await openSignedIn(browser, service, VENDOR, REPORT);
    await page.getByRole('main').getByRole('link', { name: 'Refund cohorts' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/reports/cohorts');
    await page.getByText('All sales').first().focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Share of').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/cohorts?*share=money*');
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await page.locator('.shade').first().textContent()).toBe('10.0%');
  });

  it('is downloaded as CSV', async () => {
    const page = await openSignedIn(browser, service, VENDOR, REPORT);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^transactions-[\d-]+-to-[\d-]+\.csv$/);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(1 + SALES);
  });

  it('shows hostile names as plain text', async () => {
    const page = await openSignedIn(browser, service, VENDOR, REPORT);
    expect(await page.getByRole('link', { name: HOSTILE }).count()).toBe(2);
    await page.getByRole('link', { name: 'View transactions' }).click();
    await page.waitForURL('**/transactions?**');
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('shows everything of a transaction on its page, with the keyboard', async () => {
    const page = await openSignedIn(browser, service, VENDOR, `${REPORT}&kind=all`);
    await page.getByRole('link', { name: 'View transactions' }).click();
    await page.waitForURL('**/transactions?**');
    const row = page.locator('tbody tr').first();
    await row.getByRole('link').first().focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/account/transactions/**');
    expect(await page.locator('#transaction-id').textContent()).toMatch(/^T\d+$/);
    expect(await page.locator('main img').count()).toBe(0);
  });

  it('has a transaction id that a button copies', async () => {
    const page = await openSignedIn(browser, service, VENDOR, '/account/transactions/T0');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the id' }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('T0');
  });

  it('shows an affiliate their own sales', async () => {
    const page = await openSignedIn(browser, service, AFFILIATE, REPORT);
    await page.getByText('My commissions').first().waitFor();
    expect(await page.locator('.figure').nth(3).textContent()).toMatch(/^Sales90/);
  });
});
