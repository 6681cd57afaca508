import { endOfMonth, monthsAfter } from '../../common/time.js';

/** The `vendor_id` of the rule for all vendors who have none of their own. */
export const ALL_VENDORS = 0;
export const MAX_MONTHS = 1_000;

/** For how long a vendor's personal data is kept. */
export interface RetentionRule {
  /** ALL_VENDORS for those who have no rule of their own. */
  readonly vendor_id: number;
  /** Null for ever. */
  readonly months: number | null;
}

/** How far a vendor's personal data was emptied. */
export interface RetainedLedger {
  readonly vendor_id: number;
  /** Sales before this day keep no personal data, whenever they arrive. It only rises. */
  readonly retained_from: string;
  /** The last stored sale that was emptied, and its arrival. */
  readonly emptied_to: string;
  readonly emptied_arrival: number;
  /** What was emptied by the run under way, or by one that was interrupted. */
  readonly transactions: number;
  readonly recurring_payments: number;
  /** The day of the last run that came to its end; null if there was none since the rule was set. */
  readonly done_on: string | null;
  /** The process that empties now, until `claim_ends`; null if there is none. */
  readonly claim: string | null;
  readonly claim_ends: string | null;
}

/** What holds for a vendor. */
export interface VendorRetention {
  readonly months: number | null;
  /** True if the vendor has a rule of its own. */
  readonly isOwn: boolean;
  /** Null if nothing was emptied yet. */
  readonly retained_from: string | null;
}

/** What a run has emptied of a vendor. */
export interface RetentionRun {
  readonly vendor_id: number;
  readonly retained_from: string;
  readonly transactions: number;
  readonly recurring_payments: number;
}

/** There is no such rule. */
export class UnknownRuleError extends Error {}

/**
 * The first day that is kept: the same day of the month some months earlier, or the last day of that month
 * if it is shorter. On 31 March, one month before is 28 or 29 February.
 * @param today in UTC
 */
export function keptFrom(today: string, months: number): string {
  const month = monthsAfter(today, -months);
  const last = endOfMonth(month);
  const same = `${month.slice(0, 8)}${today.slice(8)}`;
  return same < last ? same : last;
}
