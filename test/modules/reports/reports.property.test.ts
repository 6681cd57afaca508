/** The amounts and counts of a report are exact sums over the 3.0 list. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  COMPARISONS,
  PERIOD_STEPS,
  TOP_ORDERS,
  type Comparison,
  type TopOrder,
} from '../../../src/modules/reports/report.model.js';
import { CohortsService } from '../../../src/modules/reports/cohorts/cohorts.service.js';
import type { Cohort, CohortRequest } from '../../../src/modules/reports/cohorts/cohort.model.js';
import { ReportsService } from '../../../src/modules/reports/reports.service.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { holds } from '../../support/random/properties.js';
import {
  CALENDARS,
  lineOf,
  recordOf,
  sale,
  VendorIds,
} from '../../support/random/random-ledgers.js';
import {
  cohortsOf,
  figuresOf,
  walkList,
  type Attribution,
  type Days,
  type Listed,
} from '../../support/oracles/report-oracle.js';
import { TestService } from '../../support/servers/service.js';

const LEDGERS = 60;
const PRODUCTS = [0, 1];
const ATTRIBUTIONS: readonly Attribution[] = ['sale', 'refund'];
const EVER: Days = { start_date: '1000-01-01', end_date: '9999-12-31' };

const ledgers = fc.record({
  calendar: fc.constantFrom(...CALENDARS.filter((days) => !days.includes('1000-01-01'))),
  sales: fc.array(sale, { minLength: 1, maxLength: 30, size: 'max' }),
  later: fc.array(sale, { maxLength: 15 }),
  days: fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 })),
  by: fc.constantFrom(...PERIOD_STEPS),
  comparison: fc.constantFrom(...COMPARISONS),
  top: fc.constantFrom(...TOP_ORDERS),
  /** Index of today in the calendar; null stands for a day after all of its days. */
  today: fc.option(fc.nat({ max: 4 })),
  kinds: fc.constantFrom(
    ['refund'] as const,
    ['chargeback'] as const,
    ['refund', 'chargeback'] as const,
  ),
});

interface Asked {
  readonly range: Days;
  readonly by: (typeof PERIOD_STEPS)[number];
  readonly comparison: Comparison;
  readonly top: TopOrder;
  readonly today: string;
}

let service: TestService;
let vendors = 0;
let reported = 0;
let cohorts = 0;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

/** Returns a range that begins and ends on days of the calendar, or some days beside them. */
function rangeOf(calendar: readonly string[], [one, other]: readonly [number, number]): Days {
  const dayAt = (place: number) => calendar[place % calendar.length] ?? '';
  const beside = (day: string, days: number) =>
    new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);
  const [start_date = '', end_date = ''] = [
    dayAt(one),
    beside(dayAt(other), other === 4 ? 40 : 0),
  ].sort();
  return { start_date, end_date };
}

/** Returns a day of the calendar, or a day in the second year after it. */
function todayOf(calendar: readonly string[], place: number | null): string {
  if (place !== null) return calendar[place % calendar.length] ?? '';
  return `${Number(calendar.at(-1)?.slice(0, 4)) + 2}-03-05`;
}

interface Tops {
  readonly figuresIn: (product_id: number, days: Days) => ReturnType<typeof figuresOf>;
  readonly net: 'earnings' | 'commissions';
  readonly range: Days;
  readonly top: TopOrder;
  /** The days that are compared with each other; null if nothing is compared. */
  readonly compared: readonly [now: Days, before: Days] | null;
}

/** Returns the products with a sale, highest gross first, or those that changed, most first. */
function topsOf(ids: VendorIds, { figuresIn, net, range, top, compared }: Tops) {
  const all = PRODUCTS.map((which) => {
    const id = ids.product(which);
    const { sales, gross, refunds, ...figures } = figuresIn(id, range);
    const [now, before] = compared?.map((days) => figuresIn(id, days)[net]) ?? [0n, 0n];
    return {
      id,
      name: `Product ${id}`,
      sales,
      gross,
      refunds: refunds.transactions,
      net: figures[net],
      compared: compared && { before, change: Number(now) - Number(before) },
    };
  });
  const isByChange = top === 'change' && compared !== null;
  const sizeOf = (item: (typeof all)[number]) =>
    isByChange ? Math.abs(item.compared?.change ?? 0) : Number(item.gross);
  return all
    .filter((item) => (isByChange ? sizeOf(item) > 0 : item.sales > 0))
    .sort((left, right) => sizeOf(right) - sizeOf(left) || left.id - right.id)
    .map(({ compared: changed, ...item }) => ({
      ...item,
      compared: changed && { ...changed, change: BigInt(changed.change) },
    }));
}

async function expectReports(
  ids: VendorIds,
  role: 'vendor' | 'affiliate',
  list: readonly Listed[],
  { range, by, comparison, top, today }: Asked,
): Promise<void> {
  const viewer = { role, user_id: role === 'vendor' ? ids.vendor : ids.affiliate };
  for (const attribution of ATTRIBUTIONS) {
    const report = await service.app
      .get(ReportsService)
      .report({ viewer, ...range, attribution, filter: {}, by, comparison, top, today });
    expect(report.figures).toEqual(figuresOf(list, range, attribution, role));
    const { compared } = report;
    expect(compared === null).toBe(comparison === 'none' || range.start_date >= today);
    const yesterday = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
    const over = { ...range, end_date: range.end_date < today ? range.end_date : yesterday };
    if (compared !== null) {
      expect(report.figuresUntilToday).toEqual(figuresOf(list, over, attribution, role));
      expect(compared.figures).toEqual(figuresOf(list, compared, attribution, role));
      expect(compared.periods.length).toBeLessThanOrEqual(report.periods.length);
    }
    for (const { figures, ...days } of [...report.periods, ...(compared?.periods ?? [])]) {
      expect(figures).toEqual(figuresOf(list, days, attribution, role));
    }
    const isFuture = today < range.start_date;
    expect(report.periods[0]?.start_date).toBe(isFuture ? undefined : range.start_date);
    const last = range.end_date < today ? range.end_date : today;
    expect(report.periods.at(-1)?.end_date).toBe(isFuture ? undefined : last);
    const figuresIn = (product_id: number, days: Days) => {
      const mine = list.filter((sold) => sold.product_id === product_id);
      return figuresOf(mine, days, attribution, role);
    };
    const net = role === 'vendor' ? 'earnings' : 'commissions';
    expect(report.top_products).toEqual(
      topsOf(ids, { figuresIn, net, range, top, compared: compared && [over, compared] }),
    );
    reported += 1;
  }
}

/** Returns the cohorts of every page, from the newest to the oldest. */
async function allCohorts(request: CohortRequest): Promise<Cohort[]> {
  const found: Cohort[] = [];
  for (let until: string | null = request.until; until !== null;) {
    const page = await service.app.get(CohortsService).page({ ...request, until });
    found.push(...page.cohorts);
    until = page.older;
  }
  return found;
}

async function expectCohorts(
  ids: VendorIds,
  list: readonly Listed[],
  { kinds, today }: Pick<CohortRequest, 'kinds' | 'today'>,
): Promise<void> {
  const product_id = ids.product(1);
  const until = `${today.slice(0, 7)}-01`;
  const request = { vendor_id: ids.vendor, kinds, until, today };
  const parts = [
    [{ series: 'total' }, list],
    [{ series: 'product', id: product_id }, list.filter((sold) => sold.product_id === product_id)],
    [
      { series: 'affiliate', id: ids.affiliate },
      list.filter(({ affiliate }) => affiliate?.id === ids.affiliate),
    ],
  ] as const;
  for (const [scope, sold] of parts) {
    const month = today.slice(0, 7);
    expect(await allCohorts({ ...request, scope })).toEqual(cohortsOf(sold, kinds, month, month));
    cohorts += 1;
  }
}

describe('A report', () => {
  it('says what the list of 3.0 says, for a vendor and for an affiliate', async () => {
    const runs = await holds(
      fc.asyncProperty(ledgers, async (random) => {
        const { calendar, sales, later, days, by, comparison, top, kinds } = random;
        vendors += 1;
        const ids = new VendorIds(vendors);
        await service.import([
          user(ids.vendor),
          user(ids.affiliate, { display_name: 'Ada' }),
          ...PRODUCTS.map((which) => product(ids.product(which), ids.vendor)),
          ...sales.map((sold, place) => lineOf(recordOf(ids, place, calendar, sold))),
        ]);
        await service.import(
          later.map((sold, at) => lineOf(recordOf(ids, at * 2, calendar, sold))),
        );
        const key = await service.key(ids.vendor);
        const range = rangeOf(calendar, days);
        const list = await walkList(service, key, EVER);
        const today = todayOf(calendar, random.today);
        const asked = { range, by, comparison, top, today };
        await expectReports(ids, 'vendor', list, asked);
        const made = list.filter(({ affiliate }) => affiliate !== null);
        await expectReports(ids, 'affiliate', made, asked);
        await expectCohorts(ids, list, { kinds, today });
      }),
      { numRuns: LEDGERS },
    );
    expect(reported).toBeGreaterThanOrEqual(4 * runs);
    expect(cohorts).toBeGreaterThanOrEqual(3 * runs);
  });

  it('names the affiliates of a vendor and the vendors of an affiliate', async () => {
    const [vendor_id, affiliate_id, product_id] = [900_001, 900_002, 900_003];
    await service.import([
      user(vendor_id),
      user(affiliate_id, { display_name: 'Ada' }),
      product(product_id, vendor_id),
      transaction('named', product_id, { affiliate_id }),
    ]);
    const of = (role: 'vendor' | 'affiliate', user_id: number) =>
      service.app.get(ReportsService).report({
        viewer: { role, user_id },
        attribution: 'sale',
        filter: {},
        by: 'day',
        start_date: '2025-06-01',
        end_date: '2025-06-30',
        comparison: 'none',
        top: 'gross',
        today: '2025-06-30',
      });
    const [vendor, affiliate] = [
      await of('vendor', vendor_id),
      await of('affiliate', affiliate_id),
    ];
    expect(vendor.top_partners.map(({ id, name }) => [id, name])).toEqual([[affiliate_id, 'Ada']]);
    expect(affiliate.top_partners.map(({ id, name }) => [id, name])).toEqual([
      [vendor_id, `User ${vendor_id}`],
    ]);
  });

  it('of all time reaches from the first day with anything to the last', async () => {
    const whole = { start_date: '2025-06-01', end_date: '2025-06-01' };
    const reports = service.app.get(ReportsService);
    expect(await reports.allTime({ role: 'vendor', user_id: 900_001 })).toEqual(whole);
    expect(await reports.allTime({ role: 'affiliate', user_id: 900_002 })).toEqual(whole);
    expect(await reports.allTime({ role: 'affiliate', user_id: 900_001 })).toBeNull();
  });
});
