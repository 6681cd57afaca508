import { EntitySchema } from 'typeorm';
import { key, dateTime, optional, text, wholeNumber } from '../../../database/columns.js';
import type { OpenCancel } from './recurring-cancel.model.js';

export interface RecurringCancelRow extends Omit<OpenCancel, 'asked'> {
  /** Null if an instance of the previous version took the lease. */
  readonly asked: string | null;
}

/**
 * Stores a cancellation that the payment processor has neither accepted nor rejected yet. The
 * holder of its lease sends it to the processor. An expired lease has no effect.
 */
export const RecurringCancelEntity = new EntitySchema<RecurringCancelRow>({
  name: 'RecurringCancel',
  tableName: 'recurring_cancels',
  columns: {
    pre_key: key(text()),
    claim: text(36),
    claim_ends: { ...dateTime(), name: 'ends' },
    idempotency_key: { ...text(36), default: '' },
    user_id: { ...wholeNumber(), default: 0 },
    application_id: { ...wholeNumber(), default: 0 },
    asked: optional(dateTime()),
    tries: { ...wholeNumber(), default: 0 },
    next_try: optional(dateTime()),
  },
});
