import { rateOf } from '../../../platform/values/money.js';
import type { AffiliateTerms } from '../../affiliates/index.js';

/** Sums of an affiliate for one product, of all time. Money is in cents. */
export interface EarnedSums {
  readonly sales: bigint;
  readonly refunds: bigint;
  /** Amounts of the sales, before refunds. */
  readonly gross: bigint;
  /** Commissions after refunds and chargebacks, whatever their status. */
  readonly earned: bigint;
  readonly paid: bigint;
  readonly unpaid: bigint;
  readonly clicks: bigint;
  readonly unique_clicks: bigint;
}
/** Sums with the unpaid commissions divided into those on hold and those that are due. */
export interface Earned extends EarnedSums {
  /** Unpaid on terms that are delayed today. */
  readonly on_hold: bigint;
  readonly due_now: bigint;
}

/** The earnings of an affiliate with one product. */
export interface ProductEarnings extends Earned {
  readonly product_id: number;
  readonly product_name: string;
  readonly vendor_id: number;
  readonly vendor_name: string;
  /** Null without affiliate terms. */
  readonly terms: AffiliateTerms | null;
}

/** The earnings of an affiliate with all products of one vendor. */
export interface VendorEarnings extends Earned {
  readonly vendor_id: number;
  readonly vendor_name: string;
}

export interface Earnings {
  /** Products with affiliate terms, sales or clicks of the user, by id. */
  readonly products: readonly ProductEarnings[];
  readonly vendors: readonly VendorEarnings[];
  readonly total: Earned;
}

/** Adds up what was earned. */
export function sumOfEarned(all: readonly Earned[]): Earned {
  const sum = (name: keyof Earned) => all.reduce((total, each) => total + each[name], 0n);
  return {
    sales: sum('sales'),
    refunds: sum('refunds'),
    gross: sum('gross'),
    earned: sum('earned'),
    paid: sum('paid'),
    unpaid: sum('unpaid'),
    clicks: sum('clicks'),
    unique_clicks: sum('unique_clicks'),
    on_hold: sum('on_hold'),
    due_now: sum('due_now'),
  };
}

/** Returns sales per unique click in units of RATE_PLACES; null without unique clicks. */
export function conversionOf({ sales, unique_clicks }: EarnedSums): bigint | null {
  return unique_clicks === 0n ? null : rateOf(sales, unique_clicks);
}
