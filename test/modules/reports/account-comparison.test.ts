/** The comparison of a report page with another range, and the periods of its chart. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { figuresOf, walkList, type Listed } from '../../support/oracles/report-oracle.js';
import { ALL, pathOf, reportLedger, REPORTS, VENDOR } from '../../support/browser/report-pages.js';
import { onOneDay } from '../../support/processes/one-day.js';
import { TestService } from '../../support/servers/service.js';
import { Visitor } from '../../support/browser/visitor.js';

const JULY = { start_date: '2025-07-01', end_date: '2025-07-31' };
const JUNE = { start_date: '2025-06-01', end_date: '2025-06-30' };

let service: TestService;
let vendor: Visitor;
let list: readonly Listed[];
beforeAll(async () => {
  service = await TestService.start();
  await service.import(reportLedger());
  vendor = await Visitor.signedIn(service, VENDOR);
  list = await walkList(service, await service.key(VENDOR), ALL);
});
afterAll(() => service.stop());

/** Returns the change that the page shows below each amount or count. */
function changes(html: string): Record<string, string> {
  const found = html.matchAll(/<dt>([^<]+)<\/dt>.*?<span class="note change">(.*?)<\/span><\/dd>/g);
  return Object.fromEntries(
    [...found].map(([, name = '', content = '']) => [name, content.replace(/<[^>]+>/g, '').trim()]),
  );
}

function percent(now: number, before: number): string {
  const change = (100 * (now - before)) / before;
  return `${change < 0 ? '' : '+'}${change.toFixed(1)} %`;
}

describe('a report', () => {
  it('shows each figure of the previous period, and how it changed', async () => {
    const { text } = await vendor.get(pathOf(REPORTS, JULY));
    const [now, before] = [figuresOf(list, JULY, 'refund'), figuresOf(list, JUNE, 'refund')];
    expect(text).toContain(
      'Compared with <strong>2025-06-01</strong> through <strong>2025-06-30</strong>.',
    );
    const told = changes(text);
    expect(Object.keys(told)).toHaveLength(10);
    expect(told.Sales).toBe(`${percent(now.sales, before.sales)} from ${before.sales}`);
    expect(told.Gross).toMatch(
      new RegExp(`^${escaped(percent(Number(now.gross), Number(before.gross)))} from `),
    );
    const points = (Number(now.refund_rate) - Number(before.refund_rate)) / 100;
    expect(told['Refund rate']).toBe(
      `${points < 0 ? '' : '+'}${points.toFixed(2)} points from ${(Number(before.refund_rate) / 100).toFixed(2)} %`,
    );
  });

  it('shows no percentage of nothing, and compares with the previous year', async () => {
    const { text } = await vendor.get(pathOf(REPORTS, JULY, { compare: 'year' }));
    expect(text).toContain(
      'Compared with <strong>2024-07-01</strong> through <strong>2024-07-31</strong>.',
    );
    expect(changes(text)).toMatchObject({ Sales: 'from 0', Gross: 'from 0.00' });
    expect(text).toContain('data-compared="previous year"');
  });

  it('compares nothing if that is chosen, and over all time', async () => {
    for (const path of [pathOf(REPORTS, JULY, { compare: 'none' }), `${REPORTS}?range=all-time`]) {
      const { text } = await vendor.get(path);
      expect(text).not.toContain('Compared with');
      expect(changes(text)).toEqual({});
    }
  });

  it('keeps the choice in its links', async () => {
    const { text } = await vendor.get(pathOf(REPORTS, JULY, { compare: 'year' }));
    const links = [...text.matchAll(/href="(\/account\/reports\?[^"]+)"/g)].map(([, path]) => path);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((path) => path?.includes('compare=year') !== true)).toEqual([]);
  });
});

describe('the chart', () => {
  const periodsOf = (text: string) =>
    [...text.matchAll(/<th scope="row" role="rowheader"[^>]*><div class="content">([^<]+)</g)].map(
      ([, name]) => name,
    );

  it('names months as people do', async () => {
    const { text } = await vendor.get(pathOf(REPORTS, ALL, { by: 'month' }));
    expect(periodsOf(text)).toEqual(['May 2025', 'Jun 2025', 'Jul 2025', 'Aug 2025']);
    expect(text).toContain('<span data-period="true">Jan 2025</span>');
  });

  it('has no days to come', () =>
    onOneDay(async () => {
      const range = { start_date: '2025-08-01', end_date: '2399-12-31' };
      const { text } = await vendor.get(pathOf(REPORTS, range, { by: 'year' }));
      const thisYear = new Date().getUTCFullYear();
      expect(periodsOf(text).at(-1)).toBe(String(thisYear));
    }));

  it('is refused for more than 400 years, as before', async () => {
    const range = { start_date: '2025-08-01', end_date: '9000-12-31' };
    expect((await vendor.get(pathOf(REPORTS, range))).status).toBe(400);
  });

  it('says that it is coarser than it was asked for', async () => {
    const range = { start_date: '2020-01-01', end_date: '2025-12-31' };
    const { text } = await vendor.get(pathOf(REPORTS, range, { by: 'day' }));
    expect(text).toContain('Shown by week, because by day would be more than 400 periods.');
    expect((await vendor.get(pathOf(REPORTS, range, { by: 'week' }))).text).not.toContain(
      'Shown by',
    );
  });
});

function escaped(text: string): string {
  return text.replace(/[+.]/g, String.raw`\$&`);
}
