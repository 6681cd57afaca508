import { DomainError } from '../../common/errors/domain-error.js';
import { endOfMonth, monthsAfter } from '../../common/time.js';
import type { Lease } from '../../platform/jobs/lease.js';

/** The rule for all vendors without a rule of their own has this `vendor_id`. */
export const ALL_VENDORS = 0;
export const MAX_MONTHS = 1_000;

/** A rule limits how long a vendor's personal data is kept. */
export interface RetentionRule {
  /** Id of the vendor, or ALL_VENDORS for vendors without a rule of their own. */
  readonly vendor_id: number;
  /** Number of months that personal data is kept, or null for ever. */
  readonly months: number | null;
}

/**
 * This row records how far a vendor's personal data has been removed. The process with the lease
 * removes it.
 */
export interface RetainedLedger extends Lease {
  readonly vendor_id: number;
  /**
   * Sales before this day keep no personal data, no matter when they arrive. The day never goes
   * back.
   */
  readonly retained_from: string;
  /**
   * Date of the last stored sale whose personal data was removed. `emptied_arrival` is its arrival.
   */
  readonly emptied_to: string;
  readonly emptied_arrival: number;
  /**
   * Number of transactions from which the current run, or an interrupted one, has removed personal
   * data. `recurring_payments` counts subscriptions.
   */
  readonly transactions: number;
  readonly recurring_payments: number;
  /** Day of the last completed run, or null if no run has completed. */
  readonly done_on: string | null;
}

/** This retention applies to a vendor. */
export interface VendorRetention {
  readonly months: number | null;
  /** True if the vendor has a rule of its own. */
  readonly isOwn: boolean;
  /** First day for which personal data is kept. Null if nothing was removed yet. */
  readonly retained_from: string | null;
}

/** A retention run counts the records from which it has removed a vendor's personal data. */
export interface RetentionRun {
  readonly vendor_id: number;
  readonly retained_from: string;
  readonly transactions: number;
  readonly recurring_payments: number;
}

/** There is no such rule. */
export class UnknownRuleError extends DomainError {}

/**
 * Returns the first day that is kept: the same day of the month some months earlier, or the last
 * day of that month if it is shorter. On 31 March, one month before is 28 or 29 February.
 * @param today current day in UTC
 */
export function keptFrom(today: string, months: number): string {
  const month = monthsAfter(today, -months);
  const last = endOfMonth(month);
  const same = `${month.slice(0, 8)}${today.slice(8)}`;
  return same < last ? same : last;
}
