import { urgent, type UndoneActions } from '../../audit/index.js';
import type { CancelOutcome } from './payment-processor.js';
import type { RecurringCancelRow } from '../recurring-payment.entity.js';

/** Lists the audited action on a subscription, with advice for after a restore. */
export const CANCEL_ACTIONS: UndoneActions = {
  'recurring_payment.cancel': urgent(
    "The processor has ended it, but here it is not CANCELED any more. Run in the database: UPDATE recurring_payments SET overruled = JSON_OBJECT('status', JSON_OBJECT('said', COALESCE(status_word, status))), status = 'CANCELED', status_word = NULL WHERE id = {id} AND status IN ('ACTIVE', 'OTHER') AND product_id IN (SELECT id FROM products WHERE vendor_id = {author});",
  ),
};

/** Identifies the user and the application that requested a cancellation. */
export type CancelRequester = Pick<RecurringCancelRow, 'user_id' | 'application_id'>;

/** Identifies a cancellation by its `pre_key`, with who requested it. */
export interface DueCancel extends CancelRequester {
  readonly id: string;
}

/** Describes a cancellation that has no final outcome yet. Date-times are in UTC. */
export interface OpenCancel extends RecurringCancelRow {
  readonly asked: string;
}

/** Represents the lease to send a cancellation to the processor. */
export interface CancelTurn extends Pick<OpenCancel, 'pre_key' | 'claim' | 'idempotency_key'> {
  /** False if the cancellation was sent before, with an unknown outcome. */
  readonly isFirst: boolean;
}

/**
 * Counts the cancellations that wait for the processor's answer. `oldest` is when the oldest was
 * requested.
 */
export interface WaitingCancels {
  readonly count: number;
  readonly oldest: string | null;
}

/** Returns the combined outcome of all attempts of a cancellation. */
export function combinedOutcome(
  isFirst: boolean,
  outcomes: readonly CancelOutcome[],
): CancelOutcome {
  const last = outcomes.at(-1);
  if (last === 'accepted' || last === 'rejected') return last;
  return isFirst && !outcomes.includes('unknown') ? 'no_effect' : 'unknown';
}
