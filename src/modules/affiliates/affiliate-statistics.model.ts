import type { AffiliateSales } from '../transactions/rollups/affiliate-sales/affiliate-sales.model.js';

export interface ClickCounts {
  readonly clicks: number;
  readonly unique_clicks: number;
}

/** What is known of an affiliate and a product together (decisions: Affiliate statistics). */
export interface AffiliateStatistics {
  /** `name` is the display name, or the name where there is none. */
  readonly affiliate: { readonly id: number; readonly name: string };
  /** `name` is today's. */
  readonly product: { readonly id: number; readonly name: string };
  readonly clicks: ClickCounts;
  readonly sales: AffiliateSales;
}
