import { DomainError } from '../../../platform/errors/domain-error.js';
import { endOfMonth, monthsAfter } from '../../../platform/values/time.js';
import type { RetainedLedger } from '../privacy.entity.js';

/** The rule for all vendors without a rule of their own has this `vendor_id`. */
export const ALL_VENDORS = 0;
export const MAX_MONTHS = 1_000;

export type { RetainedLedger, RetentionRule } from '../privacy.entity.js';

/** This retention applies to a vendor. */
export interface VendorRetention {
  readonly months: number | null;
  /** True if the vendor has a rule of its own. */
  readonly isOwn: boolean;
  /** First day for which personal data is kept. Null if nothing was removed yet. */
  readonly retained_from: string | null;
}

/** A retention run counts the records from which it has removed a vendor's personal data. */
export type RetentionRun = Pick<
  RetainedLedger,
  'vendor_id' | 'retained_from' | 'transactions' | 'recurring_payments'
>;

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
