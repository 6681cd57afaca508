import type { SumKind } from '../../transactions/rollups/kept-sums.model.js';

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
