/** The setting CURRENCY affects the account pages, but no file and no answer of the API. */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  ALL,
  LIST,
  pathOf,
  reportLedger,
  REPORTS,
  VENDOR,
} from '../../support/browser/report-pages.js';
import { Visitor } from '../../support/browser/visitor.js';
import { TestService } from '../../support/servers/service.js';

let service: TestService;
let vendor: Visitor;
beforeAll(async () => {
  service = await TestService.start({ CURRENCY: '€' });
  await service.import(reportLedger());
  vendor = await Visitor.signedIn(service, VENDOR);
});
afterAll(() => service.stop());

const amountsIn = (html: string) =>
  [...html.matchAll(/<span class="money">([^<]*)<\/span>/g)].map(([, text = '']) => text);

it.each([pathOf(REPORTS, ALL), pathOf(LIST, ALL)])('stands at each amount of %s', async (path) => {
  const amounts = amountsIn((await vendor.get(path)).text);
  expect(amounts.length).toBeGreaterThan(5);
  expect(amounts.filter((amount) => !/^−?€[\d,]+\.\d\d$/.test(amount))).toEqual([]);
});

it('stands in a column of its own in a CSV file, whose amounts stay numbers', async () => {
  const { text } = await vendor.get(pathOf(LIST, ALL).replace('transactions', 'transactions.csv'));
  expect(text).toMatch(/,\d+\.\d\d,/);
  const [heads = '', ...rows] = text.trimEnd().split('\r\n');
  expect(heads).toContain(',currency,');
  for (const row of rows) expect(row.split('€')).toHaveLength(2);
  expect(text.replaceAll(',€,', '')).not.toContain('€');
});

it('is named as missing below a page of the account if it is not set', async () => {
  const beside = await service.beside({ CURRENCY: '' });
  const missing = 'No currency is set.';
  try {
    const visitor = await Visitor.signedIn(beside, VENDOR);
    expect((await visitor.get(REPORTS)).text).toContain(missing);
    expect((await vendor.get(REPORTS)).text).not.toContain(missing);
  } finally {
    await beside.stop();
  }
});
