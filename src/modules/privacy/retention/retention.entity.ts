import {
  dateTime,
  day,
  key,
  optional,
  text,
  wholeNumber,
} from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

/** A rule limits how long a vendor's personal data is kept. */
export const RetentionRuleEntity = entityOf({
  name: 'RetentionRule',
  tableName: 'retention_rules',
  columns: {
    /** Id of the vendor, or ALL_VENDORS for vendors without a rule of their own. */
    vendor_id: key(wholeNumber()),
    /** Number of months that personal data is kept, or null for ever. */
    months: optional(wholeNumber()),
  },
});
export type RetentionRule = EntityRow<typeof RetentionRuleEntity>;

/**
 * Each row records how far a vendor's personal data has been removed. The process with the lease
 * removes it.
 */
export const RetainedLedgerEntity = entityOf({
  name: 'RetainedLedger',
  tableName: 'retained_ledgers',
  columns: {
    vendor_id: key(wholeNumber()),
    /**
     * Sales before this day keep no personal data, no matter when they arrive. The day never goes
     * back.
     */
    retained_from: day(),
    /**
     * Date of the last stored sale whose personal data was removed. `emptied_arrival` is its arrival.
     */
    emptied_to: dateTime(),
    emptied_arrival: wholeNumber(),
    /**
     * Number of transactions from which the current run, or an interrupted one, has removed personal
     * data. `recurring_payments` counts subscriptions.
     */
    transactions: wholeNumber(),
    recurring_payments: wholeNumber(),
    /** Day of the last completed run, or null if no run has completed. */
    done_on: optional(day()),
    claim: optional(text(36)),
    claim_ends: optional(dateTime()),
  },
});
export type RetainedLedger = EntityRow<typeof RetainedLedgerEntity>;
