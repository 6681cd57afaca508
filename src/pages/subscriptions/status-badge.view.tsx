import type { RecurringPayment } from '../../modules/recurring/recurring-payment.model.js';

const STYLES = { ACTIVE: 'active', CANCELED: 'revoked', COMPLETED: '' } as const;

export function StatusBadge({ status }: Pick<RecurringPayment, 'status'>) {
  return <span class={`badge ${STYLES[status]}`.trim()}>{status.toLowerCase()}</span>;
}
