/** Random ledgers that concentrate on the edges: few days, few seconds, many ties. */
import fc from 'fast-check';

/** Decimal text as a ledger may write it: `47`, `-18.8`, `0.00`. */
export type MoneyText = string;

/**
 * A `transaction` record before it is written as a line. Its refund has the amounts as a separate
 * object.
 */
export interface SaleRecord {
  readonly transaction_id: string;
  readonly product_id: number;
  readonly product_name: string;
  readonly sale_date: string;
  readonly amount: MoneyText;
  readonly status: string;
  readonly customer: {
    readonly email: string;
    readonly first_name: string;
    readonly last_name: string;
  };
  readonly affiliate_id: number | null;
  readonly tracking: Readonly<Record<string, string | null>> | null;
  readonly payouts: Readonly<Record<string, MoneyText>>;
  readonly refund: {
    readonly refund_date: string;
    readonly amounts: Readonly<Record<string, MoneyText>>;
  } | null;
}

/** A sale of a random ledger. Days are indices into the ledger's calendar. */
export interface Sale {
  readonly soldAt: Moment;
  readonly refundedAt: Moment | 'with the sale' | null;
  /** Fraction of a second of both date-times, so that it does not affect their order. */
  readonly fraction: string;
  readonly status: string;
  readonly product: number;
  readonly hasAffiliate: boolean;
  readonly name: string;
  readonly amounts: readonly number[];
  readonly tracking: Readonly<Record<string, string | null>> | null;
}

interface Moment {
  readonly day: number;
  readonly time: string;
  /** Offset in which the moment is written, in minutes east of UTC. */
  readonly offset: number;
}

/** Ids of one vendor. No other vendor has the same ids. */
export class VendorIds {
  readonly vendor: number;
  readonly affiliate: number;

  constructor(readonly number: number) {
    this.vendor = number * 10;
    this.affiliate = this.vendor + 1;
  }

  product(which: number): number {
    return this.vendor + 2 + which;
  }

  /** Returns the id of a transaction. Ids that differ only in case are different ids. */
  transaction(place: number): string {
    return `${this.number}-${place % 2 === 0 ? 't' : 'T'}${Math.floor(place / 2)}`;
  }
}

/**
 * Days around the ends of months and years, leap days, daylight saving changes, and the first and
 * last days that can be stored.
 */
export const CALENDARS: readonly (readonly string[])[] = [
  ['2023-12-30', '2023-12-31', '2024-01-01', '2024-01-02'],
  ['2024-02-28', '2024-02-29', '2024-03-01'],
  ['2025-02-27', '2025-02-28', '2025-03-01'],
  ['2100-02-28', '2100-03-01'],
  ['1999-12-31', '2000-01-01', '2000-02-29', '2000-12-31'],
  ['2025-06-29', '2025-06-30', '2025-07-01', '2026-06-30'],
  ['2025-03-08', '2025-03-09', '2025-03-10'],
  ['2025-11-01', '2025-11-02', '2025-11-03'],
  ['2025-05-15'],
  ['1000-01-01', '1000-01-02', '9999-12-30', '9999-12-31'],
];

const TIMES = ['00:00:00', '00:00:01', '12:00:00', '23:59:58', '23:59:59'];
const OFFSETS = [0, 0, 1, -1, 330, -240, 840, -720, 1439, -1439];
const STATUSES = ['pending', 'completed', 'refunded', 'charged_back'];
const PAYOUTS = ['seller_earnings', 'affiliate_payout', 'agent_payout', 'jv_payout', 'service_fee'];
const IMPACTS = [
  'seller_refund_impact',
  'affiliate_refund_impact',
  'agent_refund_impact',
  'jv_refund_impact',
];
const MOST_CENTS = 999_999_999_999_999;

const moment: fc.Arbitrary<Moment> = fc.record({
  day: fc.nat({ max: 3 }),
  time: fc.constantFrom(...TIMES),
  offset: fc.constantFrom(...OFFSETS),
});
const words = fc.constantFrom('', 'a', 'A ', "O'Brien; --", 'Zoë 🙂', '%', '\\', 'ß\u00a0"');
const cents = fc.oneof(
  fc.constantFrom(0, 1, -1, 10, 100, -1_880, 4_700, MOST_CENTS, -MOST_CENTS),
  fc.integer({ min: -1_000_000, max: 1_000_000 }),
);

export const sale: fc.Arbitrary<Sale> = fc.record({
  soldAt: moment,
  refundedAt: fc.oneof(fc.constantFrom(null, 'with the sale' as const), moment),
  fraction: fc.constantFrom('', '', '.0', '.999999'),
  status: fc.constantFrom(...STATUSES),
  product: fc.nat({ max: 1 }),
  hasAffiliate: fc.boolean(),
  name: words,
  amounts: fc.array(cents, { minLength: 1, maxLength: 12 }),
  tracking: fc.option(
    fc.dictionary(
      fc.constantFrom('vtid', 'custom', 'tid', 'utm_term', 'sub_id5', 'yclid', 'other_params'),
      fc.option(words),
      { maxKeys: 3 },
    ),
  ),
});

/**
 * Returns the record of a sale. A refund that would precede its sale is moved to the second of the
 * sale.
 */
export function recordOf(
  ids: VendorIds,
  place: number,
  calendar: readonly string[],
  { soldAt, refundedAt, fraction, amounts, ...rest }: Sale,
): SaleRecord {
  const sold = instantOf(soldAt, calendar);
  const amount = (index: number) => amounts[index % amounts.length] ?? 0;
  const named = (fields: readonly string[], from: number, change: (cents: number) => number) =>
    Object.fromEntries(
      fields.map((field, index) => [field, decimal(change(amount(from + index)))]),
    );
  const refundMoment = refundedAt === 'with the sale' ? soldAt : refundedAt;
  return {
    transaction_id: ids.transaction(place),
    product_id: ids.product(rest.product),
    product_name: `Product ${rest.name}`,
    sale_date: written(sold, soldAt.offset, fraction),
    amount: decimal(amount(0)),
    status: rest.status,
    customer: { email: `${rest.name}@example.test`, first_name: rest.name, last_name: `${place}` },
    affiliate_id: rest.hasAffiliate ? ids.affiliate : null,
    tracking: rest.tracking,
    payouts: named(PAYOUTS, 1, (value) => value),
    refund:
      refundMoment === null
        ? null
        : {
            refund_date: written(
              Math.max(sold, instantOf(refundMoment, calendar)),
              refundMoment.offset,
              fraction,
            ),
            amounts: {
              refund_amount: decimal(Math.abs(amount(6))),
              ...named(IMPACTS, 7, (value) => -Math.abs(value)),
              ...named(['service_fee_adjustment'], 7 + IMPACTS.length, (value) => value),
            },
          },
  };
}

/** Returns the record as a line of a ledger file. */
export function lineOf({ refund, ...record }: SaleRecord): object {
  return {
    type: 'transaction',
    ...record,
    refund: refund === null ? null : { refund_date: refund.refund_date, ...refund.amounts },
  };
}

function instantOf({ day, time }: Moment, calendar: readonly string[]): number {
  return Date.parse(`${calendar[day % calendar.length] ?? ''}T${time}Z`);
}

/**
 * Returns an instant in the local time of an offset, or in UTC if the local time would need a year
 * of five digits.
 */
function written(instant: number, offset: number, fraction: string): string {
  const local = new Date(instant + offset * 60_000).toISOString();
  if (offset === 0 || local.length > 24) return `${utc(instant)}${fraction}Z`;
  const minutes = Math.abs(offset);
  const zone = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${local.slice(0, 19)}${fraction}${offset < 0 ? '-' : '+'}${zone.join(':')}`;
}

function utc(instant: number): string {
  return new Date(instant).toISOString().slice(0, 19);
}

/** Returns cents as decimal text with as few places as possible. */
function decimal(value: number): MoneyText {
  const digits = String(Math.abs(value)).padStart(3, '0');
  const fraction = digits.slice(-2).replace(/0+$/, '');
  const text = fraction === '' ? digits.slice(0, -2) : `${digits.slice(0, -2)}.${fraction}`;
  return value < 0 ? `-${text}` : text;
}
