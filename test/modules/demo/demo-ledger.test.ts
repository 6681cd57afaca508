import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { demoLedger } from '../../../src/modules/demo/demo-ledger.js';
import { DemoService } from '../../../src/modules/demo/demo.service.js';
import type { ImportSummary } from '../../../src/modules/records-in/import.service.js';
import { VerificationService } from '../../../src/modules/verification/verification.service.js';
import { DEMO_VENDOR_ID } from '../../../src/modules/demo/demo-products.js';
import type { Figures } from '../../../src/modules/reports/report.model.js';
import { ReportsService } from '../../../src/modules/reports/reports.service.js';
import { user } from '../../support/builders/ledger-records.js';
import { readmePath } from '../../support/http/readme-curl.js';
import { shownCents } from '../../support/browser/figures-on-pages.js';
import { tablesOf } from '../../support/browser/page-tables.js';
import { TestService } from '../../support/servers/service.js';
import { Visitor } from '../../support/browser/visitor.js';

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const records = [...demoLedger(new Date('2025-06-15T13:45:00Z'))];
const taken = (summary: ImportSummary, verdict: 'inserted' | 'unchanged') =>
  Object.values(summary).reduce((sum, counts) => sum + counts[verdict], 0);

describe('the demo ledger', () => {
  it('is imported without a rejected record', async () => {
    expect(taken(await service.import(records), 'inserted')).toBe(records.length);
  });

  it('is unchanged when it is imported again', async () => {
    expect(taken(await service.import(records), 'unchanged')).toBe(records.length);
  });

  it('leaves derived data that verifies', async () => {
    expect(await service.app.get(VerificationService).differences()).toEqual([]);
  });
});

function addsUp({ gross, refunds, chargebacks, earnings, fees, commissions }: Figures): boolean {
  return earnings + fees + commissions === gross - refunds.amount - chargebacks.amount;
}

function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

describe('preparing the demo data', () => {
  let empty: TestService;
  beforeAll(async () => {
    empty = await TestService.start();
  });
  afterAll(() => empty.stop());

  it('loads it into an empty database, and returns a key that lists its transactions', async () => {
    const key = (await empty.app.get(DemoService).prepare())?.key ?? '';
    const day = new Date().toISOString().slice(0, 10);
    const path = `/v3.0/transactions?start_date=2000-01-01&end_date=${day}`;
    expect((await empty.envelope(path, key)).meta.total_count).toBeGreaterThan(1_000);
    expect((await empty.envelope(readmePath(), key)).results).toHaveLength(1);
  });

  it('shows a report whose figures add up, over all time and in each period', async () => {
    const signIn = (await empty.app.get(DemoService).prepare())?.signIn;
    const visitor = new Visitor(empty);
    await visitor.signIn(signIn?.email ?? '', signIn?.password);
    const page = await visitor.get('/account/reports?range=all-time');
    const figure = (name: string) =>
      new RegExp(`<dt>${name}</dt><dd>(.*?)</dd>`, 's').exec(page.text)?.[1] ?? '';
    const cents = (name: string) =>
      BigInt((/-?[\d,]+\.\d\d/.exec(figure(name))?.[0] ?? '').replace(/[,.]/g, ''));
    expect(cents('Gross')).toBeGreaterThan(0n);
    expect(cents('Refunds')).toBeGreaterThan(0n);
    const [, bridge = []] = tablesOf(page.text);
    const steps = bridge.map(({ cells }) => shownCents(cells.Amount?.replace('$', '')));
    expect(steps.pop()).toBe(cents('Net earnings'));
    expect(steps.reduce((sum, step) => sum + step, 0n)).toBe(cents('Net earnings'));
    for (const by of ['day', 'month'] as const) {
      for (const attribution of ['sale', 'refund'] as const) {
        const { periods } = await empty.app.get(ReportsService).report({
          viewer: { role: 'vendor', user_id: DEMO_VENDOR_ID },
          by,
          attribution,
          filter: {},
          start_date: dayBefore(390),
          end_date: dayBefore(0),
          comparison: 'none',
          top: 'gross',
          today: dayBefore(0),
        });
        expect(periods.length).toBeGreaterThan(10);
        expect(periods.filter(({ figures }) => !addsUp(figures))).toEqual([]);
      }
    }
  });

  it('fills the pages of applications, of activity and of the history of terms', async () => {
    const signIn = (await empty.app.get(DemoService).prepare())?.signIn;
    const visitor = new Visitor(empty);
    await visitor.signIn(signIn?.email ?? '', signIn?.password);
    const { text: applications } = await visitor.get('/account/applications');
    for (const name of ['Back office', 'Newsletter tool']) {
      expect(applications).toContain(name);
    }
    const { text: activity } = await visitor.get('/account/activity?kind=relationships');
    expect(activity.match(/>Changed affiliate terms: </g)).toHaveLength(4);
    expect(activity).toContain('>The Sketchbook Club, Watercolour in 30 Days</a>');
    expect(activity).toMatch(/Payout for the first payment: none → <span class="money">[^<]*15/);
    const { text: terms } = await visitor.get('/account/affiliates/2001/terms?product=101');
    expect(terms).toMatch(/Commission: product default → 60%/);
  });

  it('returns the same key at the next start and loads nothing', async () => {
    const demo = empty.app.get(DemoService);
    expect(await demo.prepare()).toEqual(await demo.prepare());
  });

  it('does not change a ledger that is not the demo', async () => {
    const own = await TestService.start();
    await own.import([user(1)]);
    expect(await own.app.get(DemoService).prepare()).toBeNull();
    await own.stop();
  });
});
