import { recurringStatusOf } from '../../ledger-format/recurring-status.js';
import type { RecurringPayment } from '../../modules/recurring/recurring-payment.model.js';

const STYLES = { ACTIVE: 'active', CANCELED: 'revoked', COMPLETED: '', OTHER: '' } as const;

export function StatusBadge({ status }: Pick<RecurringPayment, 'status'>) {
  const recognised = recurringStatusOf(status);
  const text = recognised === 'OTHER' ? status : recognised.toLowerCase();
  return (
    <span class={`badge ${STYLES[recognised]}`.trim()}>{text === '' ? 'no status' : text}</span>
  );
}
