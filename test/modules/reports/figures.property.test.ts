/** Figures equal a calculation over the sales themselves, for every group, filter and interval. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TrackingBounds } from '../../../src/ledger/sums/tracking-sums.js';
import { clicks, product, transaction, user } from '../../support/builders/ledger-records.js';
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
import { holds, sampled } from '../../support/random/properties.js';
import { TestService } from '../../support/servers/service.js';

const VENDOR = 1;
const AFFILIATES = [2, 3, 4];
const PRODUCTS = [10, 11, 12];
const STRANGER = { id: 20, product: 21 };
const DAYS = ['2023-11-30', '2023-12-31', '2024-01-01', '2024-01-31', '2024-02-10', '2024-02-11'];
const DAY_AFTER = ['2024-02-29', '2024-03-01', '2024-03-02', '2024-03-31'];
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

const day = fc.constantFrom(...DAYS, ...DAY_AFTER);
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

const text = (units: number) => (units / 100).toFixed(2);

function lineOf(sold: FigureSale, place: number): object {
  const { money: paid, refund } = sold;
  return transaction(`figure-${place}`, sold.product_id, {
    sale_date: `${sold.day}T12:00:00Z`,
    status: sold.status,
    amount: text(paid.amount),
    affiliate_id: sold.affiliate_id,
    tracking: sold.tracking,
    taxes: paid.taxes === null ? null : { tax_total: text(paid.taxes) },
    payouts: {
      seller_earnings: text(paid.earnings),
      service_fee: text(paid.fees),
      affiliate_payout: text(paid.affiliate),
      agent_payout: text(paid.agent),
      jv_payout: text(paid.jv),
    },
    refund:
      refund === null
        ? null
        : {
            refund_date: `${refund.day}T13:00:00Z`,
            refund_amount: text(refund.money.amount),
            seller_refund_impact: text(refund.money.earnings),
            service_fee_adjustment: text(refund.money.fees),
            affiliate_refund_impact: text(refund.money.affiliate),
            agent_refund_impact: text(refund.money.agent),
            jv_refund_impact: text(refund.money.jv),
          },
  });
}

function lineOfClicks({ day: date, ...each }: FigureClicks): object {
  const { affiliate_id, product_id, clicks: all, unique_clicks } = each;
  return clicks(affiliate_id, product_id, { date, clicks: all, unique_clicks });
}

let service: TestService;
let key: string;
let affiliateKey: string;
let data: FigureData;
beforeAll(async () => {
  service = await TestService.start();
  service.app.get(TrackingBounds).values = MOST_VALUES;
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
    days: fc.tuple(day, day),
    after: fc.constantFrom(0, 0, 5),
  })
  .map(({ days, after, ...asked }) => {
    const [start_date = '', last = ''] = [...days].sort();
    const end_date = Array.from({ length: after }).reduce<string>((one) => nextDay(one), last);
    return { ...asked, range: { start_date, end_date } };
  })
  .map((asked) => (asked.role === 'affiliate' ? ofAffiliate(asked) : withoutUnknown(asked)));

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

/** Returns the figures of each group as the API should show them, by group and interval. */
function expected(asked: Asked): Map<unknown, object[]> {
  const { range, interval, measures, refundsOn } = asked;
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
  const intervals = interval === 'none' ? [range] : intervalsOf(range, interval);
  const groups = new Map<unknown, object[]>();
  if (asked.group === 'none') keys.add('all');
  for (const group of keys) {
    const own = {
      sales: found.sales.filter((each) => groupOf(asked, each) === group),
      clicks: counted.filter((each) => clickGroup(each) === group),
    };
    const has = (name: string) => figureOf(name, own, range, refundsOn) !== 0;
    const shown = ['sales', 'refunds', 'chargebacks', 'clicks', 'unique_clicks'];
    const isPending = measures.some((name) => name.startsWith('pending'));
    if (asked.group !== 'none' && ![...shown, ...(isPending ? ['pending'] : [])].some(has))
      continue;
    groups.set(
      group,
      intervals.map((each) => valuesOf(measures, own, each, refundsOn)),
    );
  }
  return groups;
}

function valuesOf(
  measures: readonly string[],
  own: FigureData,
  range: FigureDays,
  refundsOn: Asked['refundsOn'],
): object {
  return Object.fromEntries(measures.map((name) => [name, figureOf(name, own, range, refundsOn)]));
}

function pathOf({ role, group, interval, refundsOn, measures, filter, range }: Asked): string {
  const query = new URLSearchParams({
    as: role,
    group_by: group,
    interval,
    refunds_on: refundsOn,
    measures: measures.join(','),
    ...filter,
    ...range,
  });
  return `/ledger/v1/figures?${query.toString()}`;
}

/** Returns the values of the answer by group; a group without a sale is `all`. */
function answered(results: readonly Readonly<Record<string, unknown>>[]) {
  const groups = new Map<unknown, unknown[]>();
  for (const item of results) {
    const of = item.group as { readonly id?: number | null; readonly value?: string | null } | null;
    const name = of === null ? 'all' : of.id === undefined ? of.value : of.id;
    groups.set(name, [...(groups.get(name) ?? []), item.measures]);
  }
  return groups;
}

describe('Figures', () => {
  it('are what the sales say, for every group, filter, interval and measure', async () => {
    const runs = await holds(
      fc.asyncProperty(requests, async (asked) => {
        const { meta, results } = await service.envelope(
          pathOf(asked),
          asked.role === 'vendor' ? key : affiliateKey,
        );
        const groups = expected(asked);
        const shown = answered(results);
        const leftOut = (meta as unknown as { groups_left_out: object | null }).groups_left_out;
        if (leftOut !== null) {
          for (const name of [...groups.keys()]) if (!shown.has(name)) groups.delete(name);
        }
        expect(shown).toEqual(groups);
        const totals = valuesOf(asked.measures, filtered(asked), asked.range, asked.refundsOn);
        expect(meta).toMatchObject({ totals, range: asked.range });
        for (const item of results) {
          const each = item.interval as (FigureDays & { readonly partial: boolean }) | null;
          if (each === null) continue;
          const isWhole =
            intervalStart(each.start_date, asked.interval) === each.start_date &&
            intervalStart(nextDay(each.end_date), asked.interval) === nextDay(each.end_date);
          expect(each.partial).toBe(!isWhole);
        }
      }),
      { numRuns: 400, atLeast: 40 },
    );
    expect(runs).toBeGreaterThanOrEqual(40);
  });
});
