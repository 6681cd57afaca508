/**
 * Computes the expected statistics of an affiliate in memory, as docs/api.md describes them. It
 * shares no code with the service.
 */
import fc from 'fast-check';
import { clicks, refund, transaction } from '../builders/ledger-records.js';

/** One version of a sale. A later one with the same place replaces it. */
export interface AffiliateSale {
  readonly place: number;
  readonly affiliate: 0 | 1 | null;
  readonly product: 0 | 1;
  readonly day: number;
  readonly status: string;
  /** Undefined if the record does not have the field. */
  readonly commissionStatus: string | undefined;
  readonly amount: bigint;
  readonly commission: bigint;
  /** Amounts refunded to the customer and returned by the affiliate, both zero or more. */
  readonly refunded: readonly [bigint, bigint] | null;
}

export interface AffiliateClicks {
  readonly affiliate: 0 | 1;
  readonly product: 0 | 1;
  readonly day: number;
  readonly clicks: number;
  readonly unique: number;
}

/** One import: its sales, then its clicks. */
export interface Step {
  readonly sales: readonly AffiliateSale[];
  readonly clicks: readonly AffiliateClicks[];
}

const MOST_CENTS = 999_999_999_999_999n;
const which = fc.constantFrom(0 as const, 1 as const);
const gains = fc.oneof(
  fc.constantFrom(0n, 1n, 99n, 100n, 4_700n, MOST_CENTS, MOST_CENTS - 1n),
  fc.bigInt({ min: 0n, max: 1_000_000n }),
);
const amounts = fc.oneof(gains, fc.constantFrom(-1n, -1_880n, -MOST_CENTS));
const affiliateSale: fc.Arbitrary<AffiliateSale> = fc.record({
  place: fc.nat({ max: 6 }),
  affiliate: fc.constantFrom(null, 0 as const, 0 as const, 1 as const),
  product: which,
  day: fc.integer({ min: 1, max: 28 }),
  status: fc.constantFrom('pending', 'completed', 'refunded', 'charged_back'),
  commissionStatus: fc.constantFrom(
    undefined,
    'UNPAID',
    'PAID',
    'PAID',
    'PAYMENT_ERROR',
    'REFUNDED',
  ),
  amount: amounts,
  commission: amounts,
  refunded: fc.option(fc.tuple(gains, gains)),
});
const affiliateClicks: fc.Arbitrary<AffiliateClicks> = fc.record({
  affiliate: which,
  product: which,
  day: fc.integer({ min: 1, max: 3 }),
  clicks: fc.nat({ max: 5_000 }),
  unique: fc.nat({ max: 40 }),
});

/** Generates a series of imports in which a few transactions change repeatedly. */
export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    sales: fc.array(affiliateSale, { maxLength: 8 }),
    clicks: fc.array(affiliateClicks, { maxLength: 4 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Ids of one random ledger. No other ledger has the same ids. */
export class LedgerIds {
  readonly vendor: number;

  constructor(readonly number: number) {
    this.vendor = number * 10;
  }

  affiliate(place: number): number {
    return this.vendor + 1 + place;
  }

  product(place: number): number {
    return this.vendor + 5 + place;
  }
}

export function recordsOf(ids: LedgerIds, step: Step): object[] {
  const { sales } = step;
  return [
    ...sales.map(({ affiliate, refunded, commissionStatus, ...sale }) =>
      transaction(`${ids.number}-${sale.place}`, ids.product(sale.product), {
        sale_date: `2025-06-${twoDigits(sale.day)}T10:00:00Z`,
        status: sale.status,
        amount: decimal(sale.amount),
        affiliate_id: affiliate === null ? null : ids.affiliate(affiliate),
        ...(commissionStatus === undefined
          ? {}
          : { affiliate_commission_status: commissionStatus }),
        payouts: {
          seller_earnings: '1.01',
          affiliate_payout: decimal(sale.commission),
          agent_payout: '2.02',
          jv_payout: '3.03',
          service_fee: '4.04',
        },
        refund:
          refunded === null
            ? null
            : refund('2025-07-01T10:00:00Z', {
                refund_amount: decimal(refunded[0]),
                affiliate_refund_impact: decimal(-refunded[1]),
              }),
      }),
    ),
    ...step.clicks.map((day) =>
      clicks(ids.affiliate(day.affiliate), ids.product(day.product), {
        date: `2025-06-${twoDigits(day.day)}`,
        clicks: day.clicks,
        unique_clicks: day.unique,
      }),
    ),
  ];
}

/**
 * Returns the statistics that the service must show for an affiliate and a product after all steps.
 * @returns null if they have no sales and no clicks together, for which the service responds 404
 */
export function statisticsOf(
  ids: LedgerIds,
  all: readonly Step[],
  affiliate: 0 | 1,
  product: 0 | 1,
): Record<string, unknown> | null {
  const mine = (record: { readonly affiliate: 0 | 1 | null; readonly product: 0 | 1 }) =>
    record.affiliate === affiliate && record.product === product;
  const latest = new Map(all.flatMap(({ sales }) => sales).map((sale) => [sale.place, sale]));
  const ofBoth = [...latest.values()].filter(mine);
  const sold = ofBoth.filter(({ status }) => status !== 'pending');
  const days = [
    ...new Map(
      all.flatMap((step) => step.clicks.filter(mine)).map((day) => [day.day, day]),
    ).values(),
  ];
  const unique = sum(days.map((day) => BigInt(day.unique)));
  const clicked = sum(days.map((day) => BigInt(day.clicks)));
  if (ofBoth.length === 0 && unique + clicked === 0n) return null;
  const count = (status: string) => sold.filter((sale) => sale.status === status).length;
  const refunds = sold.filter(
    ({ status, refunded }) =>
      status === 'refunded' || (status === 'completed' && refunded !== null),
  ).length;
  const commission = (sales: readonly AffiliateSale[]) =>
    sum(sales.map((sale) => sale.commission - (sale.refunded?.[1] ?? 0n)));
  const earned = commission(sold);
  const paid = commission(sold.filter(({ commissionStatus }) => commissionStatus === 'PAID'));
  const dates = sold.map(({ day }) => `2025-06-${twoDigits(day)}T10:00:00+00:00`).sort();
  return {
    affiliate_id: ids.affiliate(affiliate),
    affiliate_name: `User ${ids.affiliate(affiliate)}`,
    product_id: ids.product(product),
    product_name: `Product ${ids.product(product)}`,
    clicks: Number(clicked),
    unique_clicks: Number(unique),
    sales: sold.length,
    refunds,
    chargebacks: count('charged_back'),
    revenue: money(sum(sold.map(({ amount }) => amount))),
    refund_amount: money(sum(sold.map(({ refunded }) => refunded?.[0] ?? 0n))),
    commission_earned: money(earned),
    commission_paid: money(paid),
    commission_unpaid: money(earned - paid),
    earnings_per_click: money(rounded(earned, unique)),
    conversion_rate: decimal(rounded(BigInt(sold.length) * 10_000n, unique), 4),
    refund_rate: decimal(rounded(BigInt(refunds) * 10_000n, BigInt(sold.length)), 4),
    first_sale_date: dates[0] ?? null,
    last_sale_date: dates.at(-1) ?? null,
  };
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

/**
 * Divides and rounds to the nearest integer, halves away from zero. Returns 0 if the divisor is 0.
 */
function rounded(value: bigint, by: bigint): bigint {
  if (by === 0n) return 0n;
  const size = value < 0n ? -value : value;
  const whole = size / by + ((size % by) * 2n >= by ? 1n : 0n);
  return value < 0n ? -whole : whole;
}

function money(cents: bigint): string {
  return decimal(cents);
}

function decimal(units: bigint, places = 2): string {
  const unit = 10n ** BigInt(places);
  const size = units < 0n ? -units : units;
  return `${units < 0n ? '-' : ''}${size / unit}.${String(size % unit).padStart(places, '0')}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
