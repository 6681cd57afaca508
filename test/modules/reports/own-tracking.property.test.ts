/**
 * The earnings of an affiliate by tracking id are exact sums over the 3.0 lists of its vendors, and
 * add up to the commission of its report.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OwnTrackingService } from '../../../src/modules/reports/earnings/own-tracking.service.js';
import type { OwnTracking } from '../../../src/modules/reports/earnings/own-tracking.model.js';
import { FigureBounds } from '../../../src/modules/reports/figures/figure-reads.service.js';
import type { Figures } from '../../../src/modules/reports/report.model.js';
import { ReportsService } from '../../../src/modules/reports/reports.service.js';
import { product, user } from '../../support/builders/ledger-records.js';
import {
  figuresOf,
  walkList,
  type Attribution,
  type Days,
  type Listed,
} from '../../support/oracles/report-oracle.js';
import { holds } from '../../support/random/properties.js';
import {
  CALENDARS,
  lineOf,
  recordOf,
  sale,
  VendorIds,
} from '../../support/random/random-ledgers.js';
import { TestService } from '../../support/servers/service.js';

const LEDGERS = 60;
const EVER: Days = { start_date: '1000-01-01', end_date: '9999-12-31' };
const ATTRIBUTIONS: readonly Attribution[] = ['sale', 'refund'];
/** Bounds that no ledger of this test reaches, and some that most of them reach. */
const BOUNDS = [1_000, 1_000, 6, 2, 0];

const ledgers = fc.record({
  // A report has at most 400 years.
  calendar: fc.constantFrom(...CALENDARS.filter((days) => !days.includes('1000-01-01'))),
  /** Sales of two vendors, by the same affiliate and others. */
  sales: fc.array(fc.tuple(sale, fc.option(fc.constantFrom('', 'a', 'A', 'b ')), fc.boolean()), {
    minLength: 1,
    maxLength: 30,
    size: 'max',
  }),
  days: fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 })),
  slice: fc.constantFrom(1, 3, 100),
  most: fc.constantFrom(...BOUNDS),
});

let service: TestService;
let vendors = 0;
let cut = 0;
let whole = 0;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Returns a range that begins and ends on days of the calendar. */
function rangeOf(calendar: readonly string[], places: readonly [number, number]): Days {
  const [start_date = '', end_date = ''] = places
    .map((place) => calendar[place % calendar.length] ?? '')
    .sort();
  return { start_date, end_date };
}

function shown({ sales, commissions, refunds, chargebacks, refund_rate, gross }: Figures) {
  return { sales, commissions, refunds, chargebacks, refund_rate, gross };
}

/** Adds up the lines, with all others and those without a value. */
function sumOfLines({ lines, none, other }: OwnTracking) {
  const parts = [...lines.map(({ figures }) => figures), none, other];
  const all = parts.filter((part) => part !== null);
  return {
    sales: all.reduce((sum, { sales }) => sum + sales, 0),
    refunds: all.reduce((sum, { refunds }) => sum + refunds.transactions, 0),
    commissions: all.reduce((sum, { commissions }) => sum + commissions, 0n),
  };
}

/** Returns the lines of the values with a sale, highest commission first, and of no value. */
function expectedLines(list: readonly Listed[], range: Days, by: Attribution) {
  const tidOf = ({ tracking }: Listed) => tracking.tid ?? '';
  const figures = (tid: string) =>
    shown(
      figuresOf(
        list.filter((one) => tidOf(one) === tid),
        range,
        by,
        'affiliate',
      ),
    );
  const lines = [...new Set(list.map(tidOf))]
    .filter((tid) => tid !== '')
    .map((value) => ({ value, figures: figures(value) }))
    .filter(({ figures: { sales } }) => sales > 0)
    .sort(({ figures: one, value }, { figures: other, value: second }) =>
      one.commissions === other.commissions
        ? Buffer.compare(Buffer.from(value), Buffer.from(second))
        : Number(other.commissions > one.commissions) * 2 - 1,
    );
  return { lines, none: figures('') };
}

async function expectTracking(
  affiliate_id: number,
  vendor_id: number | undefined,
  list: readonly Listed[],
  range: Days,
): Promise<void> {
  const viewer = { role: 'affiliate', user_id: affiliate_id } as const;
  const ofVendor = vendor_id === undefined ? {} : { vendor_id };
  for (const attribution of ATTRIBUTIONS) {
    const found = await service.app
      .get(OwnTrackingService)
      .trackingOf({ affiliate_id, ...ofVendor, ...range, attribution });
    const report = await service.app.get(ReportsService).report({
      viewer,
      ...range,
      attribution,
      filter: ofVendor,
      by: 'year',
      comparison: 'none',
      top: 'gross',
      today: range.end_date,
    });
    const total = shown(figuresOf(list, range, attribution, 'affiliate'));
    expect(shown(found.total)).toEqual(total);
    expect(shown(report.figures)).toEqual(total);
    const { sales, commissions, refunds } = total;
    expect(sumOfLines(found)).toEqual({ sales, commissions, refunds: refunds.transactions });
    if (found.searched_to !== null) {
      cut += 1;
      continue;
    }
    whole += 1;
    const { lines, none } = expectedLines(list, range, attribution);
    const seen = found.lines.map(({ value, figures }) => ({ value, figures: shown(figures) }));
    expect(seen).toEqual(lines);
    const isNothing = none.sales + none.refunds.transactions + none.chargebacks.transactions === 0;
    expect(found.none && shown(found.none)).toEqual(isNothing ? null : none);
  }
}

describe('The earnings by tracking id', () => {
  it('are those of the 3.0 lists, and add up to the report, in any range', async () => {
    const runs = await holds(
      fc.asyncProperty(ledgers, async ({ calendar, sales, days, slice, most }) => {
        const both = [new VendorIds((vendors += 1)), new VendorIds((vendors += 1))] as const;
        const [{ affiliate }] = both;
        const others = both.flatMap((ids) => [
          user(ids.vendor),
          ...[0, 1].map((which) => product(ids.product(which), ids.vendor)),
        ]);
        await service.import([
          ...both.map((ids) => user(ids.affiliate)),
          ...others,
          ...sales.map(([sold, tid, isOfFirst], place) => {
            const record = recordOf(both[isOfFirst ? 0 : 1], place, calendar, sold);
            const { affiliate_id } = record;
            const by = affiliate_id !== null && place % 4 > 0 ? affiliate : affiliate_id;
            return lineOf({ ...record, affiliate_id: by, tracking: { ...record.tracking, tid } });
          }),
        ]);
        Object.assign(service.app.get(FigureBounds), { slice, salesOfPage: most });
        const range = rangeOf(calendar, days);
        const lists: Listed[][] = [];
        for (const ids of both) {
          const list = await walkList(service, await service.key(ids.vendor), EVER);
          lists.push(list.filter((one) => one.affiliate?.id === affiliate));
        }
        await expectTracking(affiliate, undefined, lists.flat(), range);
        await expectTracking(affiliate, both[1].vendor, lists[1] ?? [], range);
      }),
      { numRuns: LEDGERS },
    );
    expect(whole + cut).toBe(4 * runs);
    expect(whole).toBeGreaterThan(runs);
    if (runs === LEDGERS) expect(cut).toBeGreaterThan(0);
  });
});
