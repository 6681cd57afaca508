/** The comparison of a report page with another range, and the periods of its chart. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { figuresOf, walkList, type Listed } from '../../support/oracles/report-oracle.js';
import { ALL, pathOf, reportLedger, REPORTS, VENDOR } from '../../support/browser/report-pages.js';
import { rangeText } from '../../../src/platform/pages/ui/day-text.js';
import { daysAfter, todayInUtc } from '../../../src/platform/values/time.js';
import { onOneDay } from '../../support/processes/one-day.js';
import { TestService } from '../../support/servers/service.js';
import { tablesOf } from '../../support/browser/page-tables.js';
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
  const found = html.matchAll(
    /<dt>([^<]+)<\/dt>.*?<span class="(?:note )?change">(.*?)<\/span>(?:<svg.*?<\/svg>)?<\/dd>/g,
  );
  return Object.fromEntries(
    [...found].map(([, name = '', content = '']) => [name, content.replace(/<[^>]+>/g, '').trim()]),
  );
}

function centsOf(text = ''): number {
  return text === '–' ? 0 : Number(text.replace(/[,.]/g, '').replace('−', '-'));
}

function amountText(cents: number): string {
  const [whole = '', fraction = ''] = (cents / 100).toFixed(2).replace('-', '−').split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction}`;
}

function signedText(cents: number): string {
  return `${cents > 0 ? '+' : ''}${amountText(cents)}`;
}

function percent(now: number, before: number): string {
  const change = (100 * (now - before)) / before;
  return `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(1)}%`;
}

describe('a report', () => {
  it('shows each figure of the previous period, and how it changed', async () => {
    const { text } = await vendor.get(pathOf(REPORTS, JULY));
    const [now, before] = [figuresOf(list, JULY, 'refund'), figuresOf(list, JUNE, 'refund')];
    expect(text).toContain('<span>vs 1–30 Jun 2025</span>');
    const told = changes(text);
    expect(Object.keys(told)).toHaveLength(8);
    expect(told.Sales).toBe(`${percent(now.sales, before.sales)} (was ${before.sales})`);
    expect(told.Gross).toMatch(
      new RegExp(`^${escaped(percent(Number(now.gross), Number(before.gross)))} \\(was `),
    );
    const points = (Number(now.refund_rate) - Number(before.refund_rate)) / 100;
    expect(told['Refund rate']).toBe(
      `${points < 0 ? '−' : '+'}${Math.abs(points).toFixed(1)} pp (was ${(Number(before.refund_rate) / 100).toFixed(1)}%)`,
    );
  });

  it('shows no percentage of nothing, and compares with the previous year', async () => {
    const { text } = await vendor.get(pathOf(REPORTS, JULY, { compare: 'year' }));
    expect(text).toContain('<span>vs 1–31 Jul 2024</span>');
    expect(changes(text)).toMatchObject({
      Sales: expect.stringMatching(/^\+\d+ \(was 0\)$/) as unknown,
      Gross: expect.stringMatching(/^\+[\d,]+\.\d\d \(was 0\.00\)$/) as unknown,
    });
    expect(text).toContain('data-compared="previous year"');
  });

  it('compares nothing if that is chosen, and over all time', async () => {
    for (const path of [pathOf(REPORTS, JULY, { compare: 'none' }), `${REPORTS}?range=all-time`]) {
      const { text } = await vendor.get(path);
      expect(text).not.toContain('<span>vs ');
      expect(changes(text)).toEqual({});
    }
  });

  it.each(['refund', 'sale'] as const)(
    'leads from the gross to the net earnings to the cent, refunds by the %s',
    async (by) => {
      for (const days of [ALL, JULY, { start_date: '2025-07-04', end_date: '2025-07-04' }]) {
        const { text } = await vendor.get(pathOf(REPORTS, days, { refunds: by }));
        const lines = new Map(tablesOf(text)[1]?.map((line) => [line.name, line]));
        const { gross, refunds, chargebacks, fees, parties, earnings } = figuresOf(list, days, by);
        const amounts = [...lines].map(([, { cells }]) => centsOf(cells.Amount));
        expect(amounts.pop()).toBe(Number(earnings));
        expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(Number(earnings));
        expect(amounts.slice(0, 7)).toEqual(
          [
            gross,
            -refunds.amount,
            -chargebacks.amount,
            -fees,
            -parties.affiliate,
            -parties.agent,
            -parties.jv,
          ].map(Number),
        );
        for (const { link } of lines.values()) {
          expect((await vendor.get(link.replaceAll('&amp;', '&'))).status).toBe(200);
        }
      }
    },
  );

  it('says what the net earnings were before, and what has changed', async () => {
    const { text } = await vendor.get(pathOf(REPORTS, JULY));
    const [now, before] = [JULY, JUNE].map((days) => figuresOf(list, days, 'refund').earnings);
    const change = Number(now) - Number(before);
    const [, bridge = []] = tablesOf(text);
    expect(bridge.at(-1)?.cells).toMatchObject({
      Before: amountText(Number(before)),
      Change: signedText(change),
    });
    const coloured = [
      ...text.matchAll(/<span class="(gain|loss)">(?:<span class="money">)?([+−])/g),
    ].map(([, colour, sign]) => [colour, sign]);
    expect(coloured.length).toBeGreaterThan(bridge.length / 2);
    expect(new Set(coloured.map(String))).toEqual(new Set(['gain,+', 'loss,−']));
    const changed = bridge.map(({ cells }) => centsOf(cells.Change));
    expect(changed.pop()).toBe(change);
    expect(changed.reduce((sum, amount) => sum + amount, 0)).toBe(change);
    const [, sentence = ''] =
      /<h2>What changed<\/h2><p>Net earnings changed by (.*?)<\/ul>/.exec(text) ?? [];
    const [whole = 0, ...parts] = [
      ...sentence.matchAll(/([+-]?)<span class="money">([^<]+)<\/span>/g),
    ].map(([, sign = '', amount]) => centsOf(`${sign}${amount}`));
    expect(whole).toBe(change);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.reduce((sum, amount) => sum + amount, 0)).toBe(change);
  });

  it('orders its lists by change if that is chosen', async () => {
    const changesOf = async (more: Record<string, string>) => {
      const { text } = await vendor.get(pathOf(REPORTS, JULY, more));
      const [, , products = []] = tablesOf(text);
      return products.map(({ cells }) => Math.abs(centsOf(cells.Change)));
    };
    const sizes = await changesOf({ top: 'change' });
    expect(sizes.length).toBeGreaterThan(1);
    expect(sizes).toEqual([...sizes].sort((left, right) => right - left));
    const { text } = await vendor.get(pathOf(REPORTS, JULY, { compare: 'none', top: 'change' }));
    expect(text).not.toContain('Largest change');
    expect(tablesOf(text)[1]?.[0]?.cells).not.toHaveProperty('Change');
  });

  it('compares days before today only, and today with nothing', () =>
    onOneDay(async () => {
      const today = await vendor.get(`${REPORTS}?range=today`);
      expect(today.text).not.toContain('<span>vs ');
      expect(changes(today.text)).toEqual({});
      expect((await vendor.get(`${REPORTS}?range=7-days`)).text).toMatch(
        /Today is not over, so [^<]+ is compared with [^<]+\./,
      );
      const [now = '', tomorrow = ''] = [0, 1].map((days) => daysAfter(todayInUtc(), days));
      const { text } = await vendor.get(`${REPORTS}?from=2025-08-01&to=${tomorrow}`);
      expect(text).toContain(`${rangeText({ start_date: '2025-08-01', end_date: now })} so far`);
      expect(text).toMatch(/<span>vs [^<]+, without today<\/span>/);
    }));

  it('keeps the choice in its links', async () => {
    const { text } = await vendor.get(pathOf(REPORTS, JULY, { compare: 'year' }));
    const links = [...text.matchAll(/href="(\/account\/reports\?[^"]+)"/g)].map(([, path]) => path);
    expect(links.length).toBeGreaterThan(10);
    expect(links.filter((path) => path?.includes('compare=year') !== true)).toHaveLength(4);
  });
});

describe('the chart', () => {
  const periodsOf = (text: string) =>
    Array.from(text.matchAll(/<a data-name="true"[^>]*>([^<]+)</g), ([, name]) => name);

  it('names months as people do', async () => {
    const { text } = await vendor.get(pathOf(REPORTS, ALL, { by: 'month' }));
    expect(periodsOf(text)).toEqual(['May 2025', 'Jun 2025', 'Jul 2025', 'Aug 2025']);
    expect(text).toMatch(/<span data-period="true"[^>]*>Jan 2025<\/span>/);
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
