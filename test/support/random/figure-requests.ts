/** Random sales, and random requests for figures of them. */
import fc from 'fast-check';
import {
  intervalStart,
  nextDay,
  type FigureDays,
  type FigureSale,
} from '../oracles/figures-oracle.js';

export const VENDOR = 1;
export const AFFILIATES = [2, 3, 4];
export const PRODUCTS = [10, 11, 12];
export const STRANGER = { id: 20, product: 21 };
export const DAYS = [
  '2023-11-30',
  '2023-12-31',
  '2024-01-01',
  '2024-01-31',
  '2024-02-10',
  '2024-02-11',
];
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
export const OF_CLICKS = ['clicks', 'unique_clicks', 'conversion_rate'];
const OF_VENDOR = [
  'seller_earnings',
  'service_fees',
  'agent_commissions',
  'jv_commissions',
  'taxes',
];
const TRACKED = ['utm_source', 'sub_id3'];

const oldDay = fc.constantFrom(...DAYS, ...DAY_AFTER);
const recentDay = fc.constantFrom(...RECENT);
export const day = fc.oneof({ weight: 2, arbitrary: oldDay }, { weight: 1, arbitrary: recentDay });
const cents = fc.integer({ min: 0, max: 99_999 });
const money = fc.record({
  amount: cents,
  earnings: cents,
  fees: cents,
  affiliate: cents,
  agent: cents,
  jv: cents,
});
export const sale: fc.Arbitrary<FigureSale> = fc
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

/** A request for figures. */
export interface Asked {
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

export const requests: fc.Arbitrary<Asked> = fc
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

export function pathOf({ role, group, measures, filter, range, ...asked }: Asked): string {
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
