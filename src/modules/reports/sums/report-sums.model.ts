/**
 * What a transaction counts as, and on which day. A sale is completed, refunded or charged back; one
 * that is pending is none. A refund counts on the day of its sale and on its own, one kind each, so
 * that a report can follow either; one without a date has only the day of its sale.
 */
export const SUM_KINDS = [
  'sale',
  'pending',
  'refund_by_sale',
  'refund_by_refund',
  'undated_refund',
  'chargeback_by_sale',
  'chargeback_by_refund',
  'undated_chargeback',
] as const;
export type SumKind = (typeof SUM_KINDS)[number];

/** What a vendor's sums are kept of; a month stands under its first day. */
export const SUM_SERIES = ['total', 'product', 'product_month', 'affiliate_month'] as const;
export type SumSeries = (typeof SUM_SERIES)[number];

/**
 * The number of transactions, and money in cents. For a sale: the amount, and what of it the vendor
 * earned, affiliate, agent and partners got, and the service charged. For a refund or a chargeback:
 * what was returned, and what each gave back, which is zero or negative. A pending one has its amount.
 */
export const VENDOR_SUMS = ['transactions', 'amount', 'earnings', 'commissions', 'fees'] as const;
export type VendorSum = (typeof VENDOR_SUMS)[number];

/** The same of what one affiliate sold of one product; the commission is the affiliate's alone. */
export const AFFILIATE_DAY_SUMS = ['transactions', 'amount', 'earnings', 'commission'] as const;
export type AffiliateDaySum = (typeof AFFILIATE_DAY_SUMS)[number];

/** Whose sales a report is of: those of a vendor, or those that a user made as an affiliate. */
export interface Viewer {
  readonly role: 'vendor' | 'affiliate';
  readonly user_id: number;
}

/** Whole days in UTC, the first and the last included. */
export interface DayRange {
  readonly start_date: string;
  readonly end_date: string;
}

/** On which day a refund counts: that of its sale or its own. */
export const ATTRIBUTIONS = ['sale', 'refund'] as const;
export type Attribution = (typeof ATTRIBUTIONS)[number];

export const SUM_PARTS = ['sales', 'pending', 'refunds', 'chargebacks'] as const;
export type SumPart = (typeof SUM_PARTS)[number];

/** What is summed up together as one part of a report. */
export function kindsOf(part: SumPart, by: Attribution): readonly SumKind[] {
  switch (part) {
    case 'sales':
      return ['sale'];
    case 'pending':
      return ['pending'];
    case 'refunds':
      return [`refund_by_${by}`, 'undated_refund'];
    case 'chargebacks':
      return [`chargeback_by_${by}`, 'undated_chargeback'];
  }
}

/** One part's sums; for an affiliate the commissions are the affiliate's own, and there are no fees. */
export interface PartSums {
  readonly part: SumPart;
  readonly transactions: number;
  readonly amount: bigint;
  readonly earnings: bigint;
  readonly commissions: bigint;
  readonly fees: bigint;
}

export interface DaySums extends PartSums {
  readonly day: string;
}

/** What sales can be told apart by; a vendor's by the first two, an affiliate's by the last two. */
export type Dimension = 'affiliate' | 'product' | 'vendor';

export interface ItemSums extends PartSums {
  readonly item_id: number;
}

/** Of a product alone, of an affiliate's alone (for a vendor), of a vendor's alone (for an affiliate). */
export interface SalesFilter {
  readonly product_id?: number;
  readonly affiliate_id?: number;
  readonly vendor_id?: number;
}
