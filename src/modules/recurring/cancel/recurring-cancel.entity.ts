import { EntitySchema } from 'typeorm';
import { key, dateTime, optional, text, wholeNumber } from '../../../database/columns.js';
import type { OpenCancel } from './recurring-cancel.model.js';

export interface RecurringCancelRow extends Omit<OpenCancel, 'asked'> {
  /** Null where the version before made the claim. */
  readonly asked: string | null;
}

/**
 * A cancel of which the payment processor has not said so far whether it is done. Whoever has the claim
 * is telling the processor; a claim that has ended counts for nothing.
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
