import type { TrackedField } from '../../../ledger/sums/kept-sums.model.js';

/** Selects sales. A tracked field is the only filter if it is there. */
export interface FigureFilter {
  readonly product_id?: number;
  readonly affiliate_id?: number;
  /** One of the vendors of an affiliate. */
  readonly vendor_id?: number;
  readonly tracked?: { readonly field: TrackedField; readonly value: string };
}
