import type { SumPart } from '../sums/report-sums.model.js';
import type { UnpaidAge } from './affiliate-figures.model.js';

/** The sums of one part of an affiliate's transactions. Money in cents. */
export interface PartOfAffiliate {
  readonly affiliate_id: number;
  readonly part: SumPart;
  readonly transactions: number;
  readonly amount: bigint;
  readonly commission: bigint;
}

export interface UnpaidOfAffiliate {
  readonly affiliate_id: number;
  /** `total` covers all ages. */
  readonly age: Exclude<UnpaidAge, 'over-90'> | 'total';
  /** In cents. */
  readonly commission: bigint;
}

export interface ClickSums {
  readonly affiliate_id: number;
  readonly clicks: number;
  readonly unique_clicks: number;
}
