import { recurringStatusOf } from '../../../ledger/records/recurring-status.js';
import { Badge } from '../../../platform/pages/ui/facts.view.js';
import { numberText } from '../../../platform/pages/ui/values.view.js';
import { startOfDay, todayInUtc } from '../../../platform/values/time.js';
import type { ListedPayment } from './recurring-list.model.js';

const STYLES = { ACTIVE: 'active', CANCELED: 'revoked', COMPLETED: '', OTHER: '' } as const;

/** Shows the status, or that the next payment of an active subscription is late. */
export function PaymentBadge(payment: Pick<ListedPayment, 'status' | 'next_date'>) {
  return isLate(payment) ? (
    <Badge style="overdue">late</Badge>
  ) : (
    <StatusBadge status={payment.status} />
  );
}

/** Returns whether the next payment of an active subscription was due before today. */
export function isLate({
  status,
  next_date,
}: Pick<ListedPayment, 'status' | 'next_date'>): boolean {
  const isPast = next_date !== null && next_date < startOfDay(todayInUtc());
  return isPast && recurringStatusOf(status) === 'ACTIVE';
}

function StatusBadge({ status }: Pick<ListedPayment, 'status'>) {
  const recognised = recurringStatusOf(status);
  const text = recognised === 'OTHER' ? status : recognised.toLowerCase();
  return <Badge style={STYLES[recognised]}>{text === '' ? 'no status' : text}</Badge>;
}

/**
 * Returns the customer's contact address, or else another text that identifies the subscription.
 */
export function customerOf({ contact_email, sender_email, pre_key }: ListedPayment): string {
  return contact_email || sender_email || pre_key;
}

/** Returns the number of payments, with the total if the plan has an end. */
export function paymentsText({
  current_payments,
  max_number_of_payments: total,
}: ListedPayment): string {
  const made = numberText(current_payments);
  return total > 0 ? `${made} of ${numberText(total)}` : made;
}
