import { formatCents } from '../../../common/money.js';
import { formatDateTime } from '../../../common/time.js';
import type { RecurringPaymentRecord } from '../../../ledger-format/recurring-payment.record.js';
import type { WrittenRecord } from '../../../ledger-format/written-transaction.js';

/** Returns a subscription as a ledger file has it: the reverse of `readRecurringPayment`. */
export function writtenPayment(payment: RecurringPaymentRecord): WrittenRecord {
  return {
    type: 'recurring_payment',
    ...payment,
    max_total_of_all_payments: formatCents(payment.max_total_of_all_payments),
    max_amount_per_payment: formatCents(payment.max_amount_per_payment),
    price: formatCents(payment.price),
    payment_first_payout: formatCents(payment.payment_first_payout),
    payment_trial_price: formatCents(payment.payment_trial_price),
    payment_trial_payout: formatCents(payment.payment_trial_payout),
    payout: payment.payout === null ? null : formatCents(payment.payout),
    current_payments_amount: formatCents(payment.current_payments_amount),
    created: formatDateTime(payment.created),
    last_date: payment.last_date === null ? null : formatDateTime(payment.last_date),
    next_date: payment.next_date === null ? null : formatDateTime(payment.next_date),
  };
}
