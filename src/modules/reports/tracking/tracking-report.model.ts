import type { FigureFilter, ValueField } from '../figures/figure.model.js';
import type { Attribution, DayRange, Figures } from '../report.model.js';
import type { SumPart } from '../../../ledger/sums/sum-parts.js';

/** Pending transactions are not tracked. */
export const TRACKED_PARTS = [
  'sales',
  'refunds',
  'chargebacks',
] as const satisfies readonly SumPart[];

/** Maximum number of values that have their own line. */
export const TOP_VALUES = 1_000;

export interface TrackingRequest extends DayRange {
  readonly vendor_id: number;
  readonly field: ValueField;
  readonly attribution: Attribution;
  /** Only sales of a product, an affiliate, or both. */
  readonly filter: Pick<FigureFilter, 'product_id' | 'affiliate_id'>;
}

/** A value with the figures of its sales. */
export interface TrackedLine {
  readonly value: string;
  readonly figures: Figures;
}

/**
 * A vendor's sales of a range by the values of a tracking field. The lines, `other` and `none` add
 * up to the total.
 */
export interface TrackingReport {
  /** The values with the highest gross, highest first. */
  readonly lines: readonly TrackedLine[];
  /** All other values together, or null if they have no sale, refund or chargeback. */
  readonly other: Figures | null;
  /** Sales without a value, or null if there are none. */
  readonly none: Figures | null;
  readonly total: Figures;
  /**
   * Maximum number of values with their own sums, if the field has reached it: only the first
   * values to arrive have lines then. Otherwise null.
   */
  readonly mostValues: number | null;
}
