import type { MoneySum } from '../../../ledger/sums/report-sums.js';
import { quotient, rateOf } from '../../../platform/values/money.js';
import { recordOf } from '../../../platform/values/record-of.js';
import { AMOUNT_OF, PART_OF } from '../../../ledger/sums/sum-parts.js';
import type { ClickRow, FigureRow } from './figure-row.model.js';

/** Numbers of transactions and clicks, and money in cents, from which all measures follow. */
const COUNTS = [
  'sales',
  'gross',
  'pending',
  'pending_amount',
  'refunds',
  'refunded',
  'chargebacks',
  'charged_back',
  'earnings',
  'fees',
  'affiliate',
  'agent',
  'jv',
  'taxes',
  'clicks',
  'unique_clicks',
] as const;
export type Counts = Record<(typeof COUNTS)[number], bigint>;

/** The counts of nothing. */
export const NO_COUNTS: Readonly<Counts> = Object.freeze(recordOf(COUNTS, () => 0n));

export function noCounts(): Counts {
  return { ...NO_COUNTS };
}

export function addRow(counts: Counts, row: FigureRow): void {
  const part = PART_OF[row.kind];
  counts[part] += BigInt(row.transactions);
  counts[AMOUNT_OF[part]] += BigInt(row.amount ?? 0);
  for (const sum of NET_SUMS) {
    const value = row[sum];
    if (value !== undefined) counts[sum] += BigInt(value);
  }
}
const NET_SUMS = ['earnings', 'fees', 'affiliate', 'agent', 'jv', 'taxes'] as const;

/** The sums of money that a viewer sees. An affiliate sees only their own commissions. */
export const MONEY_OF: Readonly<Record<'vendor' | 'affiliate', readonly MoneySum[]>> = {
  vendor: ['amount', 'earnings', 'fees', 'affiliate', 'agent', 'jv'],
  affiliate: ['amount', 'affiliate'],
};

export function addClicks(counts: Counts, { clicks, unique_clicks }: ClickRow): void {
  counts.clicks += BigInt(clicks);
  counts.unique_clicks += BigInt(unique_clicks);
}

export function addCounts(to: Counts, added: Readonly<Counts>, sign: 1 | -1 = 1): void {
  for (const count of COUNTS) {
    const value = added[count];
    if (value !== 0n) to[count] += sign === 1 ? value : -value;
  }
}

export type Unit = 'number' | 'money' | 'rate';

/** Defines a measure: what it means, and how it follows from the counts. */
interface Measure {
  readonly unit: Unit;
  /** Whole sentences for the catalogue. */
  readonly definition: string;
  /** Sums of money that it needs, apart from the amount. */
  readonly needs?: readonly MoneySum[];
  /** True if it counts clicks. */
  readonly hasClicks?: true;
  /** True if the measure shows the money of others, so that an affiliate may not see it. */
  readonly isOfVendor?: true;
  /** Absent if the measure is in the totals only, and is not made from counts. */
  readonly of?: (counts: Readonly<Counts>) => bigint;
}

const NET = 'after what refunds and chargebacks took back on the chosen day';

export const MEASURES = {
  sales: {
    unit: 'number',
    definition:
      'Transactions sold in the range that are completed, refunded or charged back. Pending ones do not count.',
    of: ({ sales }) => sales,
  },
  gross: {
    unit: 'money',
    definition: 'Amounts of the sales, before refunds and chargebacks.',
    of: ({ gross }) => gross,
  },
  seller_earnings: {
    unit: 'money',
    definition: `Earnings of the vendor, ${NET}.`,
    needs: ['earnings'],
    isOfVendor: true,
    of: ({ earnings }) => earnings,
  },
  service_fees: {
    unit: 'money',
    definition: `Fees of the service, ${NET}.`,
    needs: ['fees'],
    isOfVendor: true,
    of: ({ fees }) => fees,
  },
  affiliate_commissions: {
    unit: 'money',
    definition: `Commissions of affiliates, ${NET}.`,
    needs: ['affiliate'],
    of: ({ affiliate }) => affiliate,
  },
  agent_commissions: {
    unit: 'money',
    definition: `Commissions of agents, ${NET}.`,
    needs: ['agent'],
    isOfVendor: true,
    of: ({ agent }) => agent,
  },
  jv_commissions: {
    unit: 'money',
    definition: `Commissions of joint venture partners, ${NET}.`,
    needs: ['jv'],
    isOfVendor: true,
    of: ({ jv }) => jv,
  },
  refunds: {
    unit: 'number',
    definition: 'Transactions refunded, wholly or in part, on the chosen day.',
    of: ({ refunds }) => refunds,
  },
  refunded: {
    unit: 'money',
    definition: 'Amounts returned by the refunds. A refund without a date has no amount.',
    of: ({ refunded }) => refunded,
  },
  chargebacks: {
    unit: 'number',
    definition: 'Transactions charged back on the chosen day.',
    of: ({ chargebacks }) => chargebacks,
  },
  charged_back: {
    unit: 'money',
    definition: 'Amounts returned by the chargebacks. A chargeback without a date has no amount.',
    of: ({ charged_back }) => charged_back,
  },
  refund_rate: {
    unit: 'rate',
    definition: 'Refunds per sale; zero without sales.',
    of: ({ refunds, sales }) => rateOf(refunds, sales),
  },
  chargeback_rate: {
    unit: 'rate',
    definition: 'Chargebacks per sale; zero without sales.',
    of: ({ chargebacks, sales }) => rateOf(chargebacks, sales),
  },
  average_order: {
    unit: 'money',
    definition: 'Gross per sale, rounded to the cent, halves away from zero; zero without sales.',
    of: ({ gross, sales }) => quotient(gross, sales),
  },
  taxes: {
    unit: 'money',
    definition:
      'Taxes (`tax_total`) of the sales in the range, before refunds and chargebacks. Unknown taxes count as zero.',
    needs: ['taxes'],
    isOfVendor: true,
    of: ({ taxes }) => taxes,
  },
  pending: {
    unit: 'number',
    definition: 'Transactions of the range that are pending. They count in no other measure.',
    of: ({ pending }) => pending,
  },
  pending_amount: {
    unit: 'money',
    definition: 'Amounts of the pending transactions.',
    of: ({ pending_amount }) => pending_amount,
  },
  clicks: {
    unit: 'number',
    definition: 'Clicks on links of affiliates, by the day of the click.',
    hasClicks: true,
    of: ({ clicks }) => clicks,
  },
  unique_clicks: {
    unit: 'number',
    definition: 'Unique clicks on links of affiliates, by the day of the click.',
    hasClicks: true,
    of: ({ unique_clicks }) => unique_clicks,
  },
  conversion_rate: {
    unit: 'rate',
    definition: 'Sales per unique click, of the same sales as `sales`; zero without unique clicks.',
    hasClicks: true,
    of: ({ sales, unique_clicks }) => rateOf(sales, unique_clicks),
  },
  unpaid_commissions: {
    unit: 'money',
    definition:
      'Commissions of affiliates with the commission status UNPAID, after refunds and chargebacks, as of now and whatever the range. It is in `meta.totals` only.',
  },
} as const satisfies Readonly<Record<string, Measure>>;
export type MeasureName = keyof typeof MEASURES;

/** Values of measures in units: cents, or units of RATE_PLACES. */
export type FigureValues = Readonly<Partial<Record<MeasureName, bigint>>>;

export const MEASURE_NAMES = Object.keys(MEASURES).filter(isMeasure);
export const DEFAULT_MEASURES = ['sales', 'gross', 'seller_earnings', 'refunds', 'refunded'];
const AFFILIATE_DEFAULT = ['sales', 'gross', 'affiliate_commissions', 'refunds', 'refunded'];

/** Returns the measures that are shown if none is requested. */
export function defaultMeasures(role: 'vendor' | 'affiliate'): readonly MeasureName[] {
  return (role === 'vendor' ? DEFAULT_MEASURES : AFFILIATE_DEFAULT).filter(isMeasure);
}

export function isMeasure(name: string): name is MeasureName {
  return Object.hasOwn(MEASURES, name);
}

export function measureOf(name: MeasureName): Measure {
  return MEASURES[name];
}

/** Returns true if the items of an answer have the measure; otherwise only its totals do. */
export function isInItems(name: MeasureName): boolean {
  return measureOf(name).of !== undefined;
}

/** Returns the sums of money that these measures need, apart from the amount. */
export function neededSums(measures: readonly MeasureName[]): readonly MoneySum[] {
  return [...new Set(measures.flatMap((name) => measureOf(name).needs ?? []))];
}

export function valuesOf(counts: Readonly<Counts>, measures: readonly MeasureName[]): FigureValues {
  const values: Partial<Record<MeasureName, bigint>> = {};
  for (const name of measures) {
    const value = measureOf(name).of?.(counts);
    if (value !== undefined) values[name] = value;
  }
  return values;
}
