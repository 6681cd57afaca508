import type { CohortKind } from '../../transactions/rollups/refund-cohorts/refund-cohorts.model.js';
import type { CountAndAmount } from '../report.model.js';

/** Whose sales: all of the vendor, those of one product, or those of one affiliate. */
export type CohortScope =
  | { readonly series: 'total' }
  | { readonly series: 'product' | 'affiliate'; readonly id: number };

export interface CohortRequest {
  readonly vendor_id: number;
  readonly scope: CohortScope;
  /** What counts as returned. */
  readonly kinds: readonly CohortKind[];
  /** The last month of sales that is shown, as its first day. */
  readonly until: string;
  /** The day in UTC; no later month is shown. */
  readonly today: string;
}

/** Whether the share is one of the number of sales or of their money. */
export const COHORT_MEASURES = ['sales', 'money'] as const;
export type CohortMeasure = (typeof COHORT_MEASURES)[number];

/** The months of sales on a page. */
export const COHORTS_PER_PAGE = 24;
/** Each of the months 0 to 12 after a sale has a column; what comes later is in `to_date` alone. */
export const MONTHS_AFTER = 12;

/** The sales of a month, and what of them came back. Money in cents. */
export interface Cohort {
  /** Its first day. */
  readonly month: string;
  readonly sales: number;
  readonly gross: bigint;
  /**
   * What came back until the end of the month of the sale, of the month after it, and so on: at most
   * MONTHS_AFTER + 1, and none of months to come.
   */
  readonly after: readonly CountAndAmount[];
  /** What came back until the end of this month. */
  readonly to_date: CountAndAmount;
}

export interface CohortPage {
  /** The months with sales, newest first. */
  readonly cohorts: readonly Cohort[];
  /** Returns without a date: they count in the month of the sale, without an amount. */
  readonly undated: number;
  /** `until` of the pages beside this one; null if there is no such page. */
  readonly older: string | null;
  readonly newer: string | null;
}

/** A product or an affiliate of the vendor, for a choice. */
export interface CohortItem {
  readonly id: number;
  readonly name: string;
}

export interface CohortItems {
  readonly products: readonly CohortItem[];
  readonly affiliates: readonly CohortItem[];
}
