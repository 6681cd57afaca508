import { textOf } from '../../ledger-format/overruled-fields.js';
import type { RecurringPaymentRow } from './recurring-payment.entity.js';
import type { RecurringPayment, SavedPayment } from './recurring-payment.model.js';

/** Without what no answer shows. */
export function paymentOf({
  overruled: _,
  record_version: __,
  vendor_id: ___,
  ...row
}: RecurringPaymentRow): RecurringPayment {
  return { ...row, has_payment_trial: row.has_payment_trial === 1 };
}

export function rowOf({ content, overruled, record_version, vendor_id }: SavedPayment) {
  return {
    ...content,
    has_payment_trial: Number(content.has_payment_trial),
    overruled: textOf(overruled),
    record_version,
    vendor_id,
  };
}
