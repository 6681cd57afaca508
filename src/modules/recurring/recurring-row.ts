import { formatDateTime, parseDateTime } from '../../platform/values/time.js';
import { recurringStatusOf } from '../../ledger/records/recurring-status.js';
import type { RecurringPaymentRow } from './recurring-payment.entity.js';
import type { PaymentStatus, RecurringPayment, SavedPayment } from './recurring-payment.model.js';

const STORED_DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
/**
 * Precedes a stored text that is not a date-time but looks like one, or that begins with this mark.
 */
const TEXT_MARK = "'";

/** Converts a row to a subscription, without the columns that no response shows. */
export function paymentOf({
  overruled: _,
  record_version: __,
  vendor_id: ___,
  status_word,
  ...row
}: RecurringPaymentRow): RecurringPayment {
  return {
    ...row,
    status: status_word ?? row.status,
    next_payment: shownNextPayment(row.next_payment),
    has_payment_trial: row.has_payment_trial === 1,
  };
}

export function rowOf({ content, vendor_id }: SavedPayment) {
  return {
    ...content,
    ...statusColumns(content),
    next_payment: storedNextPayment(content.next_payment),
    has_payment_trial: Number(content.has_payment_trial),
    vendor_id,
  };
}

export function statusColumns({
  status: word,
}: PaymentStatus): Pick<RecurringPaymentRow, 'status' | 'status_word'> {
  const status = recurringStatusOf(word);
  return { status, status_word: word === status ? null : word };
}

/**
 * Converts a date-time to the stored form of all others. It keeps other text as it is, with a mark
 * if the text is ambiguous.
 */
function storedNextPayment(text: string): string {
  const isMarked = STORED_DATE_TIME.test(text) || text.startsWith(TEXT_MARK);
  return parseDateTime(text) ?? (isMarked ? TEXT_MARK + text : text);
}

function shownNextPayment(stored: string): string {
  if (STORED_DATE_TIME.test(stored)) return formatDateTime(stored);
  return stored.startsWith(TEXT_MARK) ? stored.slice(TEXT_MARK.length) : stored;
}
