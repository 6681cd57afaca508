import type { PaymentReason } from '../../ledger/changes/reasons/change-reasons.js';
import { endOf } from '../../ledger/records/recurring-status.js';
import { isSame } from '../../ledger/records/same-content.js';
import type { RecurringPayment } from './recurring-payment.model.js';

const ENDS = { CANCELED: 'canceled', COMPLETED: 'ended' } as const;
/** The fields that change as well when a payment is made or the subscription ends. */
const SCHEDULE = {
  current_payments: 0,
  current_payments_amount: 0,
  next_payment: '',
  last_date: null,
  next_date: null,
};

/** Returns the reasons of a change of a subscription, at least one. */
export function paymentReasonsOf(
  before: RecurringPayment | undefined,
  after: RecurringPayment,
): PaymentReason[] {
  const end = endOf(after.status);
  const hasEnded = end !== null && (before === undefined || endOf(before.status) !== end);
  const ended = hasEnded ? [ENDS[end]] : [];
  if (before === undefined) return ['started', ...ended];
  const reasons: PaymentReason[] = [...(isPaid(before, after) ? ['paid' as const] : []), ...ended];
  const schedule = reasons.length === 0 ? {} : SCHEDULE;
  const status = hasEnded ? { status: '' } : {};
  const isOther = !isSame(
    { ...before, ...schedule, ...status },
    { ...after, ...schedule, ...status },
  );
  return isOther || reasons.length === 0 ? [...reasons, 'changed'] : reasons;
}

function isPaid(before: RecurringPayment, after: RecurringPayment): boolean {
  return (
    after.current_payments > before.current_payments ||
    after.current_payments_amount > before.current_payments_amount
  );
}
