import {
  key,
  dateTime,
  optional,
  text,
  wholeNumber,
} from '../../../platform/database/entities/columns.js';
import { entityOf, type EntityRow } from '../../../platform/database/entities/entity-of.js';

/**
 * Stores a cancellation that the payment processor has neither accepted nor rejected yet. The
 * holder of its lease sends it to the processor. An expired lease has no effect.
 */
export const RecurringCancelEntity = entityOf({
  name: 'RecurringCancel',
  tableName: 'recurring_cancels',
  columns: {
    pre_key: key(text()),
    claim: text(36),
    claim_ends: { ...dateTime(), name: 'ends' },
    /** Key that is identical for each attempt. */
    idempotency_key: { ...text(36), default: '' },
    user_id: { ...wholeNumber(), default: 0 },
    application_id: { ...wholeNumber(), default: 0 },
    /** Time of the request. Null if an instance of the previous version took the lease. */
    asked: optional(dateTime()),
    /** Number of attempts that ended with an unknown outcome. */
    tries: { ...wholeNumber(), default: 0 },
    /** Time of the next attempt; null until the first outcome. */
    next_try: optional(dateTime()),
  },
});
export type RecurringCancelRow = EntityRow<typeof RecurringCancelEntity>;
