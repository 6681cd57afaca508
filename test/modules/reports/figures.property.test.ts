/** Figures equal a calculation over the sales themselves, for every group, filter and interval. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TrackingBounds } from '../../../src/ledger/sums/tracking-sums.js';
import { FigureBounds } from '../../../src/modules/reports/figures/figure-reads.service.js';
import { product, transaction, user } from '../../support/builders/ledger-records.js';
import { lineOf, lineOfClicks } from '../../support/builders/figure-lines.js';
import { comparedDays } from '../../support/oracles/compared-days.js';
import {
  figureOf,
  intervalsOf,
  intervalStart,
  nextDay,
  type FigureClicks,
  type FigureData,
  type FigureDays,
  type FigureSale,
} from '../../support/oracles/figures-oracle.js';
import { onOneDay } from '../../support/processes/one-day.js';
import { holds, sampled } from '../../support/random/properties.js';
import { TestService } from '../../support/servers/service.js';

const VENDOR = 1;
const AFFILIATES = [2, 3, 4];
const PRODUCTS = [10, 11, 12];
const STRANGER = { id: 20, product: 21 };
const DAYS = ['2023-11-30', '2023-12-31', '2024-01-01', '2024-01-31', '2024-02-10', '2024-02-11'];
const DAY_AFTER = ['2024-02-29', '2024-03-01', '2024-03-02', '2024-03-31'];
/** Days around today. A range has days of this list or of the others, so that it is not long. */
const RECENT = [-62, -31, -2, -1, 0, 1].map((days) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
);
const COMPARISONS = ['none', 'none', 'previous_period', 'previous_year'] as const;
const VALUES = ['news', 'blog', 'News', 'x'.repeat(300), '', null];
const REFUNDS_ON = ['refund_date', 'sale_date'] as const;
const INTERVALS = ['none', 'day', 'week', 'month', 'quarter', 'year'];
const ANY = [
  'sales',
  'gross',
  'affiliate_commissions',
  'refunds',
  'refunded',
  'chargebacks',
  'charged_back',
  'refund_rate',
  'chargeback_rate',
  'average_order',
  'pending',
  'pending_amount',
];
const OF_CLICKS = ['clicks', 'unique_clicks', 'conversion_rate'];
const OF_VENDOR = [
  'seller_earnings',
  'service_fees',
  'agent_commissions',
  'jv_commissions',
  'taxes',
];
const TRACKED = ['utm_source', 'sub_id3'];
/** More values than these have no sums of their own. */
const MOST_VALUES = 2;
/** More sales, also within one second, are read by several statements. */
const SALES_OF_A_STATEMENT = 7;

const oldDay = fc.constantFrom(...DAYS, ...DAY_AFTER);
const recentDay = fc.constantFrom(...RECENT);
const day = fc.oneof({ weight: 2, arbitrary: oldDay }, { weight: 1, arbitrary: recentDay });
const cents = fc.integer({ min: 0, max: 99_999 });
const money = fc.record({
  amount: cents,
  earnings: cents,
  fees: cents,
  affiliate: cents,
  agent: cents,
  jv: cents,
});
const sale: fc.Arbitrary<FigureSale> = fc
  .record({
    day,
    status: fc.constantFrom('pending', 'completed', 'completed', 'refunded', 'charged_back'),
    product_id: fc.constantFrom(...PRODUCTS),
    affiliate_id: fc.constantFrom(null, ...AFFILIATES),
    tracking: fc.record({
      utm_source: fc.constantFrom(...VALUES),
      sub_id3: fc.constantFrom(null, 'a', 'b'),
    }),
    money: fc
      .record({ taxes: fc.option(cents) })
      .chain((taxes) => money.map((one) => ({ ...one, ...taxes }))),
    refund: fc.option(fc.record({ day, money })),
  })
  .map((made) => {
    const { refund } = made;
    if (refund === null) return made;
    const lost = (of: number) => -of;
    const { amount, earnings, fees, affiliate, agent, jv } = refund.money;
    return {
      ...made,
      refund: {
        day: refund.day < made.day ? made.day : refund.day,
        money: {
          amount,
          earnings: lost(earnings),
          fees: lost(fees),
          affiliate: lost(affiliate),
          agent: lost(agent),
          jv: lost(jv),
        },
      },
    };
  });

let service: TestService;
let key: string;
let affiliateKey: string;
let data: FigureData;
beforeAll(async () => {
  service = await TestService.start();
  service.app.get(TrackingBounds).values = MOST_VALUES;
  service.app.get(FigureBounds).slice = SALES_OF_A_STATEMENT;
  const sales = sampled(sale, 250);
  const clicked = sampled(
    fc.record({
      day,
      product_id: fc.constantFrom(...PRODUCTS),
      affiliate_id: fc.constantFrom(...AFFILIATES.slice(0, 2)),
      clicks: fc.nat({ max: 50 }),
      unique_clicks: fc.nat({ max: 20 }),
    }),
    60,
  );
  const once = new Map(
    clicked.map((each) => [`${each.day} ${each.product_id} ${each.affiliate_id}`, each]),
  );
  data = { sales, clicks: [...once.values()] };
  await service.import([
    ...[VENDOR, STRANGER.id, ...AFFILIATES].map((id) => user(id)),
    ...PRODUCTS.map((id) => product(id, VENDOR)),
    product(STRANGER.product, STRANGER.id),
    ...sales.map(lineOf),
    transaction('of-stranger', STRANGER.product, { sale_date: `${DAYS[2]}T00:00:00Z` }),
    ...data.clicks.map((each) => lineOfClicks(each)),
  ]);
  key = await service.key(VENDOR);
  affiliateKey = await service.key(AFFILIATES[0] ?? 0);
});
afterAll(() => service.stop());

interface Asked {
  readonly role: 'vendor' | 'affiliate';
  readonly group: string;
  readonly interval: string;
  readonly refundsOn: (typeof REFUNDS_ON)[number];
  readonly measures: readonly string[];
  readonly filter: Readonly<Record<string, string>>;
  readonly range: FigureDays;
  readonly compare: (typeof COMPARISONS)[number];
}

const filters: fc.Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  fc.constant({}),
  fc.record({ product_id: fc.constantFrom(...PRODUCTS, STRANGER.product).map(String) }),
  fc.record({ affiliate_id: fc.constantFrom(...AFFILIATES).map(String) }),
  fc.record({
    product_id: fc.constantFrom(...PRODUCTS).map(String),
    affiliate_id: fc.constantFrom(...AFFILIATES).map(String),
  }),
  fc.record({ utm_source: fc.constantFrom('news', 'blog', 'News', 'x'.repeat(300), 'none') }),
);

const requests: fc.Arbitrary<Asked> = fc
  .record({
    role: fc.constantFrom('vendor', 'vendor', 'vendor', 'affiliate'),
    group: fc.constantFrom('none', 'product', 'affiliate', ...TRACKED),
    interval: fc.constantFrom(...INTERVALS),
    refundsOn: fc.constantFrom(...REFUNDS_ON),
    measures: fc.subarray([...ANY, ...OF_CLICKS, ...OF_VENDOR], { minLength: 1 }),
    filter: filters,
    days: fc.oneof(fc.tuple(oldDay, oldDay), fc.tuple(recentDay, recentDay)),
    after: fc.constantFrom(0, 0, 5),
    months: fc.boolean(),
    compare: fc.constantFrom(...COMPARISONS),
  })
  .map(({ days, after, months, ...asked }) => {
    const [start_date = '', last = ''] = [...days].sort();
    const end_date = Array.from({ length: after }).reduce<string>((one) => nextDay(one), last);
    const range = { start_date, end_date };
    return { ...asked, range: months ? wholeMonths(range) : range };
  })
  .map((asked) => (asked.role === 'affiliate' ? ofAffiliate(asked) : withoutUnknown(asked)));

function wholeMonths({ start_date, end_date }: FigureDays): FigureDays {
  let last = end_date;
  while (!nextDay(last).endsWith('-01')) last = nextDay(last);
  return { start_date: intervalStart(start_date, 'month'), end_date: last };
}

/** Leaves out what an affiliate may not ask for. */
function ofAffiliate({ measures, group, filter, ...asked }: Asked): Asked {
  const { product_id } = filter;
  const shown = measures.filter((name) => !OF_VENDOR.includes(name));
  return {
    ...asked,
    group: group === 'product' ? group : 'none',
    measures: shown.length === 0 ? ['sales'] : shown,
    filter: product_id === undefined ? {} : { product_id },
  };
}

/** Leaves out clicks by tracked field. */
function withoutUnknown({ measures, ...asked }: Asked): Asked {
  const isTracked = TRACKED.includes(asked.group) || 'utm_source' in asked.filter;
  const known = isTracked ? measures.filter((name) => !OF_CLICKS.includes(name)) : measures;
  return { ...asked, measures: known.length === 0 ? ['gross'] : known };
}

function groupOf({ group }: Asked, { product_id, affiliate_id, tracking }: FigureSale) {
  if (group === 'none') return 'all';
  if (group === 'product') return product_id;
  if (group === 'affiliate') return affiliate_id;
  const value = tracking[group] ?? '';
  return value === '' ? null : value;
}

function filtered({ role, filter }: Asked): FigureData {
  const { product_id, affiliate_id, utm_source } = filter;
  const own = role === 'affiliate' ? String(AFFILIATES[0]) : affiliate_id;
  const isWanted = (of: FigureSale | FigureClicks) =>
    (product_id === undefined || String(of.product_id) === product_id) &&
    (own === undefined || String(of.affiliate_id) === own) &&
    (utm_source === undefined || ('tracking' in of && of.tracking.utm_source === utm_source));
  return { sales: data.sales.filter(isWanted), clicks: data.clicks.filter(isWanted) };
}

/** The ranges of an answer. The ranges of intervals that are compared are null without days. */
interface Ranges {
  readonly range: FigureDays;
  readonly intervals: readonly FigureDays[];
  readonly before: FigureDays | null;
  readonly compared: readonly (FigureDays | null)[] | null;
}

function rangesOf({ range: asked, interval, compare }: Asked, today: string): Ranges {
  const found = compare === 'none' ? null : comparedDays(asked, compare, interval, today);
  const range = found?.range ?? asked;
  return {
    range,
    intervals: interval === 'none' ? [range] : intervalsOf(range, interval),
    before: found?.before ?? null,
    compared: found?.intervals ?? null,
  };
}

/** Returns the figures of each group as the API should show them, by group and interval. */
function expected(asked: Asked, { range, intervals, before, compared }: Ranges) {
  const { measures, refundsOn } = asked;
  const found = filtered(asked);
  const counted = measures.some((name) => OF_CLICKS.includes(name)) ? found.clicks : [];
  const clickGroup = (each: FigureClicks) =>
    asked.group === 'none'
      ? 'all'
      : asked.group === 'product'
        ? each.product_id
        : each.affiliate_id;
  const keys = new Set<unknown>([
    ...found.sales.map((each) => groupOf(asked, each)),
    ...counted.map(clickGroup),
  ]);
  const groups = new Map<unknown, object[]>();
  if (asked.group === 'none') keys.add('all');
  for (const group of keys) {
    const own = {
      sales: found.sales.filter((each) => groupOf(asked, each) === group),
      clicks: counted.filter((each) => clickGroup(each) === group),
    };
    const shown = ['sales', 'refunds', 'chargebacks', 'clicks', 'unique_clicks'];
    const isPending = measures.some((name) => name.startsWith('pending'));
    const counts = [...shown, ...(isPending ? ['pending'] : [])];
    const isIn = (days: FigureDays) =>
      counts.some((name) => figureOf(name, own, days, refundsOn) !== 0);
    if (asked.group !== 'none' && !isIn(range) && (before === null || !isIn(before))) continue;
    const values = (days: FigureDays) => valuesOf(measures, own, days, refundsOn);
    groups.set(
      group,
      intervals.map((each, index) => {
        const days = compared?.[index] ?? null;
        const other = days === null ? null : values(days);
        return { measures: values(each), compared: compared === null ? undefined : other };
      }),
    );
  }
  return groups;
}

/** Returns the figures of tracked values without a row, of which there must be some. */
function expectedLeftOut(asked: Asked, { range }: Ranges, shown: ReadonlySet<unknown>) {
  const sales = filtered(asked).sales.filter((each) => {
    const group = groupOf(asked, each);
    return group !== null && !shown.has(group);
  });
  return valuesOf(asked.measures, { sales, clicks: [] }, range, asked.refundsOn);
}

function valuesOf(
  measures: readonly string[],
  own: FigureData,
  range: FigureDays,
  refundsOn: Asked['refundsOn'],
): object {
  return Object.fromEntries(measures.map((name) => [name, figureOf(name, own, range, refundsOn)]));
}

function pathOf({ role, group, measures, filter, range, ...asked }: Asked): string {
  const query = new URLSearchParams({
    as: role,
    group_by: group,
    interval: asked.interval,
    refunds_on: asked.refundsOn,
    compare: asked.compare,
    measures: measures.join(','),
    ...filter,
    ...range,
  });
  return `/ledger/v1/figures?${query.toString()}`;
}

/** Returns the values of the answer by group; a group without a sale is `all`. */
function answered(results: readonly Readonly<Record<string, unknown>>[]) {
  const groups = new Map<unknown, unknown[]>();
  for (const { group, measures, compared } of results) {
    const of = group as { readonly id?: number | null; readonly value?: string | null } | null;
    const name = of === null ? 'all' : of.id === undefined ? of.value : of.id;
    groups.set(name, [...(groups.get(name) ?? []), { measures, compared }]);
  }
  return groups;
}

async function expectFigures(asked: Asked, today: string): Promise<void> {
  const { meta, results } = await service.envelope(
    pathOf(asked),
    asked.role === 'vendor' ? key : affiliateKey,
  );
  const ranges = rangesOf(asked, today);
  const groups = expected(asked, ranges);
  const shown = answered(results);
  const { groups_left_out: leftOut } = meta as unknown as { groups_left_out: object | null };
  if (leftOut !== null) {
    expect(leftOut).toEqual(expectedLeftOut(asked, ranges, new Set(shown.keys())));
    for (const name of [...groups.keys()]) if (!shown.has(name)) groups.delete(name);
  }
  expect(shown).toEqual(groups);
  const totals = (range: FigureDays | null) =>
    range && valuesOf(asked.measures, filtered(asked), range, asked.refundsOn);
  expect(meta).toMatchObject({
    totals: totals(ranges.range),
    range: ranges.range,
    compared_range: ranges.before,
    compared_totals: totals(ranges.before),
  });
  for (const item of results) {
    const each = item.interval as (FigureDays & { readonly partial: boolean }) | null;
    if (each === null) continue;
    const isWhole =
      intervalStart(each.start_date, asked.interval) === each.start_date &&
      intervalStart(nextDay(each.end_date), asked.interval) === nextDay(each.end_date);
    expect(each.partial).toBe(!isWhole);
  }
}

describe('Figures', () => {
  it('are what the sales say, for every group, filter, interval, comparison and measure', async () => {
    const runs = await holds(
      fc.asyncProperty(requests, async (asked) => {
        await onOneDay(async (today) => {
          const isOver = asked.range.start_date < today;
          await expectFigures(isOver ? asked : { ...asked, compare: 'none' }, today);
        });
      }),
      { numRuns: 400, atLeast: 40 },
    );
    expect(runs).toBeGreaterThanOrEqual(40);
  });
});
