import type { AffiliateSales } from '../transactions/sums/affiliate-sales.js';

export interface ClickCounts {
  readonly clicks: number;
  readonly unique_clicks: number;
}

/**
 * Contains the statistics of an affiliate for a product, as docs/api.md#versions-21-and-20 defines
 * them.
 */
export interface AffiliateStatistics {
  /** `name` is the display name, or the user's name if there is none. */
  readonly affiliate: { readonly id: number; readonly name: string };
  /** `name` is the current name. */
  readonly product: { readonly id: number; readonly name: string };
  readonly clicks: ClickCounts;
  readonly sales: AffiliateSales;
}
