import type { AffiliateSales } from '../transactions/rollups/affiliate-sales/affiliate-sales.model.js';

export interface ClickCounts {
  readonly clicks: number;
  readonly unique_clicks: number;
}

/** The statistics of an affiliate for a product (decisions: Affiliate statistics). */
export interface AffiliateStatistics {
  /** `name` is the display name, or else the user's name. */
  readonly affiliate: { readonly id: number; readonly name: string };
  /** `name` is the current one. */
  readonly product: { readonly id: number; readonly name: string };
  readonly clicks: ClickCounts;
  readonly sales: AffiliateSales;
}
