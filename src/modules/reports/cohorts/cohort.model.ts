import type { CohortKind } from '../../../ledger/sums/refund-cohorts.js';
import type { CountAndAmount, TopItem } from '../report.model.js';

/** Sales that a report covers: all sales of the vendor, of one product, or of one affiliate. */
export type CohortScope =
  | { readonly series: 'total' }
  | { readonly series: 'product' | 'affiliate'; readonly id: number };

export interface CohortRequest {
  readonly vendor_id: number;
  readonly scope: CohortScope;
  /** Kinds that count as returned: refunds, chargebacks or both. */
  readonly kinds: readonly CohortKind[];
  /** First day of the last month of sales that is shown. */
  readonly until: string;
  /** Current day in UTC; no later month is shown. */
  readonly today: string;
}

/** Measures of a share: the number of sales, or their money. */
export const COHORT_MEASURES = ['sales', 'money'] as const;
export type CohortMeasure = (typeof COHORT_MEASURES)[number];

/** Number of months of sales on a page. */
export const COHORTS_PER_PAGE = 24;
/**
 * Each of the months 0 to 12 after a sale has a column; later refunds and chargebacks count in
 * `to_date` alone.
 */
export const MONTHS_AFTER = 12;

/** The sales of a month with their refunds and chargebacks. Money is in cents. */
export interface Cohort {
  /** First day of the month. */
  readonly month: string;
  readonly sales: number;
  readonly gross: bigint;
  /**
   * Refunds and chargebacks until the end of the month of the sale, of the month after it, and so
   * on: at most MONTHS_AFTER + 1 entries, and none for future months.
   */
  readonly after: readonly CountAndAmount[];
  /** Refunds and chargebacks until the end of the current month. */
  readonly to_date: CountAndAmount;
}

export interface CohortPage {
  /** Cohorts of the months with sales, newest first. */
  readonly cohorts: readonly Cohort[];
  /**
   * Number of refunds and chargebacks without a date. They count in the month of the sale, without
   * an amount.
   */
  readonly undated: number;
  /** Value of `until` for the next older page; null if there is no such page. */
  readonly older: string | null;
  readonly newer: string | null;
}

/** The products and affiliates of the vendor that can be chosen in the form. */
export interface CohortItems {
  readonly products: readonly CohortItem[];
  readonly affiliates: readonly CohortItem[];
}
export type CohortItem = Pick<TopItem, 'id' | 'name'>;
