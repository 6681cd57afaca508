import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { walkList } from '../../support/oracles/report-oracle.js';
import {
  LIST,
  reportLedger,
  REPORTS,
  shownFigures,
  VENDOR,
  rangeIn,
} from '../../support/browser/report-pages.js';
import { onOneDay } from '../../support/processes/one-day.js';
import { TestService } from '../../support/servers/service.js';
import { Visitor } from '../../support/browser/visitor.js';

const DAY_MS = 86_400_000;

let service: TestService;
let key: string;
let vendor: Visitor;
beforeAll(async () => {
  service = await TestService.start();
  await service.import(reportLedger());
  key = await service.key(VENDOR);
  vendor = await Visitor.signedIn(service, VENDOR);
});
afterAll(() => service.stop());

describe('a range', () => {
  it.each([
    ['today', 0, 0],
    ['yesterday', 1, 1],
    ['7-days', 6, 0],
  ])('%s ends with whole days in UTC', (range, first, last) =>
    onOneDay(async () => {
      const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
      const { text } = await vendor.get(`${REPORTS}?range=${range}`);
      expect(rangeIn(text)).toEqual([day(first), day(last)]);
      expect(text).toContain(' (UTC)</span>');
    }),
  );

  it.each([
    ['30-days', 29],
    ['90-days', 89],
  ])('%s ends today', (range, first) =>
    onOneDay(async () => {
      const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
      const { text } = await vendor.get(`${REPORTS}?range=${range}`);
      expect(rangeIn(text)).toEqual([day(first), day(0)]);
    }),
  );

  it('this-quarter is the whole quarter, year-to-date the days of this year until today', () =>
    onOneDay(async () => {
      const now = new Date();
      const [year, quarter] = [now.getUTCFullYear(), Math.floor(now.getUTCMonth() / 3)];
      const day = (date: number) => new Date(date).toISOString().slice(0, 10);
      const ends = [3 * quarter, 3 * quarter + 3].map((month, end) =>
        day(Date.UTC(year, month, 1 - end)),
      );
      const [from = '', to = ''] = ends;
      const ofQuarter = await vendor.get(`${REPORTS}?range=this-quarter`);
      expect(rangeIn(ofQuarter.text)).toEqual([from, to]);
      const ofYear = await vendor.get(`${REPORTS}?range=year-to-date`);
      expect(rangeIn(ofYear.text)).toEqual([`${year}-01-01`, day(now.getTime())]);
    }));

  it('last-month is the whole month before this one, this-month the whole of this', () =>
    onOneDay(async () => {
      const now = new Date();
      const month = (after: number) =>
        [0, 1].map((end) =>
          new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + after + end, 1 - end))
            .toISOString()
            .slice(0, 10),
        );
      for (const [range, after] of [
        ['this-month', 0],
        ['last-month', -1],
      ] as const) {
        const [from = '', to = ''] = month(after);
        const { text } = await vendor.get(`${REPORTS}?range=${range}`);
        expect(rangeIn(text)).toEqual([from, to]);
      }
    }));

  it('is kept by the links of the header to other reports, with the day of refunds', async () => {
    const query = 'range=last-month&refunds=sale';
    for (const path of [REPORTS, LIST, '/account/affiliates', '/account/tracking']) {
      const { text } = await vendor.get(`${path}?${query}`);
      const header = text.slice(text.indexOf('<header'), text.indexOf('<main'));
      for (const other of [REPORTS, LIST, '/account/affiliates', '/account/tracking']) {
        expect(header).toContain(`href="${other}?${query.replace('&', '&amp;')}"`);
      }
      expect(header).toContain('href="/account/subscriptions"');
    }
  });

  it('all-time reaches from the first day with anything to the last', async () => {
    const { text } = await vendor.get(`${REPORTS}?range=all-time`);
    expect(rangeIn(text)[0]).toBe('2025-05-03');
    const list = await walkList(service, key, { start_date: '2000-01-01', end_date: '2100-01-01' });
    expect(shownFigures(text).Sales).toMatch(
      new RegExp(`^${list.filter(({ status }) => status !== 'pending').length}(?!\\d)`),
    );
  });

  it.each([
    ['day', '2025-07-01'],
    ['week', '2025-07-02'],
    ['week', '2026-05-01'],
    ['month', '2026-05-02'],
  ])('is shown by %s if it ends on %s', async (step, to) => {
    const { text } = await vendor.get(`${REPORTS}?from=2025-05-01&to=${to}`);
    expect(text).toContain(`earnings</span> by ${step}`);
    expect(text).toMatch(
      new RegExp(
        `<option[^>]* value="${step}"[^>]*selected|<option[^>]*selected[^>]* value="${step}"`,
      ),
    );
    const asked = await vendor.get(`${REPORTS}?from=2025-05-01&to=${to}&by=month`);
    expect(asked.text).toContain('earnings</span> by month');
  });

  it.each([
    'from=2025-02-30&to=2025-03-01',
    'from=2025-03-02&to=2025-03-01',
    'from=x&to=y',
    'from=2025-03-01',
    'to=2025-03-01',
    'from=%3Cscript%3E&to=2025-03-01',
  ])('that can not be is told, and what was typed stays: %s', async (query) => {
    const answer = await vendor.get(`${REPORTS}?${query}`);
    expect(answer.status).toBe(400);
    // The invalid field shows the problem itself.
    expect(answer.text).toMatch(
      / aria-invalid="true" aria-describedby="field-(\w+)-problem" autofocus .*<p class="field-problem" id="field-\1-problem">The (?:first|last) day/,
    );
    expect((await vendor.get(`${LIST}?${query}`)).status).toBe(400);
    expect((await vendor.get(`${LIST}.csv?${query}`)).status).toBe(400);
  });
});
