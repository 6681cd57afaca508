import { SUM_KINDS, type SumKind } from '../../../ledger/sums/kept-sums.model.js';
import type { Attribution, CountAndAmount, DayRange, Viewer } from '../report.model.js';

export const SUM_PARTS = ['sales', 'pending', 'refunds', 'chargebacks'] as const;
export type SumPart = (typeof SUM_PARTS)[number];

/** Maps each kind of kept sum to its part of a report. */
export const PART_OF: Readonly<Record<SumKind, SumPart>> = {
  sale: 'sales',
  pending: 'pending',
  refund_by_sale: 'refunds',
  refund_by_refund: 'refunds',
  undated_refund: 'refunds',
  chargeback_by_sale: 'chargebacks',
  chargeback_by_refund: 'chargebacks',
  undated_chargeback: 'chargebacks',
};

/** Returns the kinds that count in these parts of a report. */
export function kindsOf(parts: readonly SumPart[], by: Attribution): readonly SumKind[] {
  const excluded = by === 'sale' ? '_by_refund' : '_by_sale';
  return SUM_KINDS.filter((kind) => parts.includes(PART_OF[kind]) && !kind.endsWith(excluded));
}

/** Selects one product, one affiliate (for a vendor), or one vendor (for an affiliate). */
export interface SalesFilter {
  readonly product_id?: number;
  readonly affiliate_id?: number;
  readonly vendor_id?: number;
}

export interface SumsCriteria extends DayRange {
  readonly viewer: Viewer;
  readonly attribution: Attribution;
  readonly filter?: SalesFilter;
}

/**
 * The sums of one part. For an affiliate, commissions are their own, and earnings and fees are
 * zero.
 */
export interface PartSums extends CountAndAmount {
  readonly part: SumPart;
  readonly earnings: bigint;
  readonly commissions: bigint;
  readonly fees: bigint;
}

export interface DaySums extends PartSums {
  readonly day: string;
}

/**
 * Sums are grouped by affiliate or product for a vendor, and by product or vendor for an affiliate.
 */
export type Dimension = 'affiliate' | 'product' | 'vendor';

export interface ItemSums extends PartSums {
  readonly item_id: number;
}
