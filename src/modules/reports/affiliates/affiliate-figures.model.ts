import { rateOf } from '../../../platform/values/money.js';
import { recordOf } from '../../../platform/values/record-of.js';
import type { ClickRow } from '../figures/figure-row.model.js';
import { hasAny } from '../figures/figure-table.js';
import type { Counts as SoldCounts } from '../figures/measures.js';
import type { Order } from '../../../platform/pages/ui/sorting.view.js';
import type { Attribution, DayRange, TopItem } from '../report.model.js';

/** Ages of a sale in days, today being 0. A sale dated after today counts in the youngest age. */
export const UNPAID_AGES = ['0-30', '31-60', '61-90', 'over-90'] as const;
export type UnpaidAge = (typeof UNPAID_AGES)[number];

/**
 * The figures of an affiliate's sales for one vendor in a range. Money is in cents. Pending
 * transactions do not count as sales.
 */
export interface AffiliateFigures {
  readonly sales: number;
  readonly gross: bigint;
  readonly refunds: number;
  readonly chargebacks: number;
  /** Commissions in cents, net of refunds and chargebacks. */
  readonly commission: bigint;
  /** Null if no day of the range has a record of clicks. */
  readonly clicks: number | null;
  readonly unique_clicks: number | null;
  /**
   * Refunds per sale in units of RATE_PLACES (src/platform/values/money.ts); null without sales.
   */
  readonly refund_rate: bigint | null;
  readonly chargeback_rate: bigint | null;
  /** Sales per unique click in units of RATE_PLACES; null without unique clicks. */
  readonly conversion: bigint | null;
  /**
   * Commissions of sales that have the commission status UNPAID, after refunds and chargebacks, in
   * cents, as of today, whatever the range.
   */
  readonly unpaid: Readonly<Record<UnpaidAge, bigint>>;
  /** The unpaid commissions of all ages. */
  readonly unpaid_total: bigint;
  /** The part of them for products on terms whose commissions are delayed today. */
  readonly on_hold: bigint;
  /** The rest of them. */
  readonly due_now: bigint;
}

/** The unpaid commissions of an affiliate for a product, in cents. */
export interface UnpaidOfProduct {
  readonly product_id: number;
  readonly unpaid: bigint;
  /** True on terms whose commissions are delayed today. */
  readonly isOnHold: boolean;
}

/** `name` is the affiliate's display name, or the user's name if there is none. */
export type Affiliate = Pick<TopItem, 'id' | 'name'>;

export interface AffiliateRow extends Affiliate {
  readonly figures: AffiliateFigures;
}

/** Columns by which a table can be sorted. */
export const SORTS = [
  'name',
  'sales',
  'gross',
  'commission',
  'refund_rate',
  'chargeback_rate',
  'clicks',
  'unique_clicks',
  'conversion',
  'unpaid_total',
  'due_now',
  'on_hold',
  ...UNPAID_AGES,
] as const;
export type Sort = (typeof SORTS)[number];
export type FigureSort = Exclude<Sort, 'name'>;

export interface FiguresRequest extends DayRange {
  readonly vendor_id: number;
  /** Day on which refunds and chargebacks count. */
  readonly attribution: Attribution;
}

export interface TableRequest extends FiguresRequest {
  readonly sort: Sort;
  readonly order: Order;
  /** Part of a name in any letter case, or an id; all affiliates if it is left out. */
  readonly name?: string;
}

/** One page of a vendor's affiliates. */
export interface AffiliateTable {
  readonly rows: readonly AffiliateRow[];
  /** Total over all pages. */
  readonly total: AffiliateFigures;
  /** Unpaid commissions of all affiliates, whatever their names. */
  readonly owed: Pick<AffiliateFigures, 'unpaid_total' | 'due_now' | 'on_hold'>;
  readonly count: number;
  /** Page number, starting at 1. */
  readonly page: number;
  readonly pages: number;
}

export interface UnpaidOfAffiliate {
  readonly affiliate_id: number;
  /** `total` covers all ages, and `on_hold` those on delayed terms. */
  readonly age: Exclude<UnpaidAge, 'over-90'> | 'total' | 'on_hold';
  /** In cents. */
  readonly commission: bigint;
}

interface Counts {
  sales: number;
  refunds: number;
  chargebacks: number;
  gross: bigint;
  commission: bigint;
  clicks: number | null;
  unique_clicks: number | null;
  unpaid: Record<UnpaidAge, bigint>;
  on_hold: bigint;
}

/** Adds up the sums, clicks and unpaid commissions of each affiliate. */
export class AffiliateCounts {
  private readonly counts = new Map<number, Counts>();

  /** Ids of all affiliates that were added, in no particular order. */
  get affiliate_ids(): number[] {
    return [...this.counts.keys()];
  }

  /** Adds affiliates that are shown even if they have no figures. */
  addAffiliates(ids: readonly number[]): void {
    for (const id of ids) this.of(id);
  }

  /** Adds the figures of an affiliate, unless there are none. */
  addSales(affiliate_id: number, sold: SoldCounts): void {
    if (!hasAny(sold, false)) return;
    const counts = this.of(affiliate_id);
    counts.gross += sold.gross;
    counts.commission += sold.affiliate;
    for (const count of ['sales', 'refunds', 'chargebacks'] as const) {
      counts[count] += Number(sold[count]);
    }
  }

  addClicks(clicked: readonly ClickRow[]): void {
    for (const { group, clicks, unique_clicks } of clicked) {
      const counts = this.of(Number(group));
      counts.clicks = (counts.clicks ?? 0) + clicks;
      counts.unique_clicks = (counts.unique_clicks ?? 0) + unique_clicks;
    }
  }

  addUnpaid(unpaid: readonly UnpaidOfAffiliate[]): void {
    for (const { affiliate_id, age, commission } of unpaid) {
      const counts = this.of(affiliate_id);
      const { unpaid: ages } = counts;
      // The commissions that are in none of the younger ages are older than 90 days.
      if (age === 'total') ages['over-90'] += commission;
      else if (age === 'on_hold') counts.on_hold += commission;
      else {
        ages[age] += commission;
        ages['over-90'] -= commission;
      }
    }
  }

  figuresOf(affiliate_id: number): AffiliateFigures {
    return figuresOf(this.of(affiliate_id));
  }

  /** Returns the figure of an affiliate by which a table is sorted; null if it is unknown. */
  figureOf(affiliate_id: number, sort: FigureSort): number | bigint | null {
    return figureOf(this.of(affiliate_id), sort);
  }

  /**
   * Returns the figures of these affiliates together, by default of all. The conversion rate covers
   * only affiliates whose clicks are known.
   */
  total(ids: readonly number[] = this.affiliate_ids): AffiliateFigures {
    const total = nothing();
    let converted = 0;
    for (const id of ids) {
      const counts = this.of(id);
      add(total, counts);
      if (counts.clicks !== null) converted += counts.sales;
    }
    return { ...figuresOf(total), conversion: rateOrNull(converted, total.unique_clicks ?? 0) };
  }

  private of(affiliate_id: number): Counts {
    const known = this.counts.get(affiliate_id);
    if (known !== undefined) return known;
    const counts = nothing();
    this.counts.set(affiliate_id, counts);
    return counts;
  }
}

function nothing(): Counts {
  return {
    sales: 0,
    refunds: 0,
    chargebacks: 0,
    gross: 0n,
    commission: 0n,
    clicks: null,
    unique_clicks: null,
    unpaid: recordOf(UNPAID_AGES, () => 0n),
    on_hold: 0n,
  };
}

function add(total: Counts, counts: Counts): void {
  for (const count of ['sales', 'refunds', 'chargebacks'] as const) total[count] += counts[count];
  for (const sum of ['gross', 'commission', 'on_hold'] as const) total[sum] += counts[sum];
  for (const age of UNPAID_AGES) total.unpaid[age] += counts.unpaid[age];
  for (const count of ['clicks', 'unique_clicks'] as const) {
    if (counts[count] !== null) total[count] = (total[count] ?? 0) + counts[count];
  }
}

/** The figures that follow from the counts. */
const DERIVED = {
  unpaid_total: ({ unpaid }: Counts) => UNPAID_AGES.reduce((sum, age) => sum + unpaid[age], 0n),
  due_now: (counts: Counts) => DERIVED.unpaid_total(counts) - counts.on_hold,
  refund_rate: ({ refunds, sales }: Counts) => rateOrNull(refunds, sales),
  chargeback_rate: ({ chargebacks, sales }: Counts) => rateOrNull(chargebacks, sales),
  conversion: ({ sales, unique_clicks }: Counts) => rateOrNull(sales, unique_clicks ?? 0),
} as const;

function figuresOf(counts: Counts): AffiliateFigures {
  return {
    ...counts,
    unpaid_total: DERIVED.unpaid_total(counts),
    due_now: DERIVED.due_now(counts),
    refund_rate: DERIVED.refund_rate(counts),
    chargeback_rate: DERIVED.chargeback_rate(counts),
    conversion: DERIVED.conversion(counts),
  };
}

/** Returns one figure, without the others, because a table is sorted by one of thousands of rows. */
function figureOf(counts: Counts, sort: FigureSort): number | bigint | null {
  switch (sort) {
    case 'unpaid_total':
    case 'due_now':
    case 'refund_rate':
    case 'chargeback_rate':
    case 'conversion':
      return DERIVED[sort](counts);
    case '0-30':
    case '31-60':
    case '61-90':
    case 'over-90':
      return counts.unpaid[sort];
    default:
      return counts[sort];
  }
}

function rateOrNull(part: number, whole: number): bigint | null {
  return whole === 0 ? null : rateOf(BigInt(part), BigInt(whole));
}
