import { SUM_KINDS, type SumKind } from './kept-sums.model.js';

/** Days on which a refund can count: that of its sale, or its own. */
export const ATTRIBUTIONS = ['sale', 'refund'] as const;
export type Attribution = (typeof ATTRIBUTIONS)[number];

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

/** Maps each part of a report to the count that holds its amounts. */
export const AMOUNT_OF = {
  sales: 'gross',
  pending: 'pending_amount',
  refunds: 'refunded',
  chargebacks: 'charged_back',
} as const satisfies Readonly<Record<SumPart, string>>;

/** Returns the kinds that count in these parts of a report. */
export function kindsOf(parts: readonly SumPart[], by: Attribution): readonly SumKind[] {
  const excluded = by === 'sale' ? '_by_refund' : '_by_sale';
  return SUM_KINDS.filter((kind) => parts.includes(PART_OF[kind]) && !kind.endsWith(excluded));
}

/** Writes kinds as a list of SQL. */
export function listed(kinds: readonly SumKind[]): string {
  return kinds.map((kind) => `'${kind}'`).join(', ');
}
