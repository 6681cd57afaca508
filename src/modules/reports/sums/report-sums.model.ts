import type { SumKind } from '../../transactions/rollups/kept-sums.model.js';
import type { Attribution, DayRange, Viewer } from '../report.model.js';

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

/** Of a product alone, of an affiliate's alone (for a vendor), of a vendor's alone (for an affiliate). */
export interface SalesFilter {
  readonly product_id?: number;
  readonly affiliate_id?: number;
  readonly vendor_id?: number;
}

/** Which sales of which days are summed up. */
export interface SumsCriteria extends DayRange {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly filter?: SalesFilter;
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
