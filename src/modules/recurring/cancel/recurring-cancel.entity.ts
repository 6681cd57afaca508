import { EntitySchema } from 'typeorm';
import { key, dateTime, optional, text, wholeNumber } from '../../../database/columns.js';
import type { OpenCancel } from './recurring-cancel.model.js';

export interface RecurringCancelRow extends Omit<OpenCancel, 'asked'> {
  /** Null if an instance of the previous version made the claim. */
  readonly asked: string | null;
}

/**
 * A cancel that the payment processor has neither accepted nor rejected yet. The owner of the claim sends
 * it to the processor; an expired claim has no effect.
 */
export const RecurringCancelEntity = new EntitySchema<RecurringCancelRow>({
  name: 'RecurringCancel',
  tableName: 'recurring_cancels',
  columns: {
    pre_key: key(text()),
    claim: text(36),
    ends: dateTime(),
    idempotency_key: { ...text(36), default: '' },
    user_id: { ...wholeNumber(), default: 0 },
    application_id: { ...wholeNumber(), default: 0 },
    asked: optional(dateTime()),
    tries: { ...wholeNumber(), default: 0 },
    next_try: optional(dateTime()),
  },
});
